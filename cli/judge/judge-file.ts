import type { Scoring } from '../../harness/gate/scoring.ts';
import { JudgedChapters } from '../../harness/judging/judged-chapters.ts';
import type { NoticeEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import { judgedEvents, judgedHeader } from '../../harness/run/judged-stream.ts';
import { recordedByOthers } from '../../harness/traffic/recorded-exchange.ts';
import type { History } from '../../history/operation.ts';
import { lossIn } from '../../history/sure-part.ts';
import { countOf } from '../../reporters/quantities.ts';
import { secrets } from '../shared/output.ts';
import { readHar } from './read-har.ts';
import type { HarFacts, RecordedTraffic } from './read-har.ts';
import { readHistory } from './read-history.ts';

interface JudgeParts extends HarFacts {
  readonly scoring: Scoring;
  readonly isStrict: boolean;
}

/**
 * What judging the history, or the HAR file, of a path comes to, as the stream of a run.
 * @throws InvalidTarget when the file cannot be read, or is neither; it names the line or the place
 */
export function judgedFile(
  file: string,
  { scoring, isStrict, ...facts }: JudgeParts,
): readonly ResultEvent[] {
  const startedMs = performance.now();
  const { history, baseUrl = `file:${file}`, withoutCredential = 0 } = recordedIn(file, facts);
  const named = facts.baseUrl === undefined ? [] : ['--base-url', facts.baseUrl];
  const header = judgedHeader('judge', baseUrl, { isStrict, command: ['judge', file, ...named] });
  const chapters = new JudgedChapters();
  chapters.add(history);
  const about = {
    footprint: { requests: 0, messages: 0, bytesWritten: 0 },
    durationMs: performance.now() - startedMs,
  };
  return [
    header,
    ...noticesOn(history, withoutCredential),
    ...judgedEvents({ chapters, scoring, secrets }, about),
  ];
}

function recordedIn(
  file: string,
  facts: HarFacts,
): Pick<RecordedTraffic, 'history'> & Partial<RecordedTraffic> {
  return /\.har$/i.test(file) ? readHar(file, facts) : { history: readHistory(file) };
}

/** What there was to judge. */
function noticesOn(history: History, withoutCredential: number): readonly NoticeEvent[] {
  const { operations, facts } = history;
  const kinds = (['send', 'read', 'report', 'change'] as const)
    .map((kind) => countOf(operations.filter((each) => each.kind === kind).length, kind))
    .join(', ');
  const of = facts.runId === recordedByOthers ? 'recorded traffic' : `history of run ${facts.runId}`;
  const what = `${of}: ${countOf(operations.length, 'operation')} (${kinds})`;
  const left = `${countOf(withoutCredential, 'request')} left out: without a credential nobody can say whose they are`;
  const loss = lossIn(history);
  const ms = Math.max(0, (loss?.startedMs ?? 0) - (operations[0]?.startedMs ?? 0)).toFixed(1);
  const until = `judged up to ${ms} ms: later nobody found the server, its credentials and its messages all there`;
  return [
    { type: 'notice', severity: 'info', text: what },
    ...(withoutCredential === 0 ? [] : [{ type: 'notice', severity: 'warning', text: left } as const]),
    ...(loss === undefined ? [] : [{ type: 'notice', severity: 'warning', text: until } as const]),
  ];
}
