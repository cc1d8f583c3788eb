import { describe, expect, it } from 'vitest';
import { selection } from '../../../history/judges/selection.ts';
import type { Item } from '../../../history/seen-message.ts';
import { worldOf } from '../../../history/world/world.ts';
import { finds } from '../finds.ts';
import { allFound, authorWith, foundAndShown, ids, itemOf, judged, mentionOf, Story } from '../fixtures.ts';

const reader = `agent:${ids.reader}`;

describe('a feed', () => {
  it('is of one agent for one credential', () => {
    const story = new Story();
    story.feed([]);
    story.feed([]);
    expect(judged(story).opportunities.get('mentions.agent-id-header.is-the-caller')).toBe(1);
    story.feed([], { agentId: ids.peer });
    expect(foundAndShown(story)).toEqual(['feed-crosstalk mentions.agent-id-header.is-the-caller']);
    const key = new Story();
    key.feed([], { agent: 'api-key', agentId: ids.reader });
    key.feed([], { agent: 'api-key', agentId: ids.peer });
    expect(foundAndShown(key)).toEqual([]);
  });

  it('is of its caller only as far as its answers name one', () => {
    const story = new Story();
    for (const agentId of [ids.reader, undefined, undefined]) story.feed([], { agentId });
    expect(judged(story).opportunities.get('mentions.agent-id-header.is-the-caller')).toBeUndefined();
  });

  it('is of one agent for two credentials only where their messages show one author', () => {
    const sharing = (other: string): readonly string[] => {
      const story = new Story();
      const items = [
        itemOf(story.send({ agent: 'reader' }), 1),
        itemOf(story.send({ agent: 'peer' }), 2, authorWith({ id: other })),
      ];
      story.read(items);
      story.feed([]);
      story.feed([], { agent: 'peer', agentId: ids.reader });
      return foundAndShown(story);
    };
    const crosstalk = 'feed-crosstalk mentions.agent-id-header.is-the-caller';
    expect(sharing(ids.reader)).toEqual([]);
    expect(sharing(ids.peer)).toContain(crosstalk);
  });

  finds.each([
    { as: ids.peer, names: [] },
    { as: ids.reader, names: ['inconsistent-offsets mentions.sequence-names-one-mention'] },
  ])('is another one where a credential stands for somebody else: $names', (story, { as }) => {
    const targets = [reader, `agent:${ids.peer}`];
    const [one, other] = [itemOf(story.send({ targets }), 1), itemOf(story.send({ targets }), 2)];
    for (const [item, agentId] of [[one, ids.reader] as const, [other, as] as const])
      story.feed([mentionOf(item, 7)], { agent: 'anonymous', agentId });
  });

  it('lists mentions under the ids of their messages', () => {
    const story = new Story();
    const one = itemOf(story.send({ targets: [reader] }), 1);
    story.feed([mentionOf(one, 7)]);
    expect(foundAndShown(story)).toEqual([]);
    story.feed([{ ...mentionOf(one, 7), id: 'another' }]);
    expect(foundAndShown(story)).toEqual(['mention-id mention.id.is-the-message-id']);
  });

  finds(
    'is nobody’s where a server mixes up who asks: only that is told',
    ['feed-crosstalk mentions.agent-id-header.is-the-caller'],
    (story) => {
      story.feed([], { agent: 'author', agentId: ids.peer });
      const one = itemOf(story.send({ targets: [reader] }), 1);
      story.read([one]);
      story.feed([one]);
      story.feed([one], { agentId: ids.author });
    },
  );

  finds('lists nothing of its reader', ['self-authored mentions.self-authored-excluded'], (story) => {
    story.feed([itemOf(story.send({ targets: [reader], agent: 'reader' }), 1)]);
  });

  finds.each([
    { targets: [], names: ['unmentioned mentions.broadcasts-excluded'] },
    { targets: [`agent:${ids.peer}`], names: ['unmentioned mentions.other-targets-excluded'] },
    { targets: [`agent:${ids.peer}`, `user:${ids.human}`], names: [] },
    { targets: [`machine:${ids.machine}`], names: [] },
    { targets: [`agent:${ids.peer}`, reader], names: [] },
  ])('lists a message to $targets: $names', (story, { targets }) => {
    story.feed([itemOf(story.send({ targets }), 1)]);
  });

  it.each([
    { isPartial: false, targets: [reader, `user:${ids.human}`], times: 1 },
    { isPartial: true, targets: [reader, `agent:${ids.peer}`], times: 1 },
    { isPartial: true, targets: [reader, `user:${ids.human}`], times: undefined },
  ])('puts to the test whom it leaves out by what could not be for its reader otherwise: %o', (each) => {
    const story = new Story({ isPartial: each.isPartial });
    story.feed([itemOf(story.send({ targets: each.targets }), 1)]);
    expect(judged(story).opportunities.get('mentions.other-targets-excluded')).toBe(each.times);
  });

  finds('may list a message with an @ in its text, whomever that names', [], (story) => {
    const content = { digest: 'of @reader', bytes: 20, marker: undefined, hasAt: true } as const;
    story.feed([itemOf(story.send({ content, targets: [] }), 1)]);
    story.feed([itemOf(story.send({ content, targets: [] }), 2)], { agent: 'api-key', agentId: undefined });
  });

  it('lists nothing that names nobody to a workspace key either, whomever it stands for', () => {
    const story = new Story();
    const [broadcast, mention] = [
      story.send({ targets: [] }),
      story.send({ targets: [`agent:${ids.peer}`] }),
    ];
    story.feed([itemOf(mention, 2)], { agent: 'api-key', agentId: undefined });
    expect(foundAndShown(story)).toEqual([]);
    story.feed([itemOf(broadcast, 1), itemOf(mention, 2)], { agent: 'api-key', agentId: undefined });
    expect(foundAndShown(story)).toEqual(['unmentioned mentions.broadcasts-excluded']);
  });

  const other = '00000000-0000-4000-8000-0000000000b2';
  const laptop = '00000000-0000-4000-8000-0000000000d2';
  const unmentioned = 'unmentioned mentions.other-targets-excluded';

  /** The reader's feed lists messages to these targets, one each, of which the reads show who stands behind whom. */
  function feedOf(
    targets: readonly string[],
    behind: Readonly<Record<string, { readonly human?: string; readonly machine?: string }>>,
  ): Story {
    const story = new Story();
    Object.entries(behind).forEach(([agent, { human, machine }], index) => {
      const send = story.send({ agent });
      const { id } = itemOf(send, index + 1).message.author ?? {};
      const by = authorWith({
        id,
        human: human === undefined ? null : { id: human, displayName: null },
        machine: machine === undefined ? null : { id: machine, displayName: 'M' },
      });
      story.read([itemOf(send, index + 1, by)], { after: index });
    });
    const items = targets.map((target, index) => itemOf(story.send({ targets: [target] }), index + 10));
    items.forEach((item, index) => story.feed([item], { after: index + 9 }));
    return story;
  }

  finds(
    'lists nothing of its reader where only another answer names that',
    ['self-authored mentions.self-authored-excluded'],
    (story) => {
      story.feed([]);
      story.feed([itemOf(story.send({ targets: [reader], agent: 'reader' }), 1)], { agentId: undefined });
    },
  );

  it('may list to another human than a message of another time shows', () => {
    const story = feedOf([`user:${ids.human}`], {});
    const content = { digest: 'of another time', bytes: 20, marker: undefined };
    const old = itemOf(story.send({ agent: 'reader' }), 30);
    const by = authorWith({ id: ids.reader, human: { id: other, displayName: null } });
    story.read([{ ...old, message: { ...old.message, content, ...by } }]);
    expect(foundAndShown(story)).toEqual([]);
  });

  finds.each([
    { shown: {}, names: [] },
    { shown: { human: ids.human }, names: [] },
    { shown: { human: other }, names: [unmentioned] },
  ])('lists nothing to another human than $shown', (_, { shown }) =>
    feedOf([`user:${ids.human}`], { reader: shown }),
  );

  it.each([
    { shown: {}, owners: [ids.human, other], names: [unmentioned] },
    { shown: { human: other }, owners: [ids.human, other], names: [unmentioned] },
    { shown: { human: other, machine: laptop }, owners: [ids.human, other], names: [unmentioned] },
    // One human may have two machines.
    { shown: {}, owners: [other, other], names: [] },
    { shown: {}, owners: [ids.human, undefined], names: [] },
    { shown: { machine: laptop }, owners: [undefined, other], names: [] },
  ])(
    'lists no messages to machines of $owners beside each other, with $shown',
    ({ shown, owners, names }) => {
      const [author, peer] = owners;
      const story = feedOf([`machine:${laptop}`, `machine:${ids.machine}`], {
        reader: shown,
        author: { machine: ids.machine, ...(author !== undefined && { human: author }) },
        peer: { machine: laptop, ...(peer !== undefined && { human: peer }) },
      });
      expect(foundAndShown(story)).toEqual(names);
    },
  );

  finds('lists nothing of another workspace', ['foreign-workspace mentions.own-workspace-only'], (story) => {
    const targets = [reader];

    const stray = itemOf(story.send({ channel: ids.other, targets }), 1, { workspace: ids.machine });
    story.read([itemOf(story.send(), 1)]);
    story.feed([stray]);
  });

  it('is found of another workspace where its credential is told with whom it acts as', () => {
    const story = new Story({ isPartial: true });
    const stray = itemOf(story.send({ channel: ids.other, targets: [reader] }), 1, {
      workspace: ids.machine,
    });
    story.read([itemOf(story.send(), 1)], { agent: 'agent one' });
    story.feed([stray], { agent: `agent one as ${ids.reader}`, agentId: ids.reader });
    expect(allFound(story)).toContain('foreign-workspace mentions.own-workspace-only');
  });

  finds(
    'is not blamed where the channels are wrong: it shows the workspace of theirs otherwise',
    [
      'feed-channel-disagree mentions.feed-agrees-with-channel',
      'foreign-workspace message.workspace-id.is-its-workspace',
    ],
    (story) => {
      const sent = story.send({ targets: [reader] });
      const stray = itemOf(story.send({ channel: ids.other, targets: [reader] }), 1);
      story.read([itemOf(sent, 1, { workspace: ids.machine })]);
      story.feed([mentionOf(itemOf(sent, 1), 7), mentionOf(stray, 8)]);
    },
  );

  it('agrees with others on the order', () => {
    const story = new Story();
    const targets = [reader, `agent:${ids.peer}`];
    const atOnce = { targets, startedMs: 0, endedMs: 50 };
    const [one, two] = story.items([1, 2], atOnce);
    story.feed([mentionOf(one, 7), mentionOf(two, 8)]);
    story.feed([mentionOf(one, 17), mentionOf(two, 18)], { agent: 'peer' });
    expect(foundAndShown(story)).toEqual([]);
    expect(judged(story).opportunities.get('mentions.feeds-agree-on-order')).toBe(1);
    const other = new Story();
    const [three, four] = other.items([1, 2], atOnce);
    other.feed([mentionOf(three, 7), mentionOf(four, 8)]);
    other.feed([mentionOf(four, 17), mentionOf(three, 18)], { agent: 'peer' });
    expect(foundAndShown(other)).toEqual(['feed-order-disagreement mentions.feeds-agree-on-order']);
  });
});

