import type { ClientJudge } from '../client-judge.ts';

/** A message is reported as retrieved after an answer has shown it. Where only a part of what was read is known, that says nothing. */
export const receipts: ClientJudge = ({ callers, isWhole }, findings) => {
  if (!isWhole) return;
  for (const { reports, readsOf, sends } of callers) {
    if (reports.length === 0) continue;
    const reads = [...readsOf.values()].flat();
    for (const report of reports) {
      const shown = new Set(
        [
          ...reads.flatMap(({ items, endedMs }) =>
            endedMs <= report.startedMs ? items.map(({ message }) => message.id) : [],
          ),
          ...sends.flatMap(({ shown: message, endedMs }) => (endedMs <= report.startedMs ? message?.id : [])),
        ].filter((id) => id !== undefined),
      );
      const unseen = report.messages.find((id) => !shown.has(id));
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
