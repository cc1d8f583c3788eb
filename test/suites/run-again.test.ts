import { expect, it } from 'vitest';
import { targetOfReference } from '../../embedded/embedded-reference.ts';
import { startReference } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, notPassed, runOn } from './run-suite.ts';

it('a server that was tested before is tested as well, and told the same, with the default settle time', async () => {
  const reference = await startReference();
  try {
    const { settleMs: _settleMs, ...rest } = targetOfReference(reference);
    const target = { ...rest, settleMs: undefined };
    for (const time of ['first', 'second', 'third']) {
      const run = await runOn(allChecks, target);
      const { exitCode } = run.footer;
      expect({ time, findings: findingsOf(run), notPassed: notPassed(run), exitCode }).toEqual({
        time,
        findings: [],
        notPassed: [],
        exitCode: 0,
      });
    }
  } finally {
    await reference.close();
  }
}, 120_000);
