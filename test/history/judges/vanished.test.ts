import { describe, expect, it } from 'vitest';
import type { Item } from '../../../history/seen-message.ts';
import { finds } from '../finds.ts';
import { foundAndShown, ids, itemOf, judged, mentionOf, settleMs, Story } from '../fixtures.ts';

const name = 'vanished channel-read.reads-repeat';

describe('a message that was read', () => {
  /** Two messages, and a read that shows only the first, `laterMs` after both were read from 100 to 110. */
  function gone(laterMs: number, second: Parameters<Story['send']>[0] = {}, facts = {}): Story {
    const story = new Story(facts);
    const items = [itemOf(story.send(), 1), itemOf(story.send(second), 2), itemOf(story.send(), 3)];
    story.read(items, { startedMs: 100, endedMs: 110 });
    story.read(
      items.filter((_, index) => index !== 1),
      { startedMs: 100 + laterMs, endedMs: 110 + laterMs },
    );
    return story;
  }

  finds.each([
    { laterMs: settleMs, names: [] },
    { laterMs: settleMs + 1, names: [name] },
  ])('and is gone $laterMs ms later shows $names', (_, { laterMs }) => gone(laterMs));

  finds.each([
    { subject: ids.author, names: [] },
    { subject: ids.peer, names: [name] },
  ])('may go with the access of its author, if that was $subject: $names', (story, { subject }) => {
    const items = story.items([1, 2, 3]);
    story.read(items);
    story.change('deactivate', { subject, detail: 'access inactive' });
    story.wait();
    story.read(items.filter((_, index) => index !== 1));
  });

  finds('may be left out where a channel is read without a cursor', [], (story) => {
    const items = story.items([1, 2, 3]);
    story.read(items);
    story.wait();
    story.read(
      items.filter((_, index) => index !== 1),
      { after: undefined },
    );
  });

  it('may go with all that is older of its author and size, or that is as long', () => {
    expect(foundAndShown(gone(500, { agent: 'peer' }))).toEqual([]);
    const ofBytes = (bytes: number) => ({ content: { digest: 'other', bytes, marker: 'run-2.' } });
    expect(foundAndShown(gone(500, ofBytes(20)))).toEqual([name]);
    expect(foundAndShown(gone(500, ofBytes(21)))).toEqual([]);
    const content = { digest: 'big', bytes: 1001, marker: 'run-2.' };
    expect(foundAndShown(gone(500, { content }))).toEqual([]);
    expect(foundAndShown(gone(500, { files: [ids.file] }))).toEqual([]);
    const story = new Story();
    const [one, two] = story.items([1, 2]);
    story.read([one, two]);
    story.wait();
    story.read([two]);
    expect(foundAndShown(story)).toEqual([]);
  });

  it('may go before one that names others: each target may keep mentions of its own', () => {
    const goneWith = (...targets: readonly string[]) => {
      const story = new Story();
      const items = targets.map((target, index) => itemOf(story.send({ targets: [target] }), index + 1));
      story.read(items);
      story.wait();
      story.read(items.slice(0, 1), { nextAfter: 2 });
      return foundAndShown(story);
    };
    expect(goneWith(`agent:${ids.reader}`, `agent:${ids.peer}`)).toEqual([]);
    expect(goneWith(`agent:${ids.reader}`, `agent:${ids.reader}`)).toEqual([name]);
  });

  it.each([
    { facts: {}, isTold: false, names: [name] },
    { facts: { isPartial: true }, isTold: false, names: [] },
    { facts: { isPartial: true }, isTold: true, names: [] },
  ])('is gone though others may have sent it, of $facts, its id told: $isTold', (each) => {
    const { facts, isTold, names } = each;
    const story = new Story(facts);
    const items = [1, 2].map((sequence) => {
      const content = { digest: `text ${sequence}`, bytes: 20, marker: undefined };
      const sent = story.send();
      const item = itemOf(sent, sequence, { content, id: `id ${sequence}` });
      if (isTold) Object.assign(sent, { content, shown: item.message });
      return item;
    });
    story.read(items);
    story.wait();
    story.read(items.slice(0, 1), { nextAfter: 2 });
    expect(foundAndShown(story)).toEqual(names);
  });

  finds('and is gone for its reader is gone, though one reads last who never saw it', [name], (story) => {
    const items = story.items([1, 2, 3]);
    const left = items.filter((_, index) => index !== 1);
    story.read(items);
    story.wait();
    story.read(left);
    story.read(left, { agent: 'peer' });
  });

  it('counts as kept where it could be found gone, and not in traffic of others', () => {
    for (const isPartial of [false, true]) {
      const story = new Story({ isPartial });
      const items = story.items([1, 2]);
      story.read(items);
      story.wait().read(items);
      expect(judged(story).opportunities.has('states.messages-do-not-vanish')).toBe(!isPartial);
    }
  });

  finds('and lies beyond the end of a page is not gone', [], (story) => {
    const [one, two] = story.items([1, 2]);
    story.read([one, two]);
    story.wait();
    story.read([one], { hasMore: true });
  });

  it('and is gone from a walk of small pages is gone', () => {
    const story = new Story();
    const items: readonly Item[] = story.items([1, 2, 3]);
    story.read(items);
    story.wait();
    story.read(items.slice(0, 1), { hasMore: true, limit: 1 });
    story.read(items.slice(2), { after: 1, limit: 1 });
    // Retention may have gone on during the walk, as far as anybody knows.
    expect(foundAndShown(story)).toEqual([]);
    story.wait();
    story.read(items.slice(0, 1), { hasMore: true, limit: 1 });
    expect(foundAndShown(story)).toEqual([name]);
    const apart = new Story();
    const others = [1, 2, 3].map((sequence) => itemOf(apart.send(), sequence));
    apart.read(others);
    apart.wait();
    apart.read(others.slice(0, 1), { hasMore: true, limit: 1 });
    apart.read(others.slice(2), { after: 1, limit: 1, agent: 'peer' });
    expect(foundAndShown(apart)).toEqual([]);
  });

  finds(
    'and is gone from a later page of a walk is gone, though an older one stands on the first',
    [name],
    (story) => {
      const items: readonly Item[] = story.items([1, 2, 3, 4, 5]);
      story.read(items);
      story.wait();
      story.read(items.slice(0, 2), { hasMore: true, limit: 2 });
      story.read([...items.slice(2, 3), ...items.slice(4)], { after: 2, limit: 2 });
    },
  );

  finds('and is gone from one page is gone, though a longer walk came last', [name], (story) => {
    const items: readonly Item[] = story.items([1, 2, 3, 4]);
    story.read(items);
    story.wait();
    story.read([...items.slice(1, 2), ...items.slice(3)], { after: 1 });
    story.wait();
    story.read(items.slice(0, 2), { hasMore: true, limit: 2 });
    story.read(items.slice(3), { after: 2, limit: 2 });
  });

  it.each([
    { isDurable: false, clause: 'channel-read.survives-a-restart' },
    { isDurable: true, clause: 'service.sent-is-readable' },
  ])('survives a restart; declared durable: $isDurable', ({ isDurable, clause }) => {
    const story = gone(500, {}, { isDurable });
    story.change('restart', { startedMs: 300, endedMs: 310 });
    expect(foundAndShown(story)).toEqual([`lost-across-restart ${clause}`]);
  });

  finds('stays in a feed as well', ['vanished mentions.acknowledges-nothing'], (story) => {
    const targets = [`agent:${ids.reader}`];
    const items = [1, 2].map((sequence) => mentionOf(itemOf(story.send({ targets }), sequence), sequence));
    story.feed(items);
    story.wait();
    story.feed(items.slice(0, 1), { nextAfter: 2 });
  });

  finds.each([
    { target: `agent:${ids.reader}`, names: ['vanished mentions.acknowledges-nothing'] },
    { target: `user:${ids.human}`, names: [] },
  ])('may go from a feed that shows no targets, if it was sent to another: $target', (story, { target }) => {
    const items = [`agent:${ids.reader}`, target].map((each, index) => {
      const send = story.send({ targets: [each] });
      return mentionOf(itemOf(send, index + 1, { targets: [], leftOut: 'targets' }), index + 1);
    });
    story.feed(items);
    story.wait();
    story.feed(items.slice(0, 1), { nextAfter: 2 });
  });

  it('and was read again before it went was not taken by reading', () => {
    const again = new Story();
    const items = [1, 2].map((sequence) => itemOf(again.send(), sequence));
    again.read(items);
    again.read(items);
    // What others are shown once more is theirs: who was shown it once alone has lost it by reading.
    again.read(items, { agent: 'peer' });
    again.wait();
    again.read(items.slice(0, 1), { nextAfter: 2 });
    expect(foundAndShown(again)).toEqual(['vanished states.messages-do-not-vanish']);
    const feed = new Story();
    const targets = [`agent:${ids.reader}`];
    const listed = [1, 2].map((sequence) => mentionOf(itemOf(feed.send({ targets }), sequence), sequence));
    feed.feed(listed);
    feed.feed(listed);
    feed.wait();
    feed.feed(listed.slice(0, 1), { nextAfter: 2 });
    expect(foundAndShown(feed)).toEqual(['vanished states.mentions-do-not-vanish']);
  });
});
