import type { Scoring } from '../../harness/gate/scoring.ts';
import { JudgedChapters } from '../../harness/judging/judged-chapters.ts';
import type { NoticeEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import { judgedEvents, judgedHeader } from '../../harness/run/judged-stream.ts';
import type { History } from '../../history/operation.ts';
import { lossIn } from '../../history/sure-part.ts';
import { countOf } from '../../reporters/quantities.ts';
import { secrets } from '../shared/output.ts';
import { readHistory } from './read-history.ts';

/**
 * What judging the history in a file comes to, as the stream of a run.
 * @throws InvalidTarget when the file cannot be read, or is not a history; it names the line
 */
export function judgedFile(
  file: string,
  { scoring, isStrict }: { readonly scoring: Scoring; readonly isStrict: boolean },
): readonly ResultEvent[] {
  const startedMs = performance.now();
  const header = judgedHeader('judge', `file:${file}`, { isStrict, command: ['judge', file] });
  const history = readHistory(file);
  const chapters = new JudgedChapters();
  chapters.add(history);
  const about = {
    footprint: { requests: 0, messages: 0, bytesWritten: 0 },
    durationMs: performance.now() - startedMs,
  };
  return [header, ...noticesOn(history), ...judgedEvents({ chapters, scoring, secrets }, about)];
}

/** What there was to judge. */
function noticesOn(history: History): readonly NoticeEvent[] {
  const { operations, facts } = history;
  const kinds = (['send', 'read', 'report', 'change'] as const)
    .map((kind) => countOf(operations.filter((each) => each.kind === kind).length, kind))
    .join(', ');
  const what = `history of run ${facts.runId}: ${countOf(operations.length, 'operation')} (${kinds})`;
  const loss = lossIn(history);
  const ms = Math.max(0, (loss?.startedMs ?? 0) - (operations[0]?.startedMs ?? 0)).toFixed(1);
  const until = `judged up to ${ms} ms: later nobody found the server, its credentials and its messages all there`;
  return [
    { type: 'notice', severity: 'info', text: what },
    ...(loss === undefined ? [] : [{ type: 'notice', severity: 'warning', text: until } as const]),
  ];
}
