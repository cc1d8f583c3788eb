import { expect, it } from 'vitest';
import { type JsonObject, spoilSuccess } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { runAgainst } from '../run-suite.ts';

const id = 'receipts.list-has-every-report';

interface Listed {
  readonly receipts: readonly JsonObject[];
  readonly page: JsonObject;
}

/** What the check says of a list whose form is not shown. */
async function verdictOn(listed: (body: Listed, query: Readonly<Record<string, string>>) => object) {
  const answer = spoilSuccess('receipts', (own, { query }) => ({
    ...own,
    body: listed(own.body as Listed, query),
  }));
  const run = await runAgainst(
    allChecks.filter((check) => check.id === id),
    answer,
  );
  const { clauses = [] } = run.checks.find(({ check }) => check === id) ?? {};
  return clauses.find(({ clause }) => clause === 'receipts-list.paginates-all')?.verdict;
}

/** As mentions come: the newest without a cursor, and all there are from 0 on. */
const newestFirst = (keep: (receipts: readonly JsonObject[]) => readonly JsonObject[]) =>
  verdictOn(({ receipts, page }, { after }) =>
    after === undefined
      ? { receipts: receipts.slice(-1), page: { ...page, has_more: false } }
      : { receipts: keep(receipts), page },
  );

it('reads a list from its oldest record on that begins with the newest', async () => {
  expect(await newestFirst((receipts) => receipts)).toBe('passed');
  expect(await newestFirst((receipts) => receipts.slice(1))).toBe('failed');
});

it('does not judge a list that names messages by their places', async () => {
  expect(
    await verdictOn(({ receipts, page }) => ({
      receipts: receipts.map(({ agent_id }, at) => ({ agent_id, message_sequence: at + 1 })),
      page,
    })),
  ).toBe('inconclusive');
});

it('takes a list for whole that says so itself, and not for what is said within, nor beside a cursor', async () => {
  const first = ({ receipts }: Listed) => receipts.slice(0, 1);
  expect(await verdictOn((body) => ({ data: first(body), has_more: false }))).toBe('failed');
  expect(await verdictOn((body) => ({ data: first(body), has_more: false, next: 'next' }))).toBe(
    'inconclusive',
  );
  const within = (body: Listed) => first(body).map((each) => ({ ...each, agents: { has_more: false } }));
  expect(await verdictOn((body) => ({ data: within(body), cursor: 'next' }))).toBe('inconclusive');
  expect(await verdictOn((body) => ({ data: within(body) }))).toBe('inconclusive');
});
