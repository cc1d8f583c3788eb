import type { WholeOutcome } from '../setup/case-runner.ts';
import { isSameRoot, verdictOf } from '../judge/failure.ts';
import type { CaseFailure } from '../judge/failure.ts';

/**
 * What a request says of a failure that it once showed: it shows it, it now fails in another way, it no longer fails, or
 * nothing can be said.
 */
export type Sight =
  | { readonly kind: 'shows' | 'fails otherwise'; readonly failure: CaseFailure }
  | { readonly kind: 'passes' | 'inconclusive' };

/** Looks for a failure in what came of a request. */
export function sightOf(whole: WholeOutcome, failure: CaseFailure): Sight {
  const shown = whole.failures.find((each) => isSameRoot(each, failure));
  if (shown !== undefined) return { kind: 'shows', failure: shown };
  const otherwise = whole.failures.find((each) => hidesOthers(each));
  // Where the request comes to no proper end, what it was kept for cannot show.
  if (otherwise !== undefined) return { kind: 'fails otherwise', failure: otherwise };
  const { exchange } = whole.outcome;
  // Whoever is let in has seen nothing of what a limit is answered with.
  if (failure.clause.startsWith('errors.retry-after')) return { kind: 'inconclusive' };
  const status = exchange.response?.status ?? 0;
  const isProper = (status >= 200 && status <= 299) || (status >= 400 && status <= 499);
  return { kind: whole.isDecided && isProper ? 'passes' : 'inconclusive' };
}

/**
 * The call itself went wrong: taken where it had to be refused, refused where it had to be taken, or neither. An error of
 * the server is wrong however surely the request is to be taken.
 */
function hidesOthers({ clause, isOutcome, isServerError }: CaseFailure): boolean {
  return isServerError === true || (isOutcome === true && verdictOf(clause) === 'failed');
}
