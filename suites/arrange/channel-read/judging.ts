import type { ClauseId } from '../../../spec/index.ts';
import { isAccepted } from '../../../harness/client/exchange.ts';
import { HistoryRecorder } from '../../../harness/record/history-recorder.ts';
import type { PageRead } from '../../../harness/stream/page.ts';
import type { Always } from '../../../harness/check/context.ts';
import type { Expect } from '../../../harness/check/expect.ts';
import { describeAnswer, unmet } from '../../../harness/verdict/outcome.ts';
import type { AnomalyName } from '../../../history/anomalies/catalogue.ts';
import { cursors } from '../../../history/judges/cursors.ts';
import { identity } from '../../../history/judges/identity.ts';
import { pages } from '../../../history/judges/pages.ts';
import { worldOf } from '../../../history/world/world.ts';
import { allOf, type Judgement } from '../../../oracles/values/judgement.ts';

/** What is wrong with a page by itself, and then with the numbers of messages; what comes first says nothing about the rest. */
const unsound: readonly AnomalyName[] = [
  'unordered-page',
  'duplicate-sequence',
  'inclusive-cursor',
  'cursor-stall',
  'next-behind-page',
  'inconsistent-offsets',
  'moved',
];
const ofNumbers: readonly AnomalyName[] = ['inconsistent-offsets', 'moved'];
/** The marker of no run: whoever sent a message makes no difference to the page that it stands on. */
const noRun = 'no-run';

/**
 * Ends the check with its precondition not met when a page was refused, or the judges of the history find a page, or the numbers of
 * messages on several, unsound: rules about what pages cover come after those.
 */
export function requireSound(
  { bindings, names, settleMs }: Pick<Always, 'bindings' | 'names' | 'settleMs'>,
  reads: readonly PageRead[],
): void {
  const refused = reads.find(({ exchange }) => !isAccepted(exchange));
  if (refused !== undefined) unmet(`a page got ${describeAnswer(refused.exchange)}`, refused.exchange);
  const facts = { runId: noRun, settleMs, isDurable: false };
  const recorder = new HistoryRecorder(facts, { bindings, names });
  const exchanges = reads.map(({ exchange }) => exchange).toSorted((a, b) => a.endedMs - b.endedMs);
  const exchangeOf = new Map(exchanges.map((exchange) => [recorder.add('check', exchange), exchange]));
  const world = worldOf(recorder.history);
  const found = [pages, cursors, identity].flatMap(({ judge }) => judge(world).anomalies);
  const broken = unsound.flatMap((name) => found.find((each) => each.name === name) ?? [])[0];
  if (broken === undefined) return;
  const what = ofNumbers.includes(broken.name)
    ? 'messages do not keep their numbers'
    : `a page breaks ${broken.clause}`;
  unmet(`${what}, which is judged elsewhere`, exchangeOf.get(broken.witness[0]));
}

/** Judges pages one by one; the first that is at fault is the evidence. */
export function judgePages(
  expect: Expect,
  clause: ClauseId,
  pages: readonly PageRead[],
  rule: (page: PageRead) => Judgement,
): void {
  const shown = pages.find((page) => rule(page).problems.length > 0) ?? pages[0];
  expect.judgement(clause, allOf(pages.map(rule)), ...(shown === undefined ? [] : [shown.exchange]));
}
