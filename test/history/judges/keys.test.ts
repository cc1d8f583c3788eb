import { describe, expect, it } from 'vitest';
import type { Send } from '../../../history/operation.ts';
import { finds } from '../finds.ts';
import { found, foundAndShown, itemOf, judged, messageOf, Story } from '../fixtures.ts';

describe('a send', () => {
  it('shows as one message', () => {
    const story = new Story();
    const send = story.send();
    story.read([itemOf(send, 1)]);
    expect(judged(story).opportunities.get('send.stored-once')).toBe(1);
    story.read([itemOf(send, 1), itemOf(send, 2, { id: 'again' })]);
    expect(foundAndShown(story)).toContain('duplicate send.stored-once');
  });

  it('shows as one message when it is repeated under its key', () => {
    const story = new Story();
    const send = story.send();
    story.send({ key: send.key, content: send.content });
    story.read([itemOf(send, 1)]);
    expect(foundAndShown(story)).toEqual([]);
    expect(judged(story).opportunities.get('send.retry-stores-once')).toBe(1);
    story.read([itemOf(send, 1), itemOf(send, 2, { id: 'again' })]);
    expect(foundAndShown(story)).toContain('duplicate send.retry-stores-once');
  });

  it.each<[string, Partial<Send>, string[]]>([
    ['soon', {}, ['duplicate send.retry-stores-once']],
    ['when its key may be forgotten', { startedMs: 300, endedMs: 310 }, []],
    ['for other targets, which may make it another', { targets: ['agent:x'] }, []],
    [
      'for other targets, and refused',
      { targets: ['agent:x'], outcome: 'refused', status: 409 },
      ['duplicate send.retry-stores-once'],
    ],
  ])('that is repeated %s', (_, again, names) => {
    const story = new Story();
    const send = story.send({ startedMs: 0, endedMs: 10 });
    story.send({ key: send.key, content: send.content, startedMs: 20, endedMs: 30, ...again });
    story.read([itemOf(send, 1), itemOf(send, 2, { id: 'again' })]);
    expect(foundAndShown(story)).toEqual(names);
  });

  it.each([
    { before: 99, after: 0 },
    { before: 100, after: 0 },
    { before: 99, after: 20 },
    { before: 0, after: 120 },
  ])('that its channel shows twice is two, after $before feeds and before $after', ({ before, after }) => {
    const story = new Story();
    const send = story.send();
    const item = itemOf(send, 1);
    for (let at = 1; at <= before; at += 1) story.feed([item], { agent: `agent-${at}` });
    story.read([item, itemOf(send, 2, { id: 'again' })]);
    for (let at = 1; at <= after; at += 1) story.feed([item], { agent: `other-${at}` });
    expect(judged(story).anomalies.map(({ name }) => name)).toContain('duplicate');
  });

  finds('that took long, and was never repeated, is one message', ['duplicate send.stored-once'], (story) => {
    const send = story.send({ startedMs: 0, endedMs: 400 });
    story.read([itemOf(send, 1), itemOf(send, 2, { id: 'again' })]);
  });

  finds(
    'that is repeated late is one message where keys were seen to be kept for as long',
    ['duplicate send.retry-stores-once'],
    (story) => {
      const kept = story.send({ startedMs: 0, endedMs: 10 });
      story.send({ key: kept.key, startedMs: 400, endedMs: 410, outcome: 'refused', status: 409 });
      const send = story.send({ startedMs: 500, endedMs: 510 });
      story.send({ key: send.key, content: send.content, startedMs: 800, endedMs: 810 });
      story.read([itemOf(send, 1), itemOf(send, 2, { id: 'again' })]);
    },
  );

  finds.each([{ key: 'another' }, { key: undefined }])(
    'under $key is a message of its own',
    (story, { key }) => {
      const send = story.send({ key: key === undefined ? undefined : 'one' });
      story.send({ key, content: send.content });
      story.read([itemOf(send, 1), itemOf(send, 2, { id: 'again' })]);
    },
  );

  it('is no conflict when it is repeated after its answer', () => {
    const name = 'replay-conflict send.equal-replay-is-no-conflict';
    const conflict = { outcome: 'refused', status: 409 } as const;
    const story = new Story();
    const send = story.send({ startedMs: 0, endedMs: 10 });
    story.send({ key: send.key, content: send.content, startedMs: 10, endedMs: 20, ...conflict });
    expect(foundAndShown(story)).toEqual([]);
    story.send({ key: send.key, content: send.content, host: 'another', ...conflict });
    expect(foundAndShown(story)).toEqual([]);
    story.send({ key: send.key, content: send.content, startedMs: 2000, endedMs: 2010, ...conflict });
    expect(foundAndShown(story)).toEqual([name]);
  });

  it.each([
    { isPartial: false, stores: 'content', isFound: true },
    { isPartial: true, stores: 'all', isFound: true },
    { isPartial: true, stores: 'content', isFound: false },
  ] as const)('may be a conflict in traffic where its body holds what nobody keeps: %o', (each) => {
    const story = new Story({ isPartial: each.isPartial });
    const send = story.send({ stores: each.stores });
    const again = { key: send.key, content: send.content, outcome: 'refused', status: 409 } as const;
    story.wait(2_000).send({ ...again, stores: each.stores });
    const names = each.isFound ? ['replay-conflict send.equal-replay-is-no-conflict'] : [];
    expect(foundAndShown(story)).toEqual(names);
  });

  it('may be a conflict until what was only taken is seen', () => {
    const story = new Story();
    const send = story.send({ startedMs: 0, endedMs: 10, status: 202 });
    const again = { key: send.key, content: send.content, outcome: 'refused', status: 409 } as const;
    story.send({ ...again, startedMs: 20, endedMs: 30 });
    story.read([itemOf(send, 1)], { startedMs: 40, endedMs: 50 });
    expect(foundAndShown(story)).toEqual([]);
    story.send({ ...again, startedMs: 60, endedMs: 70 });
    expect(foundAndShown(story)).toEqual(['replay-conflict send.equal-replay-is-no-conflict']);
  });

  finds('may be a conflict while another under its key is under way', [], (story) => {
    const send = story.send({ startedMs: 0, endedMs: 10 });
    const again = { key: send.key, content: send.content, startedMs: 2000, endedMs: 2010 };
    story.send({ ...again, agent: 'peer' });
    story.send({ ...again, outcome: 'refused', status: 409 });
  });
});

