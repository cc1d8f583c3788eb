import { describe, expect, it } from 'vitest';
import { finds } from '../finds.ts';
import { foundAndShown, ids, itemOf, judged, mentionOf, Story } from '../fixtures.ts';

describe('a message', () => {
  /** One at a place, sent at some time, while the message at 5 is read up to 100. */
  function sent(sequence: number, startedMs: number, status = 201): Story {
    const story = new Story();
    const first = itemOf(story.send({ startedMs: 0, endedMs: 99, agent: 'peer', status }), 5);
    story.read([first], { after: 4, startedMs: 90, endedMs: 100 });
    const second = itemOf(story.send({ startedMs, endedMs: startedMs + 10 }), sequence);
    story.read([second], {
      after: sequence - 1,
      nextAfter: sequence,
      hasMore: true,
      startedMs: 300,
      endedMs: 310,
    });
    return story;
  }
  const inserted = 'late-insert send.appends';

  finds.each([
    { sequence: 4, startedMs: 101, names: [inserted] },
    { sequence: 6, startedMs: 101, names: [] },
    { sequence: 4, startedMs: 100, names: ['nonmonotonic-send send.acknowledged-order'] },
    { sequence: 4, startedMs: 99, names: [] },
  ])('at $sequence that is sent at $startedMs shows $names', (_, { sequence, startedMs }) =>
    sent(sequence, startedMs),
  );

  finds('may come before one whose send is only taken', [], () => sent(4, 100, 202));

  it('counts from its first attempt on', () => {
    const story = new Story();
    const attempt = story.send({ outcome: 'indeterminate' });
    story.read([itemOf(story.send({ agent: 'peer' }), 5)], { after: 4 });
    story.send({ key: attempt.key, content: attempt.content });
    story.read([itemOf(attempt, 4)], { after: 3, hasMore: true });
    expect(foundAndShown(story)).toEqual([]);
    expect(judged(story).opportunities.get('send.appends')).toBeUndefined();
  });

  finds('comes after what a feed had shown, too', ['late-insert mentions.cursor-never-skips'], (story) => {
    const targets = [`agent:${ids.reader}`];
    story.feed([mentionOf(itemOf(story.send({ targets }), 1), 70)]);
    story.feed([mentionOf(itemOf(story.send({ targets }), 2), 60)], { after: 50, hasMore: true });
  });
});
