import { expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import type { WorkspaceFile } from '../../../spec/index.ts';
import { spoilSuccess } from '../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, runAgainst } from '../run-suite.ts';

/** Serves a deleted file to those asks, counted from 0, that are meant. */
function servingDeleted(isMeant: (asked: number) => boolean) {
  const known = new Map<string, unknown>();
  let asked = -1;
  const isDownloadable = ({ status }: WorkspaceFile): boolean => {
    if (status === 'deleted') asked += 1;
    return status !== 'deleted' || isMeant(asked);
  };
  const remembered = spoilSuccess('fileContent', (answer, { path }) => {
    if (Buffer.isBuffer(answer.body) && answer.body.length > 0) known.set(path, answer.body);
    return { ...answer, body: known.get(path) ?? answer.body };
  });
  return { rules: { ...contractRules, isDownloadable }, ...remembered };
}

it.each([
  ['every second time', (asked: number) => asked % 2 === 1, ['failed']],
  ['to another agent', (asked: number) => asked === 4, ['failed']],
  ['until all of the server knows', (asked: number) => asked < 2, []],
] as const)('a deleted file that still comes %s', async (_, isMeant, verdicts) => {
  const checks = allChecks.filter(({ id }) => id === 'file.deleted-file-is-not-downloadable');
  const found = findingsOf(await runAgainst(checks, servingDeleted(isMeant)));
  expect(found).toEqual(verdicts.map((verdict) => `message.attachments.deleted-not-downloadable ${verdict}`));
});
