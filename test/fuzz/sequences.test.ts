import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { failureFileOf, readFailure, writeFailure } from '../../fuzz/campaign/failure-file.ts';
import { replay } from '../../fuzz/campaign/replay.ts';
import { isOperators, stepsOf } from '../../fuzz/cases/case-request.ts';
import { injectionPointsFor } from '../../fuzz/cases/families/index.ts';
import type { InjectionPoint } from '../../fuzz/cases/injection-point.ts';
import { openBench, type Bench } from '../../fuzz/setup/open-bench.ts';
import type { HookName } from '../../harness/config/target.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { startReference, type Reference } from '../../reference/index.ts';
import { mutantNamed } from '../../selftest/mutants/index.ts';
import { everybody, fuzzedAt, foundBy, targetFor, until } from './campaigns.ts';

// Sequences settle twice, and some of them wait.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'sequences-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mostSteps = 6;

interface Opened {
  readonly bench: Bench;
  readonly sequences: InjectionPoint;
}

/** A bench at a reference, without some of its hooks. */
async function opened(reference: Reference, without: readonly HookName[] = []): Promise<Opened> {
  const target = targetFor(reference);
  const hooks = Object.fromEntries(
    Object.entries(target.hooks).filter(([name]) => !without.includes(name as HookName)),
  );
  const bench = await openBench(
    { ...target, hooks },
    { roundTripMs: 1, signal: new AbortController().signal, env: {}, secrets: new KnownSecrets() },
  );
  const [sequences] = injectionPointsFor({
    world: bench.world,
    roles: new Set(['author', 'reader', 'peer', 'api-key']),
    calls: bench.calls,
    has: (family) => family === 'sequence',
  });
  if (sequences === undefined) throw new Error('there are no sequences');
  return { bench, sequences };
}

function boundariesOf({ boundaryCount, boundary }: InjectionPoint) {
  return Array.from({ length: boundaryCount }, (_, index) => boundary(index));
}

describe('at a server that keeps the contract', () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await startReference();
  });
  afterAll(() => reference.close());

  it('no sequence shows anything, and each that the hooks allow is done', async () => {
    const { bench, sequences } = await opened(reference);
    const failures = [];
    for (const { label, request } of boundariesOf(sequences)) {
      const whole = await bench.runner.runToEnd(request);
      failures.push(...(whole?.failures ?? [{ label }]));
    }
    await bench.close();
    expect(failures).toEqual([]);
  });

  it('without a hook that makes workspaces nothing is changed, and the rest is sent to the target', async () => {
    const { bench, sequences } = await opened(reference, ['provision']);
    const counts = { done: 0, left: 0 };
    for (const { request } of boundariesOf(sequences).slice(0, 8)) {
      const whole = await bench.runner.runToEnd(request);
      expect(whole === undefined).toBe(stepsOf(request).some(isOperators));
      expect(whole?.failures ?? []).toEqual([]);
      counts[whole === undefined ? 'left' : 'done'] += 1;
    }
    await bench.close();
    expect(counts).toEqual({ done: 6, left: 2 });
  });

  it('a campaign says how many sequences it drew, and its history what was changed', async () => {
    const lines: string[] = [];
    const { result } = await fuzzedAt(reference, {
      only: ['sequence'],
      maxCases: 4,
      concurrency: 4,
      target: everybody,
      onHistoryLines: (line) => lines.push(line),
    });
    const renamed = lines.join('').matchAll(/"change":"rename","subject":"[^"]+","detail":"(\w+)"/g);
    expect([...renamed].map(([, kind]) => kind)).toEqual(['agent', 'user', 'machine']);
    expect(result?.byFamily).toEqual({ sequence: 4 });
    expect(result?.findings).toEqual([]);
  });

  it('a campaign says which hook failed that its sequences need', async () => {
    const provision = {
      url: `${reference.baseUrl}/nothing`,
      timeoutMs: 5_000,
      headers: {},
      secretHeaders: [],
    };
    const { result, leftOut } = await fuzzedAt(reference, {
      only: ['sequence'],
      maxCases: 4,
      target: (given) => ({ ...given, hooks: { provision } }),
    });
    expect(result?.cases).toBe(0);
    expect(leftOut['sequence']).toMatch(/hooks\.provision.* 404/);
  });
});

/** A mutant for each kind of step, and the clause that a sequence names. */
const shownBy = [
  ['a-conflict-takes-the-record', 'send.conflict-is-refused'],
  ['author-is-listed', 'receipts.agent-ids.no-author'],
  ['cursors-end-at-a-report', 'mentions.walk-is-complete'],
  ['every-second-waiter-is-passed-over', 'channel-read.cursor-never-skips'],
  ['agent-name-is-looked-up', 'message.author.captured-at-write'],
  ['access-is-looked-up-once', 'errors.mentions-no-access-is-403'],
  ['refusals-are-remembered', 'auth.access-comes-back'],
  ['revocation-is-looked-up-once', 'auth.revoked-credential'],
  ['expiry-is-looked-up-once', 'auth.expired-credential'],
] as const;

describe('what a sequence shows', () => {
  it.each(shownBy)('%s: is found, kept with its steps and shows again', async (id, clause) => {
    const reference = await startReference(mutantNamed(id).options());
    const outcome = await fuzzedAt(reference, {
      only: ['sequence'],
      concurrency: 4,
      target: everybody,
      ...until(({ failure }) => failure.clause === clause),
    });
    const finding = outcome.result?.findings.find(({ failure }) => failure.clause === clause);
    if (finding === undefined) throw new Error(`${clause} is not among ${foundBy(outcome).join(', ')}`);
    expect(stepsOf(finding.request).length).toBeLessThanOrEqual(mostSteps);
    expect(finding.label).toMatch(/^sequence: \w+/);
    const file = readFailure(writeFailure(folder, failureFileOf(finding, 1), new KnownSecrets()));
    const { bench } = await opened(reference);
    expect(await replay(bench.runner, file)).toMatchObject({ verdict: 'still failing', times: 3, of: 3 });
    await bench.close();
    await reference.close();
  });
});
