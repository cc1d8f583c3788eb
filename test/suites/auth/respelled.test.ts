import { expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, runAgainst } from '../run-suite.ts';

it('a server that decodes tokens, and passes over what its code does not have, is only warned', async () => {
  const run = await runAgainst(
    allChecks.filter(({ id }) => /^auth\.channels-list-with-an?-.*-token-is-401$/.test(id)),
    { rules: { ...contractRules, tokenMeant: (token) => token.replace('~', '') } },
  );
  expect(findingsOf(run)).toEqual(['auth.respelled-credential warned']);
});
