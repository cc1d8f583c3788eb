import { describe, expect, it } from 'vitest';
import { finds } from '../finds.ts';
import { ids, itemOf, judged, mentionOf, Story } from '../fixtures.ts';

const toReader = { targets: [`agent:${ids.reader}`] };
const toPeer = { targets: [`agent:${ids.peer}`] };
const toBoth = { targets: [...toReader.targets, ...toPeer.targets] };
const shared = 'shared-number mention.sequence.workspace-wide';

describe('the number of a mention', () => {
  finds('stands for one message in all feeds of a workspace', [shared], (story) => {
    story.feed([mentionOf(itemOf(story.send(toReader), 1), 7)]);
    story.feed([mentionOf(itemOf(story.send(toPeer), 2), 7)], { agent: 'peer' });
  });

  finds(
    'may be another one for another target of its message, and is that of no other message then',
    [shared],
    (story) => {
      const one = itemOf(story.send(toBoth), 1);
      story.feed([mentionOf(one, 7), mentionOf(itemOf(story.send(toReader), 2), 8)]);
      story.feed([mentionOf(one, 8)], { agent: 'peer' });
    },
  );

  finds('may be another one for another target of its message', [], (story) => {
    const one = itemOf(story.send(toBoth), 1);
    story.feed([mentionOf(one, 7)]);
    story.feed([mentionOf(one, 8)], { agent: 'peer' });
  });

  finds('may stand for another message in another workspace, or in one that nobody knows', [], (story) => {
    const own = story.items([1, 2], toReader);
    const [one, two] = [ids.other, undefined].map((workspace) =>
      itemOf(story.send(toPeer), 3, { workspace }),
    );
    story.feed(own.map((item, at) => mentionOf(item, 7 + at)));
    story.feed(
      [one, two].flatMap((item, at) => (item === undefined ? [] : mentionOf(item, 7 + at))),
      { agent: 'peer' },
    );
  });

  it('is put to the test by what several feeds list', () => {
    const story = new Story();
    const one = itemOf(story.send(toBoth), 1);
    story.feed([mentionOf(one, 7)]);
    const times = () => judged(story).opportunities.get('mention.sequence.workspace-wide');
    expect(times()).toBeUndefined();
    story.feed([mentionOf(one, 7)], { agent: 'peer' });
    expect(times()).toBe(1);
  });
});
