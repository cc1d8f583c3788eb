import { shownLine } from '../../harness/output/printable.ts';
import type { TerminalOutput } from '../../harness/output/terminal.ts';
import type {
  FindingEvent,
  FooterEvent,
  HeaderEvent,
  ProgressEvent,
  ResultEvent,
} from '../../harness/results/generated/events.ts';
import { againCommand, type AgainCommands } from '../story/again.ts';
import { conclude, whatNow } from '../conclusion.ts';
import { countOf, oftenInWords } from '../quantities.ts';
import { boundariesLeftText } from '../story/boundaries.ts';
import { findingLines } from '../story/story-text.ts';
import { isStrictRun, RunCollector, type RunSoFar } from '../run-so-far.ts';
import { LiveLine } from './live-line.ts';
import { row } from './rows.ts';

/** Between two lines on progress where lines are kept, in ms. */
const logMs = 15_000;

/** Prints a campaign: what it finds as it comes, how far it is, what it came to. */
export function campaignReporter(out: TerminalOutput, kept: KeptCampaign): (event: ResultEvent) => void {
  const terminal = new CampaignTerminal(out, kept);
  return (event) => terminal.event(event);
}

class CampaignTerminal {
  readonly #out: TerminalOutput;
  readonly #kept: KeptCampaign;
  readonly #run: RunCollector;
  #live: LiveLine | undefined;
  #progress: ProgressEvent | undefined;
  #loggedMs = 0;

  constructor(out: TerminalOutput, kept: KeptCampaign) {
    this.#out = out;
    this.#kept = kept;
    this.#run = new RunCollector(kept.folder);
  }

  event(event: ResultEvent): void {
    this.#run.add(event);
    switch (event.type) {
      case 'header':
        return this.#say(`seed ${event.campaign?.seed}, shard ${event.campaign?.shards.join(', ')}`);
      case 'preflight':
        return this.#say(...event.lines.map(({ severity, text }) => `${severity}: ${text}`));
      case 'notice':
        return this.#say(`${event.severity}: ${event.text}`);
      case 'progress':
        return this.#follow(event);
      case 'finding':
        return this.#say(...campaignFindingLines(event, this.#run, this.#kept));
      case 'footer':
        this.#live?.stop();
        this.#live = undefined;
        this.#say('', ...summaryLines(this.#run.findings, event, this.#kept, this.#run.header));
        return this.#say('', conclude(this.#run, isStrictRun(this.#run)).text);
      default:
        return undefined;
    }
  }

  /** Rewrites one line on a terminal; elsewhere a line now and then. */
  #follow(progress: ProgressEvent): void {
    this.#progress = progress;
    if (this.#out.isTTY === true) {
      this.#live ??= new LiveLine(() => row(progressText(this.#progress ?? progress)), this.#out);
      this.#live.draw();
    } else if (progress.elapsedMs >= this.#loggedMs + logMs) {
      this.#loggedMs = progress.elapsedMs;
      this.#say(progressText(progress));
    }
  }

  #say(...lines: readonly string[]): void {
    this.#live?.erase();
    for (const line of lines) this.#out.write(shownLine(line));
    this.#live?.draw();
  }
}

/** Elapsed and left, failures, cases a second, requests, answers by kind. */
function progressText(progress: ProgressEvent): string {
  const { elapsedMs, cases, requests, answers, findings, phase } = progress;
  const seconds = elapsedMs / 1000;
  const kinds = Object.entries(answers).toSorted(([, one], [, other]) => other - one);
  return [
    // What is last is cut off on a narrow screen.
    [`${seconds.toFixed(0)} s`, ...leftInWords(progress)].join(', '),
    countOf(findings, 'finding'),
    phase,
    `${(cases / Math.max(seconds, 0.001)).toFixed(0)} cases/s`,
    `${requests} requests`,
    kinds
      .slice(0, 5)
      .map(([kind, count]) => `${kind}: ${count}`)
      .join(' '),
  ].join(' | ');
}

