import { describe, expect, it, vi } from 'vitest';
import { failureFileOf, readFailure, writeFailure } from '../../fuzz/campaign/failure-file.ts';
import { replay } from '../../fuzz/campaign/replay.ts';
import { stepsOf } from '../../fuzz/cases/case-request.ts';
import { injectionPointsFor } from '../../fuzz/cases/families/index.ts';
import type { InjectionPoint } from '../../fuzz/cases/injection-point.ts';
import { openBench, type Bench } from '../../fuzz/setup/open-bench.ts';
import type { HookName, Target } from '../../harness/config/target.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { startReference, type Reference } from '../../reference/index.ts';
import { mutantNamed } from '../../selftest/mutants/index.ts';
import { everybody, fuzzedAt, foundBy, targetFor, until } from './campaigns.ts';

// Sequences settle twice, and some of them wait.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Opened {
  readonly bench: Bench;
  readonly sequences: InjectionPoint;
}

/** A bench at a reference, without some of its hooks. */
export async function opened(
  reference: Reference,
  without: readonly HookName[] = [],
  others: Target['hooks'] = {},
): Promise<Opened> {
  const target = targetFor(reference);
  const own = Object.entries(target.hooks).filter(([name]) => !without.includes(name as HookName));
  const hooks = { ...Object.fromEntries(own), ...others };
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

const mostSteps = 6;

/** Mutants, each with the clause that a sequence names. */
type ShownBy = readonly (readonly [id: string, clause: string])[];

/** A mutant for what a send, what a change of the operator, and what an earlier refusal leads to. */
export const firstShown: ShownBy = [
  ['a-conflict-takes-the-record', 'send.conflict-is-refused'],
  ['agent-name-is-looked-up', 'message.author.captured-at-write'],
  ['refusals-are-remembered', 'auth.access-comes-back'],
];

/** One for each other kind of step, every night. */
export const otherShown: ShownBy = [
  ['author-is-listed', 'receipts.agent-ids.no-author'],
  ['cursors-end-at-a-report', 'mentions.walk-is-complete'],
  ['every-second-waiter-is-passed-over', 'channel-read.cursor-never-skips'],
  ['access-is-looked-up-once', 'errors.mentions-no-access-is-403'],
  ['revocation-is-looked-up-once', 'auth.revoked-credential'],
  ['expiry-is-looked-up-once', 'auth.expired-credential'],
  ['access-channels-list-author-revoked-in-use-baseline', 'auth.revoked-credential'],
  ['attachments-changes', 'message.immutable'],
];

/** Holds campaigns of sequences against mutants. */
export function describeShownBySequences(shownBy: ShownBy): void {
  const folder = ownFolder('sequences-');

  describe('what a sequence shows', () => {
    it.each(shownBy)('%s: is found, kept with its steps and shows again', async (id, clause) => {
      await using reference = await startReference(mutantNamed(id).options());
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
      const file = readFailure(writeFailure(folder, failureFileOf(finding, { seed: 1 }), new KnownSecrets()));
      const { bench } = await opened(reference);
      expect(await replay(bench.runner, file)).toMatchObject({ verdict: 'still failing', times: 3, of: 3 });
      await bench.close();
    });
  });
}
