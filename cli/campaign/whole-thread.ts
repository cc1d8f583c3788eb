// Judges the history of a campaign as a whole, beside the thread that hears signals and timers.
import { Scoring } from '../../harness/gate/scoring.ts';
import { judgedFiles } from '../judge/judge-file.ts';
import { threadWork } from '../shared/time/in-thread.ts';

/** A history, and why clauses may be broken in it. */
export interface WholeInput {
  readonly path: string;
  readonly isStrict: boolean;
  readonly reasons: ReadonlyMap<string, string>;
}

threadWork(({ path, isStrict, reasons }: WholeInput) => {
  const baseline = { reasonFor: (_: string, clause: string) => reasons.get(clause), staleIn: () => [] };
  return judgedFiles([path], { scoring: new Scoring({ baseline }, { isStrict }), isStrict });
});