/** What is left of the time, or of the cases: whichever ends it first as things go. */
function leftInWords({ elapsedMs, leftMs = Infinity, cases, leftCases = Infinity }: ProgressEvent): string[] {
  const casesMs = cases === 0 ? 0 : leftCases * (elapsedMs / cases);
  const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;
  if (Number.isFinite(leftMs) && leftMs <= casesMs) return [`${seconds(leftMs)} left`];
  if (!Number.isFinite(leftCases)) return [];
  return [`${countOf(leftCases, 'case')} left${cases === 0 ? '' : ` (about ${seconds(casesMs)})`}`];
}

/** Where the results of a campaign are kept, and the commands that show them again. */
interface KeptCampaign extends AgainCommands {
  readonly folder: string;
}

/** What a campaign came to, in lines for people. */
export function summaryLines(
  findings: readonly FindingEvent[],
  { campaign, reason, footprint, durationMs, staleBaseline = [] }: FooterEvent,
  kept: KeptCampaign,
  header?: HeaderEvent,
): readonly string[] {
  if (campaign === undefined) return [];
  const { folder } = kept;
  const { cases, answers, byFamily, readBack, inconclusive, fixed, leftOut, seen } = campaign;
  const kinds = Object.entries(answers).toSorted(([, one], [, other]) => other - one);
  const families = Object.entries(byFamily).map(([family, count]) => `${family} ${count}`);
  const knownOf = (finding: FindingEvent): string | undefined => (seen[finding.id] ?? finding).known;
  const counting = findings.filter((each) => knownOf(each) === undefined);
  const [failed, warned] = ['failed', 'warned'].map(
    (verdict) => counting.filter((each) => each.verdict === verdict).length,
  );
  const known = findings.length - counting.length;
  return [
    ...(reason === undefined ? [] : [reason]),
    ...Object.entries(leftOut).map(([family, why]) => `skipped: ${family}: ${why}`),
    `${cases} cases, ${footprint.requests} requests in ${(durationMs / 1000).toFixed(1)} s; ${inconclusive} inconclusive`,
    ...(families.length === 0 ? [] : [`families: ${families.join(', ')}`]),
    ...boundariesLeftText(campaign),
    `answers: ${kinds
      .slice(0, 8)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ')}`,
    `${readBack.compared} messages read back, ${readBack.absent} refused ones shown to be absent, ${readBack.inconclusive} inconclusive`,
    ...fixed.map((name) => `fixed: ${name}`),
    ...findings.flatMap((finding) => {
      const expected = knownOf(finding);
      return expected === undefined ? [] : [`known: ${finding.case?.root ?? finding.clause}: ${expected}`];
    }),
    ...staleBaseline.map(
      (entry) => `error: ${entry.place}  ${entry.clause ?? entry.check ?? ''} ${whatNow(entry)}`,
    ),
    `${failed} failed, ${warned} warned${known === 0 ? '' : `, ${known} known`}; results in ${folder}`,
    ...new Set(findings.map((finding) => `  ${againCommand(finding, { folder, header }, kept)}`)),
  ];
}

/** A campaign's finding as it comes: how often its request showed it, and its story. */
function campaignFindingLines(finding: FindingEvent, run: RunSoFar, kept: KeptCampaign): readonly string[] {
  const { verdict, clause, case: shown, known } = finding;
  const calls = shown?.calls ?? [];
  const lines = [
    ...findingLines(finding, run, kept),
    ...(calls.length > 1 ? [`seen in ${calls.join(', ')}`] : []),
  ];
  const where =
    shown === undefined ? 'in the whole history' : `by ${shown.label} (${oftenInWords(finding.seen)})`;
  // What the corpus has counts all the same, unless it was asked not to.
  const inCorpus = shown?.isInCorpus === true ? ' (in the corpus)' : '';
  const head = `${verdict}${known === undefined ? inCorpus : ' (known)'}: ${clause} ${where}`;
  return [head, ...lines.map((line) => `  ${line}`)];
}
