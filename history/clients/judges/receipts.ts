import type { Read, Send } from '../../operation.ts';
import type { SeenMessage } from '../../seen-message.ts';
import type { ClientJudge } from '../client-judge.ts';

/** A message is reported as retrieved after an answer has shown it. Where only a part of what was read is known, that says nothing. */
export const receipts: ClientJudge = ({ callers, isWhole }, findings) => {
  if (!isWhole) return;
  for (const { reports, readsOf, sends } of callers) {
    if (reports.length === 0) continue;
    const shownMs = new Map<string, number>();
    const note = ({ id }: SeenMessage, { endedMs }: Read | Send): void => {
      if (id !== undefined) shownMs.set(id, Math.min(endedMs, shownMs.get(id) ?? Number.POSITIVE_INFINITY));
    };
    for (const read of [...readsOf.values()].flat())
      for (const { message } of read.items) note(message, read);
    for (const send of sends) if (send.shown !== undefined) note(send.shown, send);
    for (const report of reports) {
      const unseen = report.messages.find(
        (id) => !((shownMs.get(id) ?? Number.POSITIVE_INFINITY) <= report.startedMs),
      );
      findings.hold('client.receipts.only-what-was-shown', unseen === undefined, () => ({
        name: 'unseen-receipt',
        expected: 'reports of messages that were shown',
        actual: `a report of ${unseen}, which no answer had shown`,
        witness: [report],
        root: `message ${unseen}`,
      }));
    }
  }
};
