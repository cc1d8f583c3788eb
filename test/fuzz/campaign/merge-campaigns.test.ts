import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { failureFileOf, writeFailure } from '../../../fuzz/campaign/failure-file.ts';
import { mergeCampaigns } from '../../../fuzz/campaign/merge-campaigns.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import type { FindingEvent, FooterEvent, ResultEvent } from '../../../harness/results/generated/events.ts';
import { writeEvent } from '../../../harness/results/stream.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { fuzzed } from '../campaigns.ts';

const folder = ownFolder('merge-');
const secrets = new KnownSecrets();

/** What a campaign said that found one clause broken, and its failure files. */
let told: readonly ResultEvent[];
const failures = join(folder, 'failures');

beforeAll(async () => {
  const events: ResultEvent[] = [];
  await fuzzed(
    { maxLimit: () => 101 },
    {
      only: ['mentions'],
      maxCases: 160,
      onEvent: (event) => events.push(event),
      onFinding: (finding) => void writeFailure(failures, failureFileOf(finding, { seed: 1 }), secrets),
    },
  );
  told = events.filter(({ type }) => type !== 'progress');
});

let parts = 0;

/** The folder of a campaign that said this, in place of what the first one did. */
function part(
  name: string,
  change: (event: ResultEvent) => ResultEvent,
  end = '',
  shown: readonly ResultEvent[] = told,
): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  // Each began at a time of its own.
  parts += 1;
  const startedAt = new Date(parts).toISOString();
  const lines = shown.map((event) => {
    const changed = change(event);
    return writeEvent(changed.type === 'header' ? { ...changed, startedAt } : changed);
  });
  writeFileSync(join(path, 'campaign.ndjson'), lines.join('') + end);
  cpSync(failures, join(path, 'failures'), { recursive: true });
  return path;
}

const asTold = (event: ResultEvent): ResultEvent => event;

/** The footer of a campaign with other totals. */
function ended(
  event: ResultEvent,
  {
    campaign,
    ...rest
  }: Partial<Omit<FooterEvent, 'campaign'>> & { campaign?: Partial<FooterEvent['campaign']> },
): ResultEvent {
  if (event.type !== 'footer' || event.campaign === undefined) return event;
  return { ...event, ...rest, campaign: { ...event.campaign, ...campaign } };
}

/** Its finding as one that is known. */
function known(event: ResultEvent): ResultEvent {
  if (event.type === 'finding') return { ...event, known: 'the corpus holds it' };
  if (event.type !== 'footer') return event;
  const seen = Object.entries(event.campaign?.seen ?? {}).map(([id, each]) => [
    id,
    { ...each, known: 'the corpus holds it' },
  ]);
  return ended(event, { exitCode: 0, campaign: { seen: Object.fromEntries(seen) } });
}

let merges = 0;

async function merged(...folders: readonly string[]): Promise<{
  footer: FooterEvent;
  findings: readonly FindingEvent[];
  notices: readonly string[];
  out: string;
}> {
  merges += 1;
  const out = join(folder, `merged-${merges}`);
  const events = await mergeCampaigns(folders, out, secrets);
  return {
    footer: events.at(-1) as FooterEvent,
    findings: events.filter((event) => event.type === 'finding'),
    notices: events.flatMap((event) => (event.type === 'notice' ? [event.text] : [])),
    out,
  };
}

describe('what is known to one part', () => {
  it.each([
    ['and new to another, fails the whole', ['new', 'known'], 1],
    ['and new to another, fails the whole in any order', ['known', 'new'], 1],
    ['and to all others, fails nothing', ['known', 'known too'], 0],
  ])('%s', async (_, names, exitCode) => {
    const folders = names.map((name) => part(name, name === 'new' ? asTold : known));
    const { footer, findings } = await merged(...folders);
    expect(footer.exitCode).toBe(exitCode);
    const isKnown = exitCode === 0 ? 'the corpus holds it' : undefined;
    expect(findings.map((each) => each.known)).toEqual([isKnown]);
    expect(footer.campaign?.seen['F1']?.known).toBe(isKnown);
  });

  it('is known of a clause only where no part has that clause as new', async () => {
    const { clause, level, verdict, check } = told.find((event) => event.type === 'finding') as FindingEvent;
    const lead = { clause, level, verdict, check };
    const beside = { ...lead, clause: 'errors.body-is-api-error' };
    const both = part('both', (event) =>
      event.type === 'finding' ? { ...event, clauses: [{ ...lead, known: 'a reason' }, beside] } : event,
    );
    const { findings, footer } = await merged(part('lead is known', known), both);
    expect(findings).toMatchObject([
      { clauses: [{ clause, known: 'the corpus holds it' }, { clause: 'errors.body-is-api-error' }] },
    ]);
    expect(findings[0]?.clauses?.[1]).not.toHaveProperty('known');
    expect(footer.exitCode).toBe(1);
  });
});
