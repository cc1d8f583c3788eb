import { describe, expect, it } from 'vitest';
import { judgeHistory } from '../../../history/judges/index.ts';
import { allFound, found, ids, Story } from '../fixtures.ts';

/** The second of three messages is passed over once, and then gone. */
function passedOver(): Story {
  const story = new Story();
  const items = story.items([1, 2, 3]);
  story.read(items);
  story.wait();
  story.read(items.slice(2), { after: 1 });
  story.wait();
  story.read(items);
  story.wait();
  story.read(items.filter((_, index) => index !== 1));
  return story;
}

describe('an anomaly', () => {
  it('follows from a graver one of its message', () => {
    const story = passedOver();
    expect(found(story)).toEqual(['poll-skip channel-read.walk-is-complete']);
    const later = judgeHistory(story.history).anomalies.find(({ name }) => name === 'vanished');
    expect(later?.explainedBy).toBe('poll-skip');
  });

  it('follows from pages that pass over what is behind them, where another such page was seen to', () => {
    const story = new Story();
    const items = story.items([1, 2, 3, 4]);
    story.read(items);
    story.wait();
    // What it passes over is shown again: it was there.
    story.read(items.slice(1, 2), { after: 1, nextAfter: 3, hasMore: true });
    story.wait();
    story.read(items);
    story.wait();
    // What this one passes over is not.
    story.read(items.slice(0, 3), { nextAfter: 4 });
    expect(found(story)).toEqual(['poll-skip channel-read.walk-is-complete']);
    expect(allFound(story)).toContain('vanished states.messages-do-not-vanish');
  });

  it('follows from none that only warns', () => {
    const story = new Story();
    const items = story.items([1, 2]);
    story.read(items, { highWatermark: 1 });
    story.wait();
    story.read(items.slice(1), { after: 0, highWatermark: 1 });
    story.wait();
    story.read(items);
    expect(found(story)).toContain('poll-skip channel-read.after-zero');
  });

  it('is the same whatever agents, channels and numbers are called', () => {
    const renamed = passedOver();
    const { history } = renamed;
    const text = JSON.stringify(history)
      .replaceAll(ids.channel, ids.other)
      .replaceAll('"reader"', '"someone"');
    const other = judgeHistory(JSON.parse(text) as typeof history).anomalies;
    expect(other.map(({ name, clause }) => `${name} ${clause}`).toSorted()).toEqual(allFound(renamed));
  });

  it('is named once for a page, however much the page lacks', () => {
    const story = new Story();
    const items = story.items([1, 2, 3, 4]);
    story.read(items);
    story.read(items.slice(3), { after: 0, nextAfter: 4 });
    story.wait();
    story.read(items);
    expect(found(story)).toEqual(['poll-skip channel-read.after-zero']);
  });
});
