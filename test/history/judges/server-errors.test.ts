import { describe, expect, it } from 'vitest';
import { finds } from '../finds.ts';
import { allFound, judged, Story } from '../fixtures.ts';

const error = { outcome: 'indeterminate', status: 500 } as const;
const listed = ['server-error mentions.error-statuses'];
const elsewhere = ['server-error service.served-requests-stay-served'];

type Ask = (story: Story, fields?: object) => unknown;
const asks: readonly (readonly [string, Ask, readonly string[]])[] = [
  ['a listing of mentions', (story, fields) => story.feed([], fields), listed],
  ['a read of a channel', (story, fields) => story.read([], fields), elsewhere],
  ['a send', (story, fields) => story.send(fields), elsewhere],
];

/** What a story of errors and answers shows. */
function told(ask: Ask, ...fields: readonly (object | undefined)[]): Story {
  const story = new Story();
  for (const each of fields) ask(story, each);
  return story;
}

describe.each(asks)('a server error of %s', (_, ask, found) => {
  finds('that comes again after such a request was served is found, with what shows it', found, () =>
    told(ask, error, undefined, error),
  );

  it('is told with its status, count and times', () => {
    const [anomaly] = judged(told(ask, undefined, error, undefined, error, error)).anomalies;
    expect(anomaly?.actual).toMatch(
      /^status 500 to 3 of 5 requests \([a-z-]+\), the first 0\.0 s and the last 0\.1 s after the first request$/,
    );
    expect(anomaly?.witness).toHaveLength(3);
  });

  it.each([
    ['comes once', [undefined, error, undefined]],
    ['comes only in one bad moment', [undefined, error, error, error, undefined]],
    ['comes every time: others look into that', [error, error, error]],
    [
      'says that a call is not implemented',
      [{ ...error, status: 501 }, undefined, { ...error, status: 501 }],
    ],
    ['is no answer of the service', [noStatus(), undefined, noStatus()]],
  ])('is not found where it %s', (_case, fields) => {
    expect(allFound(told(ask, ...fields))).toEqual([]);
  });

  it('is found where it says when to come again for the mentions alone, which have another status for that', () => {
    const busy = { ...error, status: 503, retryAfter: 1 };
    expect(allFound(told(ask, busy, undefined, busy))).toEqual(found === listed ? elsewhere : []);
  });

  it('is not found where a request of that kind may be refused', () => {
    const open = { isBaseline: false, stores: 'content' };
    expect(allFound(told(ask, { ...error, ...open }, undefined, { ...error, ...open }))).toEqual([]);
  });

  it('is no fault around a restart, or under a limit that was lowered', () => {
    const around = new Story();
    for (const change of ['restart', 'restart']) {
      around.change(change);
      ask(around, error);
      around.wait(2_000);
      ask(around);
    }
    expect(allFound(around)).toEqual([]);
    const limited = new Story();
    limited.change('limit', { detail: 'limited' });
    for (const fields of [error, undefined, error, undefined]) ask(limited, fields);
    limited.change('limit', { detail: 'lifted' });
    expect(allFound(limited)).toEqual([]);
  });

  it('that says unavailable is no refusal of the list, and breaks what is inferred', () => {
    const busy = { ...error, status: 503 };
    expect(allFound(told(ask, busy, undefined, busy))).toEqual(elsewhere);
  });
});

