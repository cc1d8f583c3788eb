import { describe, expect, it } from 'vitest';
import { requiredClauses } from '../../harness/gate/required-clauses.ts';
import { partsNeeded, partsOfClause } from '../../harness/config/optional-parts.ts';
import { historyChecks } from '../../harness/judging/run-wide-checks.ts';
import { wireChecks } from '../../harness/wire/wire-checks.ts';
import { jsonAnswer } from '../../reference/model/answer.ts';
import { inapplicableGroups } from '../../reporters/inconclusive.ts';
import { allClausesOf } from '../../harness/check/check.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, runAgainst } from './run-suite.ts';

const notThere = (status: number) =>
  jsonAnswer(status, { error: { code: 'not_there', message: 'there is no such call' } });

/** No receipts, no details in errors, no files. */
const lesser = {
  rules: {
    presentReceipts: () => undefined,
    presentAttachments: () => [],
    errorBody: (code: string, message: string) => ({ error: { code, message } }),
  },
  answer: (_answer: unknown, { route }: { readonly route: string | null }) => {
    if (route === 'receipts' || route === 'reportReceipts') return notThere(405);
    return route === 'upload' || route === 'file' || route === 'fileContent' ? notThere(404) : undefined;
  },
};

describe('a server that is without what not every server has', () => {
  it('passes a gate of every must clause, and says once for each part what does not apply', async () => {
    const run = await runAgainst(allChecks, lesser, {
      target: ({ hooks: { file: _file, ...hooks }, ...target }) => ({
        ...target,
        hooks,
        files: [],
        without: ['files'],
      }),
      required: requiredClauses(['must'], '/'),
    });
    expect(findingsOf(run).filter((found) => found.endsWith('failed'))).toEqual([]);
    expect(run.footer.requiredInconclusive).toBeUndefined();
    expect(run.footer.exitCode).toBe(0);
    expect(
      inapplicableGroups(run.checks)
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual([
      'the target says that this server has no files',
      'this server has no details in its errors',
      'this server has no receipts (405)',
    ]);
    const { must } = run.footer.clauses;
    expect(must.inconclusive).toBe(0);
    expect(must.notApplicable).toBeGreaterThan(60);
    expect(must.passed + (must.notApplicable ?? 0)).toBe(requiredClauses(['must'], '/').length);
  }, 120_000);

  it('is judged all the same where the target says so and the run shows it', async () => {
    const checks = /^(?:receipts|file|errors)\./;
    const run = await runAgainst(
      checks,
      {},
      {
        target: ({ hooks: { file: _file, limit: _limit, ...hooks }, ...target }) => ({
          ...target,
          hooks,
          without: ['receipts', 'files', 'limits'],
        }),
        profile: { selection: ['receipts', 'file', 'errors'] },
      },
    );
    const notices = run.events.flatMap((event) => (event.type === 'notice' ? event.text : []));
    const wrong = notices.filter((text) => text.includes('without'));
    expect(wrong.map((text) => /has no ([^,]*)/.exec(text)?.[1])).toEqual(['receipts', 'files']);
    expect(inapplicableGroups(run.checks).map(({ text }) => text)).toEqual([
      'the target says that this server has no limits on requests',
    ]);
  });
});

describe('a clause that is about no such part', () => {
  const clausesOfRun = [...wireChecks, ...historyChecks].flatMap(({ clauses }) => clauses);

  it('has a check that needs none of them', () => {
    const others = [...new Set(allChecks.flatMap(allClausesOf))].filter(
      (clause) => partsOfClause(clause).length === 0 && !clausesOfRun.includes(clause),
    );
    const lost = others.filter((clause) =>
      allChecks
        .filter((check) => allClausesOf(check).includes(clause))
        .every(({ needs }) => partsNeeded(needs).length > 0),
    );
    expect(lost).toEqual([]);
  });
});
