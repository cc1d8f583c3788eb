import { decidingExchange, isEnded } from '../../harness/results/deciding-exchange.ts';
import type {
  BrokenClause,
  EvidenceExchange,
  FindingCase,
  FindingEvent,
} from '../../harness/results/generated/events.ts';
import { shownClauses } from '../broken-ids.ts';
import { countOf, seenInWords } from '../quantities.ts';
import { knownReason, type RunSoFar } from '../run-so-far.ts';
import { type AgainCommands, againCommand, isKept } from './again.ts';
import { type Marks, marksOf, noMarks } from './deciding.ts';
import { timelineText } from './timeline-text.ts';

/** What a finding tells, in the order in which it is told. Reports lay it out, and add nothing. */
export interface Story {
  readonly finding: FindingEvent;
  /** Every clause that the cause breaks, the gravest first. */
  readonly clauses: readonly ToldClause[];
  /** Why this breaks the clause, in one sentence. */
  readonly why: string;
  /** What else is known of it; no value is empty. */
  readonly facts: readonly Fact[];
  /** The requests that show it, by time; a number stands for so many left out. */
  readonly steps: readonly (Step | number)[];
  /** What clients and the operator did, where requests alone do not show it. */
  readonly timeline: readonly string[];
  /** The command that sees it again. */
  readonly again: string;
}

/** A clause of a finding, as reports name it. */
export interface ToldClause {
  readonly clause: string;
  /** Its level, and the request that decided it if that is another than the finding's: `must`, `inferred, by request 2`. */
  readonly about: string;
}

/** Something that is known of a finding. */
export interface Fact {
  readonly name: string;
  readonly text: string;
  /** Lines below it that say more. */
  readonly notes: readonly string[];
}

/** One request of a story. */
export interface Step {
  /** From 1, among all requests of the finding. */
  readonly number: number;
  readonly exchange: EvidenceExchange;
  /** Who asked what, and what came: `reader: GET /v0/mentions?limit=2, status 200`. */
  readonly summary: string;
  readonly isDeciding: boolean;
  /** What of its answer decides. */
  readonly marks: Marks;
}

/** Requests that are told at the beginning and at the end, beside the one that caused it and the one that decides. */
const firstSteps = 2;
const lastSteps = 3;
const mostChecksNamed = 8;
/** Of a path in a summary, in characters. */
const longestPath = 160;

/** The story of a finding. */
export function storyOf(
  finding: FindingEvent,
  run: Pick<RunSoFar, 'folder' | 'header' | 'footer' | 'checks'>,
  commands: AgainCommands,
): Story {
  const deciding = decidingExchange(finding);
  const steps = finding.exchanges.map((exchange, index) =>
    stepOf(finding, exchange, { number: index + 1, isDeciding: exchange === deciding }),
  );
  return {
    finding,
    clauses: shownClauses(finding).map((each) => toldClause(each, steps)),
    why: whyOf(
      finding,
      steps.find(({ isDeciding }) => isDeciding),
    ),
    facts: factsOf(finding, run),
    steps: toldSteps(steps, finding),
    timeline: finding.timeline === undefined ? [] : timelineText(finding.timeline),
    again: againCommand(finding, run, commands),
  };
}

function toldClause({ clause, level, decidedBy }: BrokenClause, steps: readonly Step[]): ToldClause {
  const step = steps.find(({ exchange }) => exchange.id === decidedBy);
  if (decidedBy === undefined || step?.isDeciding === true) return { clause, about: level };
  const by = step === undefined ? `exchange ${decidedBy} of the result stream` : `request ${step.number}`;
  return { clause, about: `${level}, by ${by}` };
}

function stepOf(
  finding: FindingEvent,
  exchange: EvidenceExchange,
  { number, isDeciding }: Pick<Step, 'number' | 'isDeciding'>,
): Step {
  const { actor, request, response, fault = '' } = exchange;
  const path = request.path.length > longestPath ? `${request.path.slice(0, longestPath)}…` : request.path;
  const noAnswer = isEnded(exchange) ? `no answer: ${fault}` : 'what came of it was not kept';
  const outcome = response === undefined ? noAnswer : `status ${response.status}`;
  return {
    number,
    exchange,
    summary: `${actor}: ${request.method} ${path}, ${outcome}`,
    isDeciding,
    marks: isDeciding ? marksOf(finding, exchange) : noMarks,
  };
}

