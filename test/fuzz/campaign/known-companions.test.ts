import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findingsText } from '../../../harness/gate/baseline-text.ts';
import { readBaseline } from '../../../harness/gate/read-baseline.ts';
import type { FindingEvent, FooterEvent } from '../../../harness/results/generated/events.ts';
import type { AnswerHook } from '../../../reference/index.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { fuzzed } from '../campaigns.ts';

/** Each page of mentions breaks two rules at once: what it calls more, and where it ends. */
const twoFaults: AnswerHook = (given, { route }) =>
  route === 'mentions' && given.status === 200
    ? {
        ...given,
        body: { ...(given.body as object), page: { next_after: '7', has_more: 'no', high_watermark: 9 } },
      }
    : undefined;

const folder = ownFolder('conform-known-');

async function campaign(
  known: readonly string[] = [],
): Promise<{ findings: FindingEvent[]; footer: FooterEvent }> {
  const findings: FindingEvent[] = [];
  const file = join(folder, 'known.yaml');
  writeFileSync(file, findingsText(known.map((root) => ({ root, known: 'rebuilt' }))));
  const { footer } = await fuzzed(
    {},
    {
      only: ['mentions'],
      maxCases: 40,
      ...(known.length === 0
        ? {}
        : { baseline: readBaseline({ file, cwd: folder, deciders: [], today: '2026-03-01' }) }),
      onEvent: (event) => event.type === 'finding' && findings.push(event),
    },
    { answer: twoFaults },
  );
  return { findings, footer };
}

it('what is broken beside what a campaign knows counts until it is known as well', async () => {
  const first = await campaign();
  const leads = first.findings.map(({ case: shown }) => shown?.root ?? '');
  const companions = first.findings.flatMap(({ case: shown }) => shown?.companions ?? []);
  expect(companions.length).toBeGreaterThan(0);
  expect(first.footer.exitCode).toBe(1);

  const hiding = await campaign(leads);
  expect(hiding.footer.exitCode).toBe(1);
  expect(hiding.footer.clauses.must.failed).toBeGreaterThan(0);
  expect(hiding.footer.clauses.must.known).toBeGreaterThan(0);

  const all = await campaign([...leads, ...companions]);
  expect(all.footer.clauses.must.failed).toBe(0);
  // Pages were served, however wrong they are: that proves as much as ever.
  expect(all.footer.exitCode).toBe(0);
});
