import { expect, it } from 'vitest';
import { ChecksEnded } from '../../../cli/run/checks-ended.ts';
import { areaOf } from '../../../harness/check/check.ts';
import { startReference } from '../../../reference/index.ts';
import { runChecks } from '../../../harness/run/run-checks.ts';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import { allChecks } from '../../../suites/index.ts';

it('never counts more checks than there are, those over the whole run among them', async () => {
  await using reference = await startReference();
  const checks = allChecks.filter((each) => areaOf(each) === 'overview');
  const ended = new ChecksEnded();
  let told = 0;
  await runChecks(checks, targetOfReference(reference), {
    onEvent: (event) => {
      ended.add(event);
      if (event.type === 'check') told += 1;
    },
  });
  expect(told).toBeGreaterThan(checks.length);
  expect(ended.inWords).toBe(`${told} checks of ${told} ended`);
}, 30_000);