describe('a key', () => {
  const accepted = 'conflict-accepted send.conflict-is-refused';
  const both = 'conflict-concurrent-double send.concurrent-conflict-stores-one';

  it('that serves one message does not serve the next', () => {
    const story = new Story();
    const one = story.send();
    story.send({ key: one.key });
    expect(foundAndShown(story)).toEqual([accepted]);
    // Two bodies that are read in different ways may be one message.
    const unclear = new Story();
    unclear.send({ key: unclear.send({ stores: 'nothing' }).key, stores: 'nothing' });
    expect(foundAndShown(unclear)).toEqual([]);
    const refusing = new Story();
    const first = refusing.send();
    refusing.send({ key: first.key, outcome: 'refused', status: 409 });
    expect(foundAndShown(refusing)).toEqual([]);
    expect(judged(refusing).opportunities.get('send.conflict-is-refused')).toBe(1);
  });

  finds.each([
    { id: 'first', shows: 'its content', names: [accepted] },
    { id: 'first', shows: 'what was sent last', names: [] },
    { id: 'first', shows: 'nothing, as a read does', names: [accepted] },
    { id: 'first', shows: 'nothing, as a read does of another id', names: [] },
    { id: 'second', shows: 'its content', names: [] },
  ])(
    'is surely kept, however long, where another send is answered with its message: $id, showing $shows',
    (story, { id, shows }) => {
      const [one, last] = [new Story().send(), { digest: 'another', bytes: 20, marker: 'run-2.' }];
      const contents = { 'its content': one.content, 'what was sent last': last };
      const content = shows === 'its content' || shows === 'what was sent last' ? contents[shows] : undefined;
      const { key } = story.send({ startedMs: 0, endedMs: 10, shown: messageOf(one, 2, { id: 'first' }) });
      story.change('restart', { startedMs: 20, endedMs: 30 });
      const shown = messageOf(one, 2, { id, content });
      story.send({ key, content: last, startedMs: 9_000, endedMs: 9_010, shown });
      if (shows === 'nothing, as a read does') story.read([itemOf(one, 2, { id })]);
      if (shows === 'nothing, as a read does of another id') story.read([itemOf(one, 2)]);
    },
  );

  it.each([
    { at: 'as a message of its own', id: 'second', names: [] },
    { at: 'in place of the first', id: 'first', names: [accepted] },
  ])(
    'may be forgotten where another send is answered with its message, and a read shows that one $at',
    ({ id, names }) => {
      const story = new Story();
      const one = story.send({ startedMs: 0, endedMs: 10 });
      const shown = messageOf(one, 2, { id: 'first' });
      Object.assign(one, { shown });
      // What the channel had before stands in the answer, whatever the key is.
      const other = story.send({ key: one.key, startedMs: 9_000, endedMs: 9_010, shown });
      story.read([itemOf(other, id === 'first' ? 2 : 3, { id })]);
      expect(found(story).filter((each) => each === accepted)).toEqual(names);
    },
  );

  it('may be forgotten after some time, also where another was kept for as long: records may end all at once', () => {
    const late = { startedMs: 300, endedMs: 310 };
    const story = new Story();
    const one = story.send({ startedMs: 0, endedMs: 10 });
    story.send({ key: one.key, ...late });
    expect(foundAndShown(story)).toEqual([]);
    const other = story.send({ startedMs: 320, endedMs: 330 });
    story.send({ key: other.key, startedMs: 641, endedMs: 650, outcome: 'refused', status: 409 });
    expect(foundAndShown(story)).toEqual([]);
  });

  finds.each([
    { what: 'others took its room', between: {}, holder: {} },
    {
      what: 'the conflict was with the record of another agent',
      between: undefined,
      holder: { agent: 'peer' },
    },
  ])('may be forgotten sooner than another seems to be kept: $what', (story, { between, holder }) => {
    const kept = story.send({ startedMs: 0, endedMs: 10 });
    story.send({ key: kept.key, content: kept.content, startedMs: 380, endedMs: 390, ...holder });
    story.send({ key: kept.key, startedMs: 1000, endedMs: 1010, outcome: 'refused', status: 409 });
    const one = story.send({ startedMs: 1100, endedMs: 1110 });
    if (between !== undefined) story.send({ agent: 'peer', startedMs: 1200, endedMs: 1210 });
    story.send({ key: one.key, startedMs: 1400, endedMs: 1410 });
    const again = story.send({ startedMs: 1500, endedMs: 1510 });
    if (between !== undefined) story.send({ agent: 'peer', startedMs: 1600, endedMs: 1610 });
    story.send({ key: again.key, content: again.content, startedMs: 1800, endedMs: 1810 });
    story.read([itemOf(again, 1), itemOf(again, 2, { id: 'again' })]);
  });

  finds('that is empty is none', [], (story) => {
    story.send({ key: '' });
    story.send({ key: '' });
  });

  it('is asked for after every send that it served, and before what nobody knows', () => {
    const story = new Story();
    const one = story.send();
    story.send({ key: one.key, content: one.content });
    story.send({ key: one.key });
    expect(foundAndShown(story)).toEqual([accepted]);
    story.send({ key: one.key, outcome: 'indeterminate' });
    expect(foundAndShown(story)).toEqual([accepted]);
    const unclear = new Story();
    const first = unclear.send();
    unclear.send({ key: first.key, outcome: 'indeterminate', startedMs: 25, endedMs: 45 });
    unclear.send({ key: first.key, startedMs: 46, endedMs: 50 });
    expect(foundAndShown(unclear)).toEqual([]);
  });

  it.each([
    { status: 409, times: 1 },
    { status: 401, times: undefined },
    { status: 429, times: undefined },
  ])('that is refused for another message with $status counts as held: $times', ({ status, times }) => {
    const story = new Story();
    story.send({ key: story.send().key, outcome: 'refused', status });
    expect(judged(story).opportunities.get('send.conflict-is-refused')).toBe(times);
  });

  it.each([
    { what: 'the repetition of one is refused beside the other', again: { outcome: 'refused', status: 409 } },
    { what: 'the other was under way for long', other: { startedMs: 5, endedMs: 400 } },
    { what: 'a restart may lie between', restarts: true },
  ] as const)('may serve two after each other: $what', ({ again, other, restarts }) => {
    const story = new Story();
    const one = story.send({ startedMs: 0, endedMs: 10 });
    if (again) story.send({ key: one.key, content: one.content, startedMs: 1000, endedMs: 1010, ...again });
    const times = other ?? (again ? { startedMs: 1005, endedMs: 1015 } : { startedMs: 5, endedMs: 20 });
    const second = story.send({ key: one.key, ...times });
    if (restarts) story.change('restart', { startedMs: 6, endedMs: 12 });
    story.read([itemOf(one, 1), itemOf(second, 2)]);
    expect(foundAndShown(story)).toEqual([]);
  });

  finds.each([
    { what: 'the repetition of its message, which may have been stored anew', restarts: false },
    { what: 'a restart', restarts: true },
  ])('is not known to be kept for as long as it was in use before $what', (story, { restarts }) => {
    const known = story.send({ startedMs: 0, endedMs: 10 });
    if (restarts) story.change('restart', { startedMs: 400, endedMs: 410 });
    else story.send({ key: known.key, content: known.content, startedMs: 400, endedMs: 410 });
    story.send({ key: known.key, startedMs: 420, endedMs: 430, outcome: 'refused', status: 409 });
    const one = story.send({ startedMs: 500, endedMs: 510 });
    story.send({ key: one.key, startedMs: 800, endedMs: 810 });
  });

  it('is surely kept for as long as any retry takes at a server that is far away', () => {
    const far = { startedMs: 205, endedMs: 405 };
    const story = new Story();
    const one = story.send({ startedMs: 0, endedMs: 200 });
    story.send({ key: one.key, ...far });
    expect(foundAndShown(story)).toEqual([accepted]);
    // One answer came sooner: it is no far server, and took long for these.
    story.send({ startedMs: 410, endedMs: 411 });
    expect(foundAndShown(story)).toEqual([]);
  });

  it('may be forgotten at a restart', () => {
    const story = new Story();
    const one = story.send({ startedMs: 0, endedMs: 10 });
    story.change('restart', { startedMs: 20, endedMs: 30 });
    story.send({ key: one.key, startedMs: 40, endedMs: 50 });
    expect(foundAndShown(story)).toEqual([]);
    const again = new Story();
    const send = again.send({ startedMs: 0, endedMs: 10 });
    again.change('restart', { startedMs: 20, endedMs: 30 });
    again.send({ key: send.key, content: send.content, startedMs: 40, endedMs: 50 });
    again.read([itemOf(send, 1), itemOf(send, 2, { id: 'again' })]);
    expect(foundAndShown(again)).toEqual([]);
  });

  it('that stands for another message after some time is a conflict for the first, and serves both', () => {
    const story = new Story();
    const one = story.send({ startedMs: 0, endedMs: 10 });
    const other = story.send({ key: one.key, startedMs: 400, endedMs: 410 });
    const again = { startedMs: 420, endedMs: 430, outcome: 'refused', status: 409 } as const;
    story.send({ key: one.key, content: one.content, ...again });
    story.read([itemOf(one, 1), itemOf(other, 2)]);
    expect(foundAndShown(story)).toEqual([]);
    expect(judged(story).opportunities.get('send.concurrent-conflict-stores-one')).toBe(undefined);
  });

  finds('of a send that is only taken may not be kept yet', [], (story) => {
    const one = story.send({ status: 202 });
    story.send({ key: one.key });
  });

  it('may have been forgotten, or never been kept', () => {
    const between = new Story();
    const one = between.send();
    between.send();
    between.send({ key: one.key });
    expect(foundAndShown(between)).toEqual([]);
    const lost = new Story();
    const open = lost.send({ outcome: 'indeterminate' });
    lost.send({ key: open.key });
    expect(foundAndShown(lost)).toEqual([]);
    const elsewhere = new Story();
    const first = elsewhere.send();
    elsewhere.send({ key: first.key, agent: 'peer' });
    expect(foundAndShown(elsewhere)).toEqual([]);
  });

  finds.each([
    { startedMs: 10, names: [both] },
    { startedMs: 11, names: [accepted] },
  ])('of a send up to 10 that another uses from $startedMs on: $names', (story, { startedMs }) => {
    const one = story.send({ startedMs: 0, endedMs: 10 });
    const other = story.send({ key: one.key, startedMs, endedMs: 20 });
    story.read([itemOf(one, 1), itemOf(other, 2)]);
  });

  it('that served two at once is told with those alone, not with what it served later', () => {
    const story = new Story();
    const one = story.send({ startedMs: 0, endedMs: 10 });
    const other = story.send({ key: one.key, startedMs: 5, endedMs: 15 });
    const later = story.send({ key: one.key, startedMs: 2000, endedMs: 2010 });
    story.read([itemOf(one, 1), itemOf(other, 2), itemOf(later, 3)]);
    const { anomalies } = judged(story);
    const double = anomalies.find(({ name }) => name === 'conflict-concurrent-double');
    expect(double?.actual).toBe('2 of them');
  });
});
