import { targetOfReference } from '../cli/embedded-reference.ts';
import type { Check } from '../harness/engine/check.ts';
import { runChecks } from '../harness/engine/run-checks.ts';
import type { CheckEvent, FooterEvent, PreflightEvent, Verdict } from '../harness/results/events.ts';
import { startReference } from '../reference/index.ts';
import type { Server } from './server.ts';

/** What one check, the ones that watch the wire included, said of one clause. */
export interface Judged {
  readonly check: string;
  readonly clause: string;
  readonly verdict: Verdict;
}

/** A run of some checks against one server, as far as the self-test looks at it. */
export interface Observation {
  /** Every clause that was decided, by check. */
  readonly judged: readonly Judged[];
  /** Checks of which something stayed undecided, with the first reason. */
  readonly undecided: Readonly<Record<string, string>>;
  /** What kept the run from its checks, in the words of preflight. */
  readonly errors: readonly string[];
  readonly end: FooterEvent['end'];
  /** Why the run did not come to its end. */
  readonly reason: string | undefined;
  readonly requests: number;
  readonly durationMs: number;
}

/** Runs checks against a server of its own. */
export type Observe = (server: Server, checks: readonly Check[]) => Promise<Observation>;

/**
 * Time after which what is not visible counts as absent. The reference is on loopback and shows a message at once; the
 * longest delay that a mutant is meant to be caught by is longer than this.
 */
const settleMs = 120;

/** Starts the server on a free port of this process and runs the checks there. */
export const observeHere: Observe = async (server, checks) => {
  const reference = await startReference(server.options());
  const events: CheckEvent[] = [];
  const errors: string[] = [];
  try {
    const target = { ...targetOfReference(reference), settleMs };
    const footer = await runChecks(checks, target, {
      onEvent: (event) => {
        if (event.type === 'check') events.push(event);
        if (event.type === 'preflight') errors.push(...errorsIn(event));
      },
    });
    return observationOf(events, errors, footer);
  } finally {
    await reference.close();
  }
};

function errorsIn({ lines }: PreflightEvent): string[] {
  return lines.filter(({ severity }) => severity === 'error').map(({ text }) => text);
}

function observationOf(
  events: readonly CheckEvent[],
  errors: readonly string[],
  footer: FooterEvent,
): Observation {
  const all = events.flatMap(({ check, clauses }) => clauses.map((each) => ({ check, ...each })));
  const undecided = all.filter(({ verdict }) => verdict === 'inconclusive').toReversed();
  return {
    judged: all
      .filter(({ verdict }) => verdict !== 'inconclusive')
      .map(({ check, clause, verdict }) => ({ check, clause, verdict })),
    undecided: Object.fromEntries(undecided.map(({ check, reason }) => [check, reason ?? ''])),
    errors,
    end: footer.end,
    reason: footer.reason,
    requests: footer.footprint.requests,
    durationMs: footer.durationMs,
  };
}
