import { expect, it } from 'vitest';
import { readChannel } from '../../../../spec/calls/index.ts';
import { defaultBindings, defaultNames } from '../../../../harness/config/target.ts';
import { readPage, type PageRead } from '../../../../harness/stream/page.ts';
import { CheckStopped } from '../../../../harness/verdict/outcome.ts';
import { pageEnds } from '../../../../history/judges/page-ends.ts';
import { judgeReads, requireSound } from '../../../../suites/arrange/channel-read/judging.ts';

const context = { bindings: defaultBindings, names: defaultNames, settleMs: 1 };

/** A page of a channel with these messages, in this order and each at its number, asked for after 4, a while after the one before. */
function pageOf(number: number, messages: Readonly<Record<string, number>>, next = 9): PageRead {
  const request = { ...readChannel('c', { after: 4, limit: 9 }), headers: {}, body: undefined };
  const items = Object.entries(messages).map(([id, sequence]) => ({ id, sequence, content: id, author: {} }));
  const json = { messages: items, page: { next_after: next, has_more: false, high_watermark: 9 } };
  const response = { status: 200, headers: {}, bytes: new Uint8Array(), json };
  const times = { startedMs: 100 * number, endedMs: 100 * number + 1 };
  const exchange = { id: number, actor: 'author', request, response, fault: undefined, ...times };
  return readPage(exchange);
}

const reasonOf = (...pages: readonly PageRead[]): unknown => {
  try {
    return requireSound(context, pages);
  } catch (error) {
    return error instanceof CheckStopped && error.stop.kind === 'unmet' ? error.stop.reason : error;
  }
};

it.each([
  ['whose messages fall', { a: 6, b: 5 }, 'channel-read.ascending'],
  ['with one number twice', { a: 6, b: 6 }, 'channel-read.no-duplicate-sequence'],
  ['with a message at its cursor', { a: 4, b: 6 }, 'channel-read.after-exclusive'],
  ['that ends before its cursor does', { a: 5, b: 10 }, 'page.next-after-not-behind-items'],
  ['as it has to be', { a: 5, b: 6 }, undefined],
] as const)('a page %s ends a check that builds on it, or does not', (_what, messages, clause) => {
  expect(reasonOf(pageOf(1, messages))).toBe(clause && `a page breaks ${clause}, which is judged elsewhere`);
});

it('pages that give a message another number, or a number another message, end it', () => {
  const first = pageOf(1, { a: 5, b: 6 });
  const reason = 'messages do not keep their numbers, which is judged elsewhere';
  expect(reasonOf(first, pageOf(2, { a: 7 }))).toBe(reason);
  expect(reasonOf(first, pageOf(2, { c: 6 }))).toBe(reason);
  expect(reasonOf(first, pageOf(2, { b: 6, c: 7 }))).toBeUndefined();
});

it('reads are held against a judge of the history, with the exchanges that show a breach', () => {
  const whole = { a: 5, b: 6 };
  const [first, short, last] = [pageOf(1, whole), pageOf(2, { a: 5 }, 5), pageOf(3, whole)];
  const judge = (...reads: readonly PageRead[]) =>
    judgeReads(context, pageEnds, 'page.has-more-while-items-remain', reads);
  const { judged, problems, evidence } = judge(first, short, last);
  expect(judged).toBe(1);
  expect(problems.map(({ actual }) => actual)).toEqual(['has_more false']);
  expect(evidence).toEqual([first, last, short].map(({ exchange }) => exchange));
  expect(judge(first, last)).toEqual({ judged: 0, problems: [], evidence: [] });
});
