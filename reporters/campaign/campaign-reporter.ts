import type { ProgressEvent } from '../../harness/results/campaign-events.ts';
import type { FindingEvent, HeaderEvent, ResultEvent } from '../../harness/results/events.ts';
import { shownLine } from '../../harness/output/printable.ts';
import { countOf } from '../quantities.ts';
import { LiveLine } from '../run/live-line.ts';
import { row } from '../run/rows.ts';
import type { TerminalOutput } from '../../harness/output/terminal.ts';
import { summaryLines } from './campaign-summary.ts';
import type { KeptCampaign } from './campaign-summary.ts';
import { findingLines } from './finding-lines.ts';

/** Between two lines on progress where lines are kept, in ms. */
const logMs = 15_000;
const defaultColumns = 80;

/** Prints a campaign: what it finds as it comes, how far it is, what it came to. */
export function campaignReporter(out: TerminalOutput, kept: KeptCampaign): (event: ResultEvent) => void {
  const terminal = new CampaignTerminal(out, kept);
  return (event) => terminal.event(event);
}

class CampaignTerminal {
  readonly #out: TerminalOutput;
  readonly #kept: KeptCampaign;
  readonly #findings: FindingEvent[] = [];
  #header: HeaderEvent | undefined;
  #live: LiveLine | undefined;
  #progress: ProgressEvent | undefined;
  #loggedMs = 0;

  constructor(out: TerminalOutput, kept: KeptCampaign) {
    this.#out = out;
    this.#kept = kept;
  }

  event(event: ResultEvent): void {
    switch (event.type) {
      case 'header':
        this.#header = event;
        return this.#say(`seed ${event.campaign?.seed}, shard ${event.campaign?.shards.join(', ')}`);
      case 'preflight':
        return this.#say(...event.lines.map(({ severity, text }) => `${severity}: ${text}`));
      case 'notice':
        return this.#say(`${event.severity}: ${event.text}`);
      case 'progress':
        return this.#follow(event);
      case 'finding':
        this.#findings.push(event);
        return this.#say(...findingLines(event));
      case 'footer':
        this.#live?.stop();
        this.#live = undefined;
        return this.#say('', ...summaryLines(this.#findings, event, this.#kept, this.#header));
      default:
        return undefined;
    }
  }

  /** Rewrites one line on a terminal; elsewhere a line now and then. */
  #follow(progress: ProgressEvent): void {
    this.#progress = progress;
    if (this.#out.isTTY === true) {
      this.#live ??= new LiveLine(
        () => row(progressText(this.#progress ?? progress)),
        () => ({
          write: (text) => this.#out.write(text),
          // Some pseudo-terminals have no width.
          columns: this.#out.columns || defaultColumns,
          hasColor: false,
        }),
      );
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
    `${findings} failures`,
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
