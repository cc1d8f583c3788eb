import { tableInMarkdown } from '../run/proof.ts';
import { grouped } from '../../spec/groups.ts';
import { type Argument, arguedMutants, inShort } from './arguments.ts';
import type { Build, MachineMutant } from './build.ts';
import type { Verdict } from './judge-mutant.ts';
import type { JudgedMutant } from './processes.ts';

/** What became of a mutant, as the log keeps it. */
export interface LoggedMutant extends JudgedMutant {
  /** The build that it is of. */
  readonly build: string;
  /** What a campaign of so many seconds said of one that survived. */
  readonly campaign?: Verdict & { readonly seconds: number };
}

/** A mutant that was run, with all that is known of it. */
export interface MutantResult {
  readonly mutant: MachineMutant;
  /** By which an argument may be about it. */
  readonly name: string;
  readonly judged: LoggedMutant;
  readonly argument: Argument | undefined;
  /** Clauses that it kept from being decided: those that it left inconclusive beyond the survivor that left fewest. */
  readonly undecided: number;
}

/** Puts together what the build, the log and the table of arguments say of the mutants that were run; those that do not compile are left out. */
export function resultsOf(
  mutants: readonly MachineMutant[],
  log: ReadonlyMap<string, LoggedMutant>,
  table: readonly Argument[],
): readonly MutantResult[] {
  const fewest = [...log.values()].reduce(
    (least, { inconclusive = Infinity }) => Math.min(least, inconclusive),
    Infinity,
  );
  return arguedMutants(mutants, table).flatMap((each) => {
    const judged = log.get(each.mutant.id);
    if (judged === undefined || judged.outcome === 'does not compile') return [];
    return [{ ...each, judged, undecided: Math.max(0, (judged.inconclusive ?? 0) - fewest) }];
  });
}

/** Whether a run came to its end and had nothing to say. */
function hasSurvived({ judged }: Pick<MutantResult, 'judged'>): boolean {
  return judged.outcome === 'survived';
}

const columns = {
  run: () => true,
  failed: ({ judged }) => judged.outcome === 'failed',
  /** The run did not go well, and no check failed. */
  apart: ({ judged }) => !['failed', 'warned', 'survived'].includes(judged.outcome),
  warned: ({ judged }) => judged.outcome === 'warned',
  survived: hasSurvived,
  equivalent: (result) => hasSurvived(result) && result.argument?.is === 'equivalent',
  open: (result) => hasSurvived(result) && result.argument?.is === 'open',
  'by a campaign': (result) => isMissed(result) && isFoundByCampaign(result),
  missed: (result) => isMissed(result) && !isFoundByCampaign(result),
} satisfies Readonly<Record<string, (result: MutantResult) => boolean>>;
type Column = keyof typeof columns;
const columnNames = Object.keys(columns) as readonly Column[];

/** Whether it survived though somebody might have noticed: not if nobody can, or the contract leaves it open. */
export function isMissed(result: MutantResult): boolean {
  return hasSurvived(result) && result.argument?.is !== 'equivalent' && result.argument?.is !== 'open';
}

function isFoundByCampaign({ judged }: MutantResult): boolean {
  return judged.campaign?.outcome === 'failed';
}

/** How many came to what; those behind `survived` are of it. */
export function figuresOf(results: readonly MutantResult[]): Readonly<Record<Column, number>> {
  const counts = columnNames.map((name) => [name, results.filter(columns[name]).length]);
  return Object.fromEntries(counts) as Record<Column, number>;
}

/** Of the mutants that are neither equivalent nor open the shares that fail, or are noticed in some way, in percent. */
export function sharesOf(
  results: readonly MutantResult[],
): Readonly<Record<'failed' | 'noticed' | 'withCampaign', string>> {
  const { run, failed, apart, equivalent, open, 'by a campaign': byCampaign, missed } = figuresOf(results);
  const meant = run - equivalent - open;
  const share = (count: number): string => `${((100 * count) / Math.max(1, meant)).toFixed(1)} %`;
  return {
    failed: share(failed + apart),
    noticed: share(meant - byCampaign - missed),
    withCampaign: share(meant - missed),
  };
}

