import type { ClauseId } from '../../../spec/index.ts';
import { isAccepted, type Exchange } from '../../../harness/client/exchange.ts';
import { HistoryRecorder } from '../../../harness/record/history-recorder.ts';
import type { PageRead } from '../../../harness/stream/page.ts';
import type { Always } from '../../../harness/check/context.ts';
import type { Expect } from '../../../harness/check/expect.ts';
import { describeAnswer, unmet } from '../../../harness/verdict/outcome.ts';
import type { AnomalyName } from '../../../history/anomalies/catalogue.ts';
import type { Anomaly, Judge } from '../../../history/anomalies/judge.ts';
import { cursors } from '../../../history/judges/cursors.ts';
import { identity } from '../../../history/judges/identity.ts';
import { pages } from '../../../history/judges/pages.ts';
import { pageEnds } from '../../../history/judges/page-ends.ts';
import { worldOf, type World } from '../../../history/world/world.ts';
import { allOf, type Judgement } from '../../../spec/oracles/values/judgement.ts';
import { isEmptyAndStill, sequencesOf } from '../../../spec/oracles/pages/read-page.ts';
import type { StreamView } from '../../../harness/stream/stream-view.ts';
import { settle } from '../eventually.ts';
import { wrongLast } from '../wrong-last.ts';

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

/** What reads by themselves make known to the judges of the history, and the exchanges behind what those find. */
function worldOfReads(
  { bindings, names }: Pick<Always, 'bindings' | 'names'>,
  settleMs: number,
  reads: readonly PageRead[],
): { readonly world: World; readonly exchangesOf: (found: Anomaly) => readonly Exchange[] } {
  const facts = { runId: noRun, settleMs, isDurable: false };
  const recorder = new HistoryRecorder(facts, { bindings, names });
  const exchanges = reads.map(({ exchange }) => exchange).toSorted((a, b) => a.endedMs - b.endedMs);
  const exchangeOf = new Map(exchanges.map((exchange) => [recorder.add('check', exchange), exchange]));
  const exchangesOf = ({ witness, decides }: Anomaly) =>
    wrongLast(witness, (each) => each === decides).flatMap((each) => exchangeOf.get(each) ?? []);
  return { world: worldOf(recorder.history), exchangesOf };
}

/** What has to be known to judge reads by themselves. */
type Judging = Pick<Always, 'bindings' | 'names' | 'settleMs'>;

/**
 * Ends the check with its precondition not met when a page was refused, or the judges of the history find a page, or the numbers of
 * messages on several, unsound: rules about what pages cover come after those.
 */
export function requireSound(context: Judging, reads: readonly PageRead[]): void {
  const refused = reads.find(({ exchange }) => !isAccepted(exchange));
  if (refused !== undefined) unmet(`a page got ${describeAnswer(refused.exchange)}`, refused.exchange);
  const { world, exchangesOf } = worldOfReads(context, context.settleMs, reads);
  const found = [pages, cursors, identity].flatMap(({ judge }) => judge(world).anomalies);
  const broken = unsound.flatMap((name) => found.find((each) => each.name === name) ?? [])[0];
  if (broken === undefined) return;
  const what = ofNumbers.includes(broken.name)
    ? 'messages do not keep their numbers'
    : `a page breaks ${broken.clause}`;
  unmet(`${what}, which is judged elsewhere`, exchangesOf(broken)[0]);
}

