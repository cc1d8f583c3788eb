import { describe, expect, it } from 'vitest';
import type { KnownFailure } from '../../../fuzz/campaign/finding.ts';
import { FindingBook } from '../../../fuzz/campaign/finding-book.ts';
import type { EvidenceExchange } from '../../../harness/results/generated/events.ts';
import type { Drawn } from '../../../fuzz/cases/injection-point.ts';
import { rootOf, type CaseFailure } from '../../../fuzz/judge/failure.ts';
import type { CaseRequest } from '../../../fuzz/cases/case-request.ts';
import type { CaseRunner, WholeOutcome } from '../../../fuzz/setup/case-runner.ts';

const request = { call: 'send', method: 'POST', path: '/', headers: {} } as const;
const drawn: Drawn = { family: 'send', label: 'one case', request, shrinks: () => [] };
const at = { index: 1, phase: 'random', startedMs: 0 } as const;
const ofOne = [{ ...at, drawn: () => drawn }];

const readBack: CaseFailure = {
  clause: 'service.sent-is-readable',
  part: 'lost-write',
  call: 'send',
  seenIn: 'readBack',
  expected: 'it is there',
  actual: 'it is not',
};
const refused: CaseFailure = {
  clause: 'send.other-text-accepted',
  part: 'taken: refused',
  call: 'send',
  seenIn: 'answer',
  expected: 'status 2xx',
  actual: 'status 400',
  isOutcome: true,
};

type Runs = (requests: readonly CaseRequest[]) => Promise<readonly (WholeOutcome | undefined)[]>;

/** A book of which tries come to what `runs` says: default no end. */
function book(
  isOver: boolean,
  runs: Runs = () => new Promise<never>(() => {}),
  corpus: readonly KnownFailure[] = [],
): FindingBook {
  const runForAnswer = async (each: CaseRequest): Promise<WholeOutcome | undefined> =>
    (await runs([each]))[0];
  const run = async (): Promise<unknown> => ({ exchange: { request, response: { status: 201 } } });
  return new FindingBook({
    runner: { runAllToEnd: runs, runForAnswer, run } as unknown as CaseRunner,
    access: { isLost: async () => false },
    corpus,
    isOver: () => isOver,
    fillFeed: async () => {},
    evidenceOf: () =>
      ({ exchanges: [] }) as unknown as ReturnType<
        ConstructorParameters<typeof FindingBook>[0]['evidenceOf']
      >,
    provedOf: () => [],
    sendAgain: async () => ({ kind: 'unsent' }) as never,
    elapsedMs: () => 0,
    onFailure: () => {},
    onFinding: () => {},
    onBug: (error) => {
      throw error;
    },
  });
}

/** What a request came to, answered with a status. */
function answered(
  status: number,
  failures: readonly CaseFailure[] = [],
  expected: 'accept' | 'reject' = 'accept',
): WholeOutcome {
  const exchange = { request, response: { status } };
  const outcome = { exchange, expected, verdict: { answerKind: `${status}` } };
  return { outcome, failures, isDecided: true, shownBy: new Map() } as unknown as WholeOutcome;
}

/** What comes of requests on a server that loses what is sent on one path. */
function losing(path: string): Runs {
  return async (requests) => requests.map((each) => answered(201, each.path === path ? [readBack] : []));
}

describe('what several cases came up with', () => {
  const casesOf = (...paths: readonly string[]) =>
    paths.map((path) => ({
      ...at,
      drawn: (): Drawn => ({ ...drawn, label: path, request: { ...request, path } }),
    }));

  it.each([
    { what: 'one answer, or page', sightings: [casesOf('/a', '/b', '/c')] },
    { what: 'another that came later', sightings: [casesOf('/a'), casesOf('/b'), casesOf('/c')] },
  ])('is a finding of the one that shows it again, of $what', async ({ sightings }) => {
    const several = book(false, losing('/c'));
    for (const cases of sightings) several.found([readBack], cases);
    await several.settled();
    expect(several.close().findings.map(({ label, repeats }) => [label, repeats])).toEqual([
      ['/c', { times: 3, of: 3 }],
    ]);
  });

  it('is one of the first, and comes and goes, where none shows it again', async () => {
    const several = book(false, losing('/d'));
    several.found([readBack], casesOf('/a', '/b'));
    await several.settled();
    expect(several.close().findings.map(({ label, repeats }) => [label, repeats])).toEqual([
      ['/a', { times: 0, of: 3 }],
    ]);
  });
});

