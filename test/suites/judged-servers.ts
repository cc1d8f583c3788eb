import { expect, it } from 'vitest';
import type { RunOptions } from '../../harness/run/run-checks.ts';
import type { Target } from '../../harness/config/target.ts';
import type { ClauseId } from '../../spec/index.ts';
import {
  findingsOf,
  notPassed,
  type ReferenceOptions,
  runAgainst,
  verdictsOf,
  type Which,
} from './run-suite.ts';

/** A server, by what it does otherwise than the reference, and what checks say of it. */
export interface JudgedServer extends ReferenceOptions, Pick<RunOptions, 'limitPatienceMs'> {
  readonly by: Which;
  /** What else its target is, or does in its hooks. */
  readonly target?: (target: Target) => Target;
  /** All that is found, as `clause verdict`; nothing, unless some of it is named or a verdict says otherwise. */
  readonly found?: readonly string[];
  /** Some of what is found. */
  readonly finds?: readonly string[];
  readonly failsNothing?: true;
  readonly verdicts?: Readonly<Partial<Record<ClauseId, string>>>;
  /** What the reasons of checks that did not pass say. */
  readonly why?: string;
  /** Whether every check passes, where that is said. */
  readonly passes?: boolean;
}

/** Servers by what is said of them, in a sentence; a function makes one that remembers something. */
export type JudgedServers = Readonly<Record<string, JudgedServer | (() => JudgedServer)>>;

/** Holds the checks against each of some servers, one after the other or as `test` says. */
export function judgeServers(servers: JudgedServers, test: Pick<typeof it, 'each'> = it): void {
  test.each(Object.entries(servers))('%s', async (_sentence, made) => {
    const server = typeof made === 'function' ? made() : made;
    const { by, target, limitPatienceMs, found, finds, verdicts = {}, ...rest } = server;
    const { failsNothing, why = '', passes, ...options } = rest;
    const run = await runAgainst(by, options, {
      ...(target && { target }),
      ...(limitPatienceMs !== undefined && { limitPatienceMs }),
    });
    const isBroken = Object.values(verdicts).some((each) => each === 'failed' || each === 'warned');
    const [all, open] = [findingsOf(run), notPassed(run)];
    const isPartial = finds !== undefined || failsNothing === true || isBroken;
    expect(all).toEqual(found ?? (isPartial ? all : []));
    expect(all).toEqual(expect.arrayContaining([...(finds ?? [])]));
    expect(all.filter((each) => failsNothing === true && each.endsWith('failed'))).toEqual([]);
    expect(run.footer.end).toBe('complete');
    expect(verdictsOf(run)).toMatchObject(verdicts);
    expect(open.join('\n')).toContain(why);
    expect(passes === undefined ? undefined : open.length === 0, open.join('\n')).toBe(passes);
  });
}
