import { describe, expect, it } from 'vitest';
import { ids, itemOf, judged, mentionOf, messageOf, retrievedBy, Story } from '../fixtures.ts';

/** Clauses that a run may break by what follows, and traffic never does. */
const beyondTraffic = [
  'send.refused-stores-nothing',
  'channel-read.nothing-unsent',
  'channel-read.nothing-returns',
  'mentions.records-no-retrieval',
  'page.empty-page-moves-on',
] as const;

/** What puts each of them to the test. */
function told(isPartial: boolean): Story {
  const story = new Story({ isPartial });
  const text = { digest: 'a text', bytes: 20, marker: undefined };
  const content = isPartial ? { content: text } : {};
  const send = story.send({ ...content, targets: [`agent:${ids.reader}`] });
  Object.assign(send, { shown: messageOf(send, 1) });
  const item = itemOf(send, 1);
  const listed = retrievedBy(mentionOf(item, 71), []);
  story.send({ outcome: 'refused', content: { digest: 'refused', bytes: 20, marker: 'run-9.' } });
  for (let times = 0; times < 2; times += 1) {
    story.feed([listed]);
    story.wait().read([item]);
  }
  story.read([], { hasMore: true, nextAfter: 5 });
  story.wait().read([], { nextAfter: 1 });
  return story;
}

describe('what traffic never breaks', () => {
  it.each(beyondTraffic)('is not kept by it either: %s', (clause) => {
    expect(judged(told(false)).opportunities.has(clause)).toBe(true);
    expect(judged(told(true)).opportunities.has(clause)).toBe(false);
  });
});