/** What a page is about. */
interface PageFacts extends Pick<Build, 'mutants' | 'reached'> {
  /** The server, as a sentence names it. */
  readonly of: string;
  /** How many of those that were tried do not compile. */
  readonly noPrograms: number;
  /** That of the last run. */
  readonly day: string;
}

/** The figures and every survivor, as a page in `docs` keeps them. */
export function machinePageOf(
  { of, mutants, reached, noPrograms, day }: PageFacts,
  results: readonly MutantResult[],
): string {
  const { failed, noticed, withCampaign } = sharesOf(results);
  const survivors = results.filter(hasSurvived);
  const sections = grouped(survivors, ({ argument }) => argument?.is ?? 'unargued');
  return `# Machine-made mutants of ${of}

The figures of \`npm run mutate:servers\`, of ${day}: every change that the operators of a mutation tester make to ${of},
one at a time, judged by a default run. [selftest/README.md](../selftest/README.md#npm-run-mutateservers) says how, and what each word means.

${tableInMarkdown(
  ['mutants', mutants.length],
  [
    ['reached by a default run', reached.length],
    ['of those run', results.length + noPrograms],
    ['of those, they do not compile and are none', noPrograms],
    ['a run does not end with 0, of those neither equivalent nor open', failed],
    ['or warns', noticed],
    ['or a campaign fails', withCampaign],
  ],
)}

## By operator

${tableOf('operator', results, ({ operator }) => operator)}

## By room

${tableOf('room', results, roomOf)}

## Survivors

${survivors.length === 0 ? 'None.' : [...sections].map(([is, each]) => `### ${is}: ${each.length}\n\n${each.map(lineOf).join('\n')}`).join('\n\n')}
`;
}

/** The folder; in an example, which has but one, the file. */
function roomOf({ file }: MachineMutant): string {
  return file.startsWith('examples/') ? file : file.split('/').slice(0, -1).join('/');
}

function tableOf(
  what: string,
  results: readonly MutantResult[],
  keyOf: (mutant: MachineMutant) => string,
): string {
  const groups = [...grouped(results, ({ mutant }) => keyOf(mutant))];
  const rows = [...groups.toSorted(([one], [other]) => (one < other ? -1 : 1)), ['all', results] as const];
  return tableInMarkdown(
    [what, ...columnNames],
    rows.map(([name, each]) => [name, ...Object.values(figuresOf(each))]),
  );
}

/** A survivor on a line: where it is, what was changed, and why nobody noticed. */
export function lineOf({ mutant, judged, argument, undecided }: MutantResult): string {
  const { file, line, column, operator, original, replacement } = mutant;
  const place = argument === undefined || argument.is === 'equivalent' ? '' : ` (${placeOf(argument)})`;
  const why = argument === undefined ? '' : `: ${argument.why}`;
  const shown =
    judged.campaign?.clause === undefined ? '' : `; a campaign shows \`${judged.campaign.clause}\``;
  const left = undecided === 0 ? '' : `; it leaves ${undecided} more clauses inconclusive`;
  return `- \`${file}:${line}:${column}\` ${operator}: ${codeOf(original)} → ${codeOf(replacement)}${place}${why}${shown}${left}`;
}

function placeOf(argument: Exclude<Argument, { is: 'equivalent' }>): string {
  return argument.is === 'open' ? `\`${argument.clause}\`` : argument.dimension;
}

/** Code with a fence that is longer than any in it. */
function codeOf(code: string): string {
  const text = inShort(code);
  const [longest = ''] = (text.match(/`+/g) ?? []).toSorted().toReversed();
  return longest === '' ? `\`${text}\`` : `${longest}\` ${text} ${longest}\``;
}