describe('what does not show again', () => {
  const evidence: EvidenceExchange = {
    id: 7,
    actor: 'author',
    request: { method: 'POST', path: '/v0/channels/1/messages', headers: {} },
    response: { status: 201, headers: {} },
    durationMs: 3,
  };

  it.each([
    { what: 'no try', isOver: false, why: 'no try of it alone showed this again' },
    { what: 'no time for a try', isOver: true, why: 'it was not tried again' },
  ])('is shown as it came, with $what', async ({ isOver, why }) => {
    const once = book(isOver, losing('/other'));
    once.found([readBack], ofOne, () => [evidence]);
    await once.settled();
    const [finding] = once.close().findings;
    expect(finding?.exchanges).toEqual([{ ...evidence, whyNoCurl: why }]);
  });
});

describe('a server error', () => {
  const error: CaseFailure = {
    clause: 'overview.requires-a-machine-token',
    part: 'role: neither accepted nor refused',
    call: 'overview',
    seenIn: 'answer',
    expected: 'refused (any 4xx)',
    actual: 'answered 500',
    isOutcome: true,
    isServerError: true,
  };
  /** Draws errors in the tries that `isError` gives, counted from 1. */
  const drawing = (isError: (tries: number) => boolean): Runs => {
    let tries = 0;
    return async () => {
      tries += 1;
      return [isError(tries) ? answered(500, [error], 'reject') : answered(403, [], 'reject')];
    };
  };

  it.each([
    { what: 'every time', isError: () => true, found: [{ times: 3, of: 3 }] },
    { what: 'never again', isError: () => false, found: [] },
    { what: 'now and then', isError: (tries: number) => tries % 3 === 0, found: [] },
    { what: 'a few times in a row', isError: (tries: number) => tries <= 4, found: [] },
  ])('that comes $what is a finding only if it always comes', async ({ isError, found }) => {
    const errors = book(false, drawing(isError));
    errors.found([error], ofOne);
    await errors.settled();
    expect(errors.close().findings.map(({ repeats }) => repeats)).toEqual(found);
  });

  it('that never comes again hides nothing of what was wrong with its answer', async () => {
    const form: CaseFailure = {
      clause: 'service.bodies-are-json',
      part: 'every call',
      call: 'overview',
      seenIn: 'answer',
      expected: 'a JSON body',
      actual: 'no body',
    };
    const errors = book(
      false,
      drawing(() => false),
    );
    errors.found([error, form], [{ ...at, drawn: () => drawn }]);
    await errors.settled();
    expect(errors.close().findings.map(({ failure, repeats }) => [failure.clause, repeats])).toEqual([
      [form.clause, { times: 0, of: 3 }],
    ]);
  });

  it('hides no refusal of the same root, however often it came and went', async () => {
    const { isServerError: _isServerError, ...wrong } = { ...error, actual: 'answered 200' };
    let shows: CaseFailure | undefined;
    const both = book(false, async () => [
      shows === undefined ? answered(403, [], 'reject') : answered(200, [shows], 'reject'),
    ]);
    for (let times = 0; times < 10; times += 1) {
      both.found([error], ofOne);
      await both.settled();
    }
    shows = wrong;
    both.found([wrong], ofOne);
    await both.settled();
    expect(both.close().findings.map(({ failure }) => failure.actual)).toEqual(['answered 200']);
  });

  it('that comes and goes does not keep what the corpus knew', async () => {
    const known: CaseFailure = { ...refused, call: 'overview' };
    const gone = book(
      false,
      drawing((tries) => tries === 2),
      [{ name: 'known', request, failure: known, isSure: true }],
    );
    await gone.retry(
      () => true,
      () => {},
    );
    const { findings, fixed } = gone.close();
    expect(findings).toEqual([]);
    expect(fixed).toEqual([rootOf(known)]);
  });
});

