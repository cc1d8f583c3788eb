import { Scoring, type ScoringOptions } from '../../../harness/gate/scoring.ts';
import { JudgedChapters } from '../../../harness/judging/judged-chapters.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import type { FindingEvent, FooterEvent } from '../../../harness/results/generated/events.ts';
import { judgedEvents } from '../../../harness/run/judged-stream.ts';
import type { History } from '../../../history/operation.ts';

const about = { footprint: { requests: 0, messages: 0, bytesWritten: 0 }, durationMs: 0 };

/** What a history comes to that is judged by itself. */
export function judgedAlone(history: History, options: ScoringOptions = {}) {
  const chapters = new JudgedChapters();
  chapters.add(history);
  const scoring = new Scoring(options, { isStrict: false });
  const events = judgedEvents({ chapters, scoring, secrets: new KnownSecrets() }, about);
  return {
    events,
    findings: events.filter((event): event is FindingEvent => event.type === 'finding'),
    footer: events.at(-1) as FooterEvent,
  };
}