/** What came, and what had to come where the clause does not say that already. */
function whyOf({ expected, actual, text }: FindingEvent, step: Step | undefined): string {
  const got = step === undefined ? `Got: ${actual}` : `Request ${step.number} got: ${actual}`;
  return expected === text ? got : `${got}; expected: ${expected}`;
}

function factsOf(
  finding: FindingEvent,
  run: Pick<RunSoFar, 'folder' | 'header' | 'footer' | 'checks'>,
): readonly Fact[] {
  const { check, metIn, cause, places = [], exchanges, changes = [], case: shown, id } = finding;
  const by = run.checks.find((each) => each.check === check);
  const number = exchanges.findIndex((each) => each.id === cause?.exchange) + 1;
  const also = [...new Set(places.map(({ call, path }) => (path === '' ? call : `${path} of ${call}`)))];
  const seenBy = run.footer?.alsoSeenBy[id] ?? [];
  const facts: readonly (Fact | undefined)[] = [
    fact('places', also.length < 2 ? '' : `${countOf(also.length, 'place')}: ${also.join(', ')}`),
    fact('seen', seenOf(finding, run)),
    shown === undefined
      ? fact('check', check, [by?.title, by?.file])
      : fact('case', shown.label, [`family ${check}, ${shown.phase}${keptIn(shown, run)}`]),
    fact('operator', changesInWords(changes)),
    fact('caused by', cause === undefined ? '' : causeInWords(cause, number)),
    fact('seen in', metIn === undefined || metIn === cause?.check ? '' : metIn),
    fact('also in', listOfNames(seenBy)),
    fact('known', knownReason(finding, run) ?? ''),
  ];
  return facts.filter((each) => each !== undefined);
}

function fact(name: string, text: string, notes: readonly (string | undefined)[] = []): Fact | undefined {
  return text === '' ? undefined : { name, text, notes: notes.filter((note) => note !== undefined) };
}

function keptIn(shown: FindingCase, { folder }: Pick<RunSoFar, 'folder'>): string {
  return isKept(shown, folder) ? `; kept in ${shown.file}` : '; its file could not be written';
}

/** What hooks had changed, how often, and before which request: `the agent renamed (twice) before request 2`. */
function changesInWords(changes: NonNullable<FindingEvent['changes']>): string {
  const words = changes.map(({ text, before }) => {
    const { length } = changes.filter((each) => each.text === text && each.before === before);
    const times = length === 1 ? '' : length === 2 ? ' (twice)' : ` (${length} times)`;
    return `${text}${times} before request ${before}`;
  });
  return [...new Set(words)].join('; ');
}

function causeInWords({ check, exchange }: NonNullable<FindingEvent['cause']>, number: number): string {
  return number === 0 ? `exchange ${exchange}, of ${check}` : `request ${number}, of ${check}`;
}

/** Of a campaign how many cases showed it too; a proxy tells of a finding while traffic goes on, and not again. */
function seenOf(finding: FindingEvent, { header, footer }: Pick<RunSoFar, 'header' | 'footer'>): string {
  const { times, of = times } = finding.seen;
  const sightings = footer?.campaign?.seen[finding.id]?.sightings;
  if (sightings !== undefined)
    return `${countOf(sightings, 'case')}; again in ${times} of ${countOf(of, 'try', 'tries')}`;
  const isLive = header?.profile.selection[0] === 'proxy';
  return `${seenInWords(finding)}${isLive ? ' until it was told' : ''}`;
}

function listOfNames(names: readonly string[]): string {
  const more = names.length - mostChecksNamed;
  return more > 0 ? `${names.slice(0, mostChecksNamed).join(', ')} and ${more} more` : names.join(', ');
}

/** The first and the last, the cause and what decides; gaps are counted, but for a single one, which is told. */
function toldSteps(steps: readonly Step[], { cause }: FindingEvent): readonly (Step | number)[] {
  const isTold = steps.map(
    ({ exchange, isDeciding }, index) =>
      index < firstSteps ||
      index >= steps.length - lastSteps ||
      isDeciding ||
      exchange.id === cause?.exchange,
  );
  const told: (Step | number)[] = [];
  for (const [index, step] of steps.entries()) {
    const isAlone = isTold[index - 1] !== false && isTold[index + 1] !== false;
    const last = told.at(-1);
    if (isTold[index] === true || isAlone) told.push(step);
    else if (typeof last === 'number') told[told.length - 1] = last + 1;
    else told.push(1);
  }
  return told;
}