describe('server errors', () => {
  const clauses = ['mentions.error-statuses', 'service.served-requests-stay-served'] as const;
  const countsOf = (story: Story): readonly (number | undefined)[] =>
    clauses.map((clause) => judged(story).opportunities.get(clause));

  it.each([true, false])(
    'that nothing shows to come again leave open whether the clause is kept: recorded on their way, %s',
    (isPartial) => {
      const story = new Story({ isPartial });
      for (let at = 1; at <= 5; at += 1) story.feed([]);
      for (let at = 1; at <= 30; at += 1) {
        story.wait(3_000).read([]);
        story.feed([], error);
      }
      expect(allFound(story)).toEqual([]);
      expect(countsOf(story)).toEqual([undefined, 30]);
    },
  );

  it('that come again sooner than an unknown restart would be over leave it open', () => {
    const story = new Story({ isPartial: true });
    for (let at = 0; at < 4_000; at += 1) {
      const times = { startedMs: 2 * at, endedMs: 2 * at + 1 };
      story.feed([], { ...times, ...(at % 10 === 9 && error) });
    }
    expect(allFound(story)).toEqual([]);
    expect(countsOf(story)).toEqual([undefined, undefined]);
  });

  it.each([
    ['two restarts of its operator may explain that', 3_600_000, [], undefined],
    ['is found', 30_000, listed, 22],
  ])('that come twice in what was recorded of a server: %s after %i ms', (_case, apartMs, found, count) => {
    const story = new Story({ isPartial: true });
    story.feed([], error);
    for (let at = 0; at <= 20; at += 1) {
      story.wait(apartMs / 21).read([]);
      story.feed([]);
    }
    story.feed([], error);
    expect(allFound(story)).toEqual(found);
    expect(countsOf(story)).toEqual([count, 21]);
  });

  it('that come twice within a minute are found beside one of an hour before', () => {
    const story = new Story({ isPartial: true });
    for (const pauseMs of [0, 3_600_000, 30_000]) {
      story.wait(pauseMs).feed([], error);
      story.feed([]);
    }
    expect(allFound(story)).toEqual(listed);
  });

  it.each([
    ['excused by a restart', (story: Story) => [story.change('restart'), story.feed([], error)]],
    [
      'of requests that are none of those served',
      (story: Story) => story.send({ ...error, targets: ['agent:x'] }),
    ],
    [
      'of another form of a read that was never served',
      (story: Story) => story.read([], { ...error, limit: 7 }),
    ],
  ])('%s leave what was served counted', (_case, ask) => {
    const story = new Story();
    story.feed([]);
    story.read([]);
    ask(story);
    expect(countsOf(story)).toEqual([1, 1]);
  });

  finds(
    'of another agent, or of another form of a read, are none of requests that are served',
    [],
    (story) => {
      story.read([], { ...error, agent: 'peer' });
      story.read([]);
      story.read([], { ...error, agent: 'peer' });
      story.read([], { ...error, limit: 7 });
      story.read([]);
      story.read([], { ...error, limit: 7 });
    },
  );

  it.each([
    ['served too', true, elsewhere],
    ['never served', false, []],
  ])('come again in another form of a read that is %s', (_case, isServed, found) => {
    const story = new Story();
    story.read([], error);
    story.read([]);
    story.read([], { ...error, limit: 7 });
    if (isServed) story.read([], { limit: 7 });
    expect(allFound(story)).toEqual(found);
  });

  it('to mentions of different agents break one list of errors', () => {
    const story = new Story();
    story.feed([], { ...error, agent: 'peer' });
    story.feed([]);
    story.feed([], error);
    expect(allFound(story)).toEqual(listed);
  });

  it('of a send that carries what no other was accepted with say nothing', () => {
    const story = new Story();
    const more = { ...error, targets: ['agent:x'] } as const;
    story.send(more);
    story.send();
    story.send(more);
    expect(allFound(story)).toEqual([]);
    story.send({ targets: more.targets });
    story.send(more);
    expect(allFound(story)).toEqual(elsewhere);
  });

  it('are held against a send that was served without another look, however many there are', () => {
    const looksFor = (count: number): number => {
      let looks = 0;
      const story = new Story();
      const served = { enumerable: true, get: () => (looks += 1) && ['agent:x'] };
      Object.defineProperty(story.send(), 'targets', served);
      for (let at = 0; at < count; at += 1) story.send({ ...error, targets: [`agent:${at}`] });
      expect(allFound(story)).toEqual([]);
      return looks;
    };
    expect(looksFor(40)).toBe(looksFor(4));
  });
});

function noStatus(): object {
  return { outcome: 'indeterminate', status: undefined };
}