/** What a judge of the history makes of reads by themselves under one clause, and the exchanges that show the first breach. */
export function judgeReads(
  context: Judging,
  { judge }: Judge,
  clause: ClauseId,
  reads: readonly PageRead[],
): Judgement & { readonly evidence: readonly Exchange[] } {
  const { world, exchangesOf } = worldOfReads(context, context.settleMs, reads);
  const { opportunities, anomalies } = judge(world);
  const broken = anomalies.filter((each) => each.clause === clause);
  return {
    judged: opportunities.get(clause) ?? 0,
    problems: broken.map(({ expected, actual }) => ({ expected, actual })),
    evidence: broken.slice(0, 1).flatMap(exchangesOf),
  };
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

/** Reads to be judged, and those that tell what is there. */
interface Look {
  readonly whole: () => Promise<readonly PageRead[]>;
  readonly judged: () => Promise<readonly PageRead[]>;
}

/**
 * Judges reads by a judge of the history, with reads of the whole before and after them. Where these show a breach if the server had no
 * time at all, it looks again more than the settle time later, and at the whole once more after as long: then neither a replica that
 * lags nor retention explains what is missing. What is judged has to be sound, and what is beside it where `isAllSound`.
 */
export async function judgeTwice(
  context: Judging & Pick<Always, 'expect' | 'sleep' | 'clock'>,
  [by, clause]: readonly [Judge, ClauseId],
  { whole, judged }: Look,
  { isAllSound }: { readonly isAllSound: boolean },
): Promise<void> {
  const beside = [...(await whole())];
  const looked = [await judged()];
  beside.push(...(await whole()));
  // Each look by itself: what two of them lack, as long after one another, was gone for long, of which another clause speaks.
  const judge = (settleMs: number) =>
    looked.map((look) => judgeReads({ ...context, settleMs }, by, clause, [...beside, ...look]));
  if (allOf(judge(0)).problems.length > 0) {
    await settle(context);
    looked.push(await judged());
    await settle(context);
    beside.push(...(await whole()));
  }
  requireSound(context, [...(isAllSound ? beside : []), ...looked.flat()]);
  const judgements = judge(context.settleMs);
  const shown = judgements.find(({ problems }) => problems.length > 0);
  context.expect.judgement(clause, allOf(judgements), ...(shown?.evidence ?? []));
}

/**
 * Judges that reading on in threes never stands still, and that pages announce more up to the last item of a stream, even a
 * single one; gives the places of the last items.
 */
export async function judgeTheEnd(
  context: Judging & Pick<Always, 'expect' | 'sleep' | 'clock'>,
  stream: StreamView,
  from: bigint,
): Promise<readonly bigint[]> {
  const { expect } = context;
  const pages = await readPatiently(context, stream, from);
  const moving = judgeReads(context, cursors, 'page.empty-page-moves-on', pages);
  expect.judgement('page.empty-page-moves-on', moving, ...pages.slice(-3).map(({ exchange }) => exchange));
  const whole = async () => (await stream.walk(from)).pages;
  const tail = sequencesOf(pages.flatMap(({ items }) => items)).slice(-4);
  const judged = () =>
    Promise.all(tail.flatMap((after) => [stream.readPage(after, 1), stream.readPage(after, 2)]));
  await judgeTwice(
    context,
    [pageEnds, 'page.has-more-while-items-remain'],
    { whole, judged },
    { isAllSound: true },
  );
  return tail;
}

/**
 * Judges that a stream announces nothing more at its end: neither on a page that ends at the last of the items at `places`, nor on one
 * behind it, looked at twice, more than the settle time apart. What comes to light there until after as long again was announced rightly.
 */
export async function judgeNothingMore(
  context: Pick<Always, 'expect' | 'settleMs' | 'sleep' | 'clock'>,
  stream: StreamView,
  places: readonly bigint[],
): Promise<void> {
  const [before, last] = places.slice(-2);
  if (before === undefined || last === undefined) return;
  const look = () => Promise.all([stream.readPage(before, 1), stream.readPage(last, 1)]);
  const clause = 'page.has-more-ends-with-the-items';
  const looks = [await look()];
  if (looks[0]?.some(({ hasMore }) => hasMore === true) === true) {
    await settle(context);
    looks.push(await look());
    await settle(context);
  }
  const { pages: beyond } = await stream.walk(last);
  const shown = sequencesOf([...looks.flat(), ...beyond].flatMap(({ items }) => items));
  if (shown.some((sequence) => sequence > last)) return;
  for (const [at, page] of (looks.at(-1) ?? []).entries()) {
    if (page.hasMore === undefined || !isAccepted(page.exchange)) continue;
    // From the place before, a page may end before the last item, as one without items does.
    if (at === 0 && sequencesOf(page.items).at(-1) !== last) continue;
    const problem = {
      expected: `has_more false on a page that ends at ${last}, beyond which nothing came to light in two settle times`,
      actual: 'has_more true',
    };
    const evidence = [...beyond.slice(0, 1).map(({ exchange }) => exchange), page.exchange];
    context.expect.holds(clause, !page.hasMore, problem, ...evidence);
  }
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
