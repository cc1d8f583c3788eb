import { describe, expect, it } from 'vitest';
import { sessions } from '../../../history/judges/sessions.ts';
import { worldOf } from '../../../history/world/world.ts';
import { finds } from '../finds.ts';
import {
  allFound,
  foundAndShown,
  ids,
  itemOf,
  judged,
  mentionOf,
  messageOf,
  settleMs,
  Story,
} from '../fixtures.ts';

describe('a complete read', () => {
  finds.each([
    { endedMs: 99, status: 201, names: ['read-your-writes channel-read.reads-own-writes'] },
    { endedMs: 99, status: 202, names: [] },
    { endedMs: 100, status: 201, names: [] },
  ])(
    'from 100 on, of the author whose send got $status at $endedMs: $names',
    (story, { endedMs, status }) => {
      const send = story.send({ startedMs: 50, endedMs, status });
      story.read([], { agent: 'author', startedMs: 100, endedMs: 110 });
      story.read([itemOf(send, 1)], { agent: 'author', startedMs: 111 + settleMs, endedMs: 300 });
    },
  );

  it('decides what it denies, not a later one that shows it', () => {
    const story = new Story();
    const send = story.send({ startedMs: 50, endedMs: 99 });
    story.read([], { agent: 'author', startedMs: 100, endedMs: 110 });
    story.read([itemOf(send, 1)], { agent: 'author', startedMs: 111 + settleMs, endedMs: 300 });
    const [anomaly] = judged(story).anomalies;
    expect(anomaly?.decides).toMatchObject({ kind: 'read', startedMs: 100 });
    expect(anomaly?.witness.map(({ startedMs }) => startedMs)).toEqual([50, 100, 111 + settleMs]);
  });

  it.each([
    { subject: ids.author, isNamed: true, names: [] },
    { subject: ids.author, isNamed: false, names: [] },
    { subject: ids.reader, isNamed: true, names: ['read-your-writes channel-read.reads-own-writes'] },
    { subject: ids.reader, isNamed: false, names: ['read-your-writes channel-read.reads-own-writes'] },
  ])(
    'of the author, who was named: $isNamed, may lack its own message once $subject was away: $names',
    (each) => {
      const { subject, isNamed, names } = each;
      const story = new Story();
      if (isNamed) story.feed([], { agent: 'author' });
      const item = itemOf(story.send(), 1);
      story.change('deactivate', { subject, detail: 'access inactive' });
      story.change('deactivate', { subject, detail: 'access active' });
      story.read([], { agent: 'author' });
      story.wait().read([item], { agent: 'author' });
      expect(allFound(story)).toEqual(names);
    },
  );

  it.each([
    { detail: undefined, names: ['monotonic-reads mentions.recency'] },
    { detail: 'machine inactive', names: [] },
  ])('of a feed may lack what names a human over a change of $detail: $names', ({ detail, names }) => {
    const story = new Story();
    const one = mentionOf(itemOf(story.send({ targets: [`user:${ids.human}`] }), 1), 71);
    story.feed([one]);
    if (detail !== undefined) story.change('deactivate', { subject: ids.reader, detail });
    story.feed([], { after: 70 });
    story.wait();
    story.feed([one]);
    expect(allFound(story).filter((each) => each.startsWith('monotonic'))).toEqual(names);
  });

  it.each([
    { answers: 'with the message', shown: messageOf },
    { answers: 'without a body', shown: () => undefined },
  ])(
    'may lack the copy that a later attempt with the same key stored, where sends are answered $answers',
    ({ shown }) => {
      const story = new Story();
      const key = 'key';
      const content = { digest: 'digest', bytes: 20, marker: 'run-1.' };
      const sendAs = (id: string, sequence: number) => {
        const send = story.send({ key, content });
        return itemOf(Object.assign(send, { shown: shown(send, sequence, { id }) }), sequence, { id });
      };
      const one = sendAs('first', 1);
      story.read([one], { agent: 'author' });
      const between = itemOf(story.send({ content: { digest: 'between', bytes: 20, marker: 'run-2.' } }), 2);
      const again = sendAs('second', 3);
      story.wait().read([one, between, again], { agent: 'author' });
      expect(allFound(story)).toEqual(['duplicate send.retry-stores-once']);
    },
  );

  finds('of another agent, or one that announces more, may lack it', [], (story) => {
    const send = story.send();
    story.read([], { agent: 'author', hasMore: true });
    story.read([]);
    story.read([itemOf(send, 1)]);
  });

  it('holds what its reader had read, and reads again more than the settle time later', () => {
    const story = new Story();
    const one = itemOf(story.send(), 1);
    story.read([one]);
    story.read([]);
    story.read([one]);
    // Within the settle time it may have been what one of two replicas had.
    expect(allFound(story)).toEqual([]);
    story.wait().read([one]);
    const name = 'monotonic-reads channel-read.reads-are-monotonic';
    expect(foundAndShown(story)).toEqual([name, 'stale-read channel-read.recency']);
  });

  it('of somebody else is no more than stale', () => {
    const story = new Story();
    const one = itemOf(story.send(), 1);
    story.read([one]);
    story.read([], { agent: 'peer' });
    story.wait().read([one], { agent: 'peer' });
    expect(allFound(story)).toEqual(['stale-read channel-read.recency']);
  });

  it.each([
    { isShown: true, times: 1 },
    { isShown: false, times: undefined },
  ])('keeps what is expected of one agent only where it shows it: $isShown', ({ isShown, times }) => {
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    const later = itemOf(story.send({ agent: 'peer' }), 3);
    story.read([one, two], { agent: 'author', hasMore: true });
    story.read(isShown ? [one, two, later] : [one, later], { agent: 'author' });
    const mentions = [mentionOf(one, 7), mentionOf(two, 8), mentionOf(later, 9)];
    story.feed(mentions.slice(0, 2), { hasMore: true });
    story.feed(isShown ? mentions : mentions.slice(2));
    const { opportunities } = sessions.judge(worldOf(story.history));
    for (const clause of [
      'channel-read.reads-own-writes',
      'channel-read.reads-are-monotonic',
      'mentions.recency',
    ] as const)
      expect(opportunities.get(clause)).toBe(times);
  });
});
