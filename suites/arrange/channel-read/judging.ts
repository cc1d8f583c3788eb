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
import type { CoverageJudgement } from '../../../oracles/pages/required.ts';
import { isEmptyAndStill, judgeEmptyPagesMoveOn } from '../../../oracles/pages/cursor.ts';
import { allOf, type Judgement } from '../../../oracles/values/judgement.ts';
import { judgeMoreWhileItemsRemain } from '../../../oracles/pages/coverage.ts';
import { sequencesOf } from '../../../oracles/pages/read-page.ts';
import type { StreamView } from '../../../harness/stream/stream-view.ts';
import { settle } from '../eventually.ts';

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

/** Judges what reads cover; the reads that show the first problem are the evidence. */
export function judgeCoverage(
  expect: Expect,
  clause: ClauseId,
  judgement: CoverageJudgement<PageRead>,
): void {
  const witness = judgement.problems[0]?.witness ?? [];
  expect.judgement(clause, judgement, ...witness.map(({ exchange }) => exchange));
}

/** Reads to be judged, and those that tell what is there. */
interface Look {
  readonly whole: () => Promise<readonly PageRead[]>;
  readonly judged: () => Promise<readonly PageRead[]>;
}

/** All reads of a {@link Look}, and those among them that are judged. */
interface Looked {
  readonly reads: readonly PageRead[];
  readonly judged: readonly PageRead[];
}

/**
 * Reads before, between and after. When `isSuspicious` of that, it looks again more than the settle time later, and at
 * the whole once more after as long: then neither a replica that lags nor retention explains what is missing.
 */
export async function lookTwice(
  context: Pick<Always, 'settleMs' | 'sleep' | 'clock'>,
  { whole, judged }: Look,
  isSuspicious: (looked: Looked) => boolean,
): Promise<Looked> {
  const before = await whole();
  const first = await judged();
  const once = { reads: [...before, ...first, ...(await whole())], judged: first };
  if (!isSuspicious(once)) return once;
  await settle(context);
  const second = await judged();
  await settle(context);
  return { reads: [...once.reads, ...second, ...(await whole())], judged: [...first, ...second] };
}

/**
 * Judges that reading on in threes never stands still, and that pages announce more up to the last item of a stream, even a
 * single one; gives the places of the last items.
 */
export async function judgeTheEnd(
  context: Pick<Always, 'expect' | 'settleMs' | 'sleep' | 'clock' | 'bindings' | 'names'>,
  stream: StreamView,
  from: bigint,
): Promise<readonly bigint[]> {
  const { expect, settleMs } = context;
  const pages = await readPatiently(context, stream, from);
  const evidence = pages.slice(-3).map(({ exchange }) => exchange);
  expect.judgement('page.empty-page-moves-on', judgeEmptyPagesMoveOn(pages, settleMs), ...evidence);
  const whole = async () => (await stream.walk(from)).pages;
  const tail = sequencesOf(pages.flatMap(({ items }) => items)).slice(-4);
  const judged = () =>
    Promise.all(tail.flatMap((after) => [stream.readPage(after, 1), stream.readPage(after, 2)]));
  const looked = await lookTwice(
    context,
    { whole, judged },
    ({ reads }) => judgeMoreWhileItemsRemain(reads, 0).problems.length > 0,
  );
  requireSound(context, looked.reads);
  judgeCoverage(
    expect,
    'page.has-more-while-items-remain',
    judgeMoreWhileItemsRemain(looked.reads, settleMs),
  );
  return tail;
}

/** Reads on in threes, once more from the end, and again after the settle time where a page without items hands its own cursor out. */
async function readPatiently(
  context: Pick<Always, 'settleMs' | 'sleep'>,
  stream: StreamView,
  from: bigint,
): Promise<readonly PageRead[]> {
  const { pages, nextAfter: end } = await stream.walk(from, { limit: 3 });
  const beyond = async () => (await stream.walk(end, { limit: 3 })).pages;
  const all = [...pages, ...(await beyond())];
  if (!all.slice(-1).some(isEmptyAndStill)) return all;
  await settle(context);
  return [...all, ...(await beyond())];
}
