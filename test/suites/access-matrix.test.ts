import { describe, expect, it } from 'vitest';
import { listSituations } from '../../cli/explain/situation-rows.ts';
import { areaOf } from '../../harness/check/check.ts';
import type { RunCoverage } from '../../harness/results/generated/events.ts';
import type { Situation } from '../../harness/verdict/ledger.ts';
import { accessCellMutants } from '../../selftest/mutants/access/access-cell-mutants.ts';
import { observeHere } from '../../selftest/run/observe.ts';
import { mutantServer } from '../../selftest/servers/server.ts';
import {
  accessCells,
  accessSituations,
  cellName,
  declaredCells,
} from '../../suites/arrange/auth/access-matrix.ts';
import { allChecks } from '../../suites/index.ts';
import { runAgainst } from './run-suite.ts';

const deciding = new Set<string>(accessCells.map(({ clause }) => clause));
const checks = allChecks.filter(
  (check) =>
    check.bodyBytes === 0 &&
    !check.isExclusive &&
    (['auth', 'errors'].includes(areaOf(check)) || check.clauses.some((clause) => deciding.has(clause))),
);

/** The cells that a run judged. */
async function cellsJudged(): Promise<{ judged: Set<string>; coverage: RunCoverage | undefined }> {
  const judged = new Set<string>();
  const onSituation = ({ clause, dimensions }: Situation): void => {
    if (!deciding.has(clause)) return;
    const { call = '', credential = '', form = '' } = dimensions;
    judged.add(cellName({ clause, call, credential, form }));
  };
  const { footer } = await runAgainst(checks, {}, { onSituation, situations: declaredCells() });
  return { judged, coverage: footer.coverage };
}

describe('the access matrix', () => {
  it('is judged whole by a run on a target with every role and every hook, and nothing beside it', async () => {
    const { judged, coverage } = await cellsJudged();
    expect([...judged].toSorted()).toEqual(accessCells.map(cellName).toSorted());
    const told = coverage?.situations.filter(({ clause }) => deciding.has(clause)) ?? [];
    expect(told.reduce((sum, { seen }) => sum + seen, 0)).toBe(accessCells.length);
    expect(told.flatMap(({ missing }) => missing)).toEqual([]);
  });

  it('is listed by clause, with every cell once', () => {
    const listed = accessSituations();
    expect(listed.reduce((sum, { cells }) => sum + cells, 0)).toBe(accessCells.length);
    expect(listed.find(({ clause }) => clause === 'auth.missing-credential')).toEqual({
      clause: 'auth.missing-credential',
      dimensions: {
        call: [
          'channels-list',
          'channel-read',
          'send',
          'receipts-list',
          'overview',
          'file',
          'file-content',
          'report',
        ],
        credential: ['missing', 'claimed'],
        form: [
          'baseline',
          'after-0',
          'no-cursor',
          'issued-cursor',
          'empty-page',
          'wait',
          'wait-at-the-end',
          'with-targets',
          'repeated-key',
        ],
      },
      cells: 30,
    });
  });

  it('is printed with the situations of reading', async () => {
    const text = listSituations(undefined);
    expect(text).toContain(`${accessCells.length} cells, each of which a full run judges`);
    expect(text).toContain('auth.respelled-credential  76 cells');
  });

  it('has a mutant for each cell, which breaks the clause of that cell', () => {
    const mutants = accessCellMutants.map(({ id, clause }) => `${clause} ${id}`);
    const cells = accessCells.map(
      ({ clause, call, credential, form }) => `${clause} access-${call}-${credential}-${form}`,
    );
    expect(mutants.toSorted()).toEqual(cells.toSorted());
    expect(new Set(cells).size).toBe(cells.length);
  });
});

it.concurrent.each([
  ['access-channel-read-missing-wait-at-the-end', 'without a credential, with a wait for what is to come'],
  ['access-mentions-expired-empty-page', 'good until it expired, for an empty page'],
  ['access-send-cut-short-repeated-key', 'its last character, that repeats an accepted one under its key'],
  ['access-receipts-list-outsider-baseline', 'as an agent without access, nothing else changed'],
])('a finding names the form of the request and the credential: %s', async (id, words) => {
  const mutant = accessCellMutants.find((each) => each.id === id);
  if (mutant === undefined) throw new Error('there is no such mutant');
  const likely = allChecks.filter(({ clauses }) => clauses.includes(mutant.clause));
  const { found } = await observeHere(mutantServer(mutant), likely);
  expect(found.map(({ clause }) => clause)).toEqual([mutant.clause]);
  expect(found[0]?.text).toContain(words);
});