describe('feeds that list a message', () => {
  /** Each feed lists these of two messages that were sent at one time, in this order. */
  function feedsOf(orders: readonly (readonly number[])[]): Story {
    const story = new Story();
    const targets = [reader, `agent:${ids.peer}`];
    const items = [1, 2].map((at) => itemOf(story.send({ targets, startedMs: 0, endedMs: 50 }), at));
    orders.forEach((order, feed) => {
      const mentions = order.map((which, index) =>
        items.slice(which, which + 1).map((item) => mentionOf(item, 10 * feed + index + 7)),
      );
      story.feed(mentions.flat(), { agent: `agent ${feed}`, agentId: undefined });
    });
    return story;
  }

  const disagree = ['feed-order-disagreement mentions.feeds-agree-on-order'];
  finds.each([
    { what: 'ten in one order', orders: Array.from({ length: 10 }, () => [0, 1]), names: [] },
    {
      what: 'the last of ten in another',
      orders: [...Array.from({ length: 9 }, () => [0, 1]), [1, 0]],
      names: disagree,
    },
    { what: 'the one between two lists one alone', orders: [[0, 1], [1], [1, 0]], names: disagree },
  ])('agree on the order, however many they are: $what', (_, { orders }) => feedsOf(orders));
});

describe('a message', () => {
  it('is of the workspace of its channel', () => {
    const story = new Story();
    const items = story.items([1, 2, 3]);
    story.read(items);
    expect(foundAndShown(story)).toEqual([]);
    story.read([itemOf(story.send(), 4, { workspace: ids.machine })], { after: 3 });
    expect(allFound(story)).toContain('foreign-workspace message.workspace-id.is-its-workspace');
  });

  it('is of a workspace of its own nowhere', () => {
    const story = new Story();
    story.read([1, 2].map((at) => itemOf(story.send(), at, { workspace: `w-${at}` })));
    expect(allFound(story)).toContain('foreign-workspace message.workspace-id.is-its-workspace');
  });

  it.each([
    { what: 'as one agent reads both', agent: 'reader', times: undefined },
    { what: 'to two agents', agent: 'peer', times: 2 },
  ])('may show its channel for its workspace, which keeps nothing $what', ({ agent, times }) => {
    const story = new Story();
    story.read([itemOf(story.send(), 1, { workspace: ids.channel })]);
    const beside = story.send({ channel: ids.other });
    story.read([itemOf(beside, 1, { workspace: ids.other })], { stream: ids.other, agent });
    expect(judged(story).opportunities.get('message.workspace-id.is-its-workspace')).toBe(times);
  });
});

