import { tallyOf } from '../../history/situations/tally.ts';
import type { History } from '../../history/operation.ts';
import type { BoundReached, ClauseSituations, RunCoverage } from '../results/generated/events.ts';
import type { Situation } from '../verdict/ledger.ts';
import type { WireLedger } from '../wire/wire-ledger.ts';
import type { InputMeter } from './input-meter.ts';
import { grouped } from '../../spec/groups.ts';

/** What a run reached, as far as its tools have noted it. */
interface CoverageParts {
  readonly history: History;
  readonly inputs: Pick<InputMeter, 'bounds'>;
  readonly wire: Pick<WireLedger, 'bounds'>;
  /** Situations that checks declare one by one, and those of them that were judged. */
  readonly declared: readonly Situation[];
  readonly judged: readonly Situation[];
}

/** Situations that are named of those that never arose: a stream has one of these for many clauses. */
const mostNamed = 3;

/** In what a run put clauses to the test. */
export function coverageOf({ history, inputs, wire, declared, judged }: CoverageParts): RunCoverage {
  const ofReading = tallyOf(history).map(({ clause, along, pairs, seen, missing }): ClauseSituations => ({
    clause,
    along,
    declared: pairs,
    seen,
    missing: missing.slice(0, mostNamed),
  }));
  return {
    situations: [...ofReading, ...singlesOf(declared, judged)],
    bounds: [...inputs.bounds, ...wire.bounds.map(shownBound)],
  };
}

/** Situations that are declared one by one, by clause. */
function singlesOf(
  declared: readonly Situation[],
  judged: readonly Situation[],
): readonly ClauseSituations[] {
  const seen = new Set(judged.map(keyOf));
  return [...grouped(declared, ({ clause }) => clause)].map(([clause, all]) => {
    const missing = all.filter((each) => !seen.has(keyOf(each)));
    return {
      clause,
      along: [...new Set(all.flatMap(({ dimensions }) => Object.keys(dimensions)))],
      declared: all.length,
      seen: all.length - missing.length,
      missing: missing.slice(0, mostNamed).map(({ dimensions }) => wordsOf(dimensions)),
    };
  });
}

function keyOf({ clause, dimensions }: Situation): string {
  return `${clause}: ${wordsOf(dimensions)}`;
}

/** As `call mentions, credential outsider`, whatever the order that they were noted in. */
function wordsOf(dimensions: Situation['dimensions']): string {
  return Object.keys(dimensions)
    .toSorted()
    .map((name) => `${name} ${dimensions[name]}`)
    .join(', ');
}

/** Words of a bound begin with what is bounded, in backquotes. */
function shownBound({ clause, words, times }: WireLedger['bounds'][number]): BoundReached {
  const [, of = words, at = ''] = /^`(.*)` (?:of|with) (.*)$/.exec(words) ?? [];
  return { of: `${of} in an answer`, at, side: 'shown', clause, times };
}