it.each([
  { what: 'the time is over before the first try', isOver: true },
  { what: 'a try comes to no end', isOver: false },
])(
  'what came up too late to be tried again is a finding, or said to be left where a try would have had to tell, when $what',
  async ({ isOver }) => {
    const late = book(isOver);
    late.found([readBack], ofOne);
    late.found([refused], ofOne);
    if (isOver) await late.settled();
    const { findings, untried, roots } = late.close();
    expect(findings.map(({ failure, repeats }) => [failure.clause, repeats])).toEqual([
      ['service.sent-is-readable', { times: 0, of: 0 }],
    ]);
    expect(roots.map(({ state }) => state)).toEqual(['fails']);
    expect(untried).toBe(1);
  },
);

describe('roots', () => {
  const partOf = (index: number): CaseFailure => ({ ...readBack, part: `part ${index}` });
  const full = Array.from({ length: 200 }, (_, index) => index);

  it('are told as long as they are few, whatever the corpus has beside them', async () => {
    const corpus = full.map((index) => ({
      name: `${index}`,
      request,
      failure: partOf(-1 - index),
      isSure: true,
    }));
    let shown = corpus.map(({ failure }) => failure);
    const several = book(false, async (requests) => requests.map(() => answered(201, shown)), corpus);
    await several.retry(
      () => true,
      () => {},
    );
    for (const index of full) several.found([partOf(index)], ofOne);
    shown = full.map(partOf);
    await several.settled();
    expect(several.isFull).toBe(false);
    several.found([partOf(200)], ofOne);
    expect(several.isFull).toBe(true);
    expect(several.close().findings).toHaveLength(400);
  });
});

describe('an entry of the corpus', () => {
  const entry: KnownFailure = { name: 'known', request, failure: refused, isSure: true };
  const isOwn = (): boolean => true;

  it.each([
    { what: 'that cannot be tried', known: entry, now: undefined, left: ['known'] },
    {
      what: 'that this target cannot try',
      known: { ...entry, whyUntried: 'no hook' },
      now: 201,
      left: ['known'],
    },
    { what: 'of another shard', known: entry, now: 201, isOwn: () => false, left: [] },
    { what: 'that came and went', known: { ...entry, isSure: false }, now: 201, left: [] },
    {
      what: 'that is answered as it was when that was wrong',
      known: { ...entry, failure: { ...refused, actual: 'answered 400' } },
      now: 400,
      left: ['known'],
    },
    {
      what: 'that no longer fails',
      known: entry,
      now: 201,
      state: 'passed',
      fixed: [rootOf(refused)],
      left: [],
    },
  ])('$what hides nothing, and what shows its root is no news', async (each) => {
    const { known, now, left, state = 'inconclusive', fixed = [] } = each;
    let isShown = false;
    const runs: Runs = async () => [
      isShown ? answered(400, [refused]) : now === undefined ? undefined : answered(now),
    ];
    const unmet = book(false, runs, [known]);
    await unmet.retry(each.isOwn ?? isOwn, () => {});
    expect(unmet.undecided.map(({ name }) => name)).toEqual(left);
    const closed = unmet.close();
    expect([closed.fixed, closed.roots.map((root) => root.state), closed.findings]).toEqual([
      fixed,
      [state],
      [],
    ]);

    const met = book(false, runs, [known]);
    await met.retry(each.isOwn ?? isOwn, () => {});
    isShown = true;
    met.found([refused], ofOne);
    await met.settled();
    const { findings, ...shown } = met.close();
    expect(findings.map(({ isKnown, family }) => [isKnown, family])).toEqual([[true, 'send']]);
    expect([shown.fixed, shown.roots.map((root) => root.state)]).toEqual([[], ['fails']]);
  });

  it('is not gone because the time was over before it was tried', async () => {
    const late = book(true, undefined, [entry]);
    expect(late.close().roots.map(({ state }) => state)).toEqual(['inconclusive']);
  });

  it('leads no finding of what it does not know', async () => {
    const other: CaseFailure = { ...refused, clause: 'api-error.no-extra-fields', isOutcome: false };
    const both = book(false, async () => [answered(400, [refused, other])], [
      { ...entry, whyUntried: 'no hook' },
    ]);
    await both.retry(isOwn, () => {});
    both.found([refused, other], ofOne);
    await both.settled();
    const { findings, roots } = both.close();
    expect(findings.map(({ failure, isKnown }) => [failure.clause, isKnown])).toEqual([
      [other.clause, false],
    ]);
    expect(roots.map(({ state }) => state)).toEqual(['fails', 'fails']);
  });
});