/** An item, and how often anybody looked at the workspace of its message. */
function watched(item: Item): { readonly item: Item; readonly looks: () => number } {
  let looks = 0;
  const { workspace, ...others } = item.message;
  const message = Object.defineProperty({ ...others, workspace }, 'workspace', {
    get: () => {
      looks += 1;
      return workspace;
    },
  });
  return { item: { ...item, message }, looks: () => looks };
}

// A server that mixes workspaces up may do so in all of a feed of a hundred thousand.
describe('what is looked up for one message of a wrong workspace', () => {
  const workspace = ids.machine;

  function looksInFeed(count: number): number {
    const story = new Story();
    const sequences = Array.from({ length: count }, (_item, index) => index + 1);
    const sent = sequences.map(() => story.send({ channel: ids.other, targets: [reader] }));
    const { item, looks } = watched(itemOf(story.send({ targets: [reader] }), count + 1));
    story.read([itemOf(story.send(), 1)]);
    story.feed([...sent.map((send, index) => itemOf(send, index + 1, { workspace })), item]);
    expect(selection.judge(worldOf(story.history)).breaches.get('mentions.own-workspace-only')).toBe(count);
    return looks();
  }

  function looksInChannel(count: number): number {
    const story = new Story();
    const right = story.items(Array.from({ length: 30 }, (_item, index) => index + 1));
    const { item, looks } = watched(itemOf(story.send(), 31));
    const wrong = Array.from({ length: count }, (_item, index) =>
      itemOf(story.send(), 32 + index, { workspace }),
    );
    story.read([...right, item, ...wrong]);
    const { breaches } = selection.judge(worldOf(story.history));
    expect(breaches.get('message.workspace-id.is-its-workspace')).toBe(count);
    return looks();
  }

  it.each([
    { where: 'its feed', looksIn: looksInFeed },
    { where: 'its channel', looksIn: looksInChannel },
  ])('is not looked up again for each of them in $where', ({ looksIn }) => {
    expect(looksIn(20)).toBe(looksIn(2));
  });
});
