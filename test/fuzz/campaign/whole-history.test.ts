import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { streamFile } from '../../../fuzz/merge/campaign-part.ts';
import { mergeCampaigns } from '../../../fuzz/merge/merge-campaigns.ts';
import { failureFileOf, knownFailureOf } from '../../../fuzz/campaign/failure-file.ts';
import type { FuzzOptions } from '../../../fuzz/campaign/run-fuzz.ts';
import { findingsText } from '../../../harness/gate/baseline-text.ts';
import { readBaseline } from '../../../harness/gate/read-baseline.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import type { FindingEvent, FooterEvent, ResultEvent } from '../../../harness/results/generated/events.ts';
import { historyChecks } from '../../../harness/judging/run-wide-checks.ts';
import type { AnswerHook, Rules } from '../../../reference/index.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { type CampaignWishes, fuzzed } from '../campaigns.ts';
import { keepStream } from '../../fixtures/stream.ts';

const folder = ownFolder('conform-whole-');
const clause = 'message.immutable';

const broken: FindingEvent = {
  type: 'finding',
  id: 'F1',
  clause,
  level: 'must',
  verdict: 'failed',
  text: 'it stays',
  source: 'Message',
  check: 'history.message',
  expected: 'one',
  actual: 'two',
  seen: { times: 1 },
  exchanges: [],
};

/** As judges of a history that shows one clause broken. */
const judgeWhole: NonNullable<FuzzOptions['judgeWhole']> = (known) => {
  const reason = known.reasonFor('history.message', clause);
  const finding = reason === undefined ? broken : { ...broken, known: reason };
  return [{ type: 'notice', severity: 'info', text: 'two reads' }, finding];
};

interface Ran {
  readonly events: readonly ResultEvent[];
  readonly findings: readonly FindingEvent[];
  readonly footer: FooterEvent;
}

async function campaign(
  options: CampaignWishes = {},
  answer?: AnswerHook,
  rules: Partial<Rules> = {},
): Promise<Ran> {
  const events: ResultEvent[] = [];
  const { footer } = await fuzzed(
    rules,
    {
      only: ['mentions'],
      maxCases: 20,
      judgeWhole,
      onEvent: (event) => {
        if (event.type !== 'progress') events.push(event);
      },
      ...options,
    },
    answer === undefined ? {} : { answer },
  );
  return { events, footer, findings: events.filter((event) => event.type === 'finding') };
}

describe('what only the whole history of a campaign shows', () => {
  it('is a finding of its stream, and fails it', async () => {
    const { events, footer } = await campaign();
    expect(events.slice(-3)).toMatchObject([
      { type: 'notice', text: 'two reads' },
      { type: 'finding', id: 'F1', clause },
      { type: 'footer', exitCode: 1, clauses: { must: { failed: 1 } } },
    ]);
    expect(footer.end).toBe('complete');
    expect((await campaign({ judgeWhole: () => [] })).footer.exitCode).toBe(0);
  });

  it('comes after what cases show', async () => {
    const wrong: AnswerHook = (given, { route }) =>
      route === 'mentions' && given.status === 200 ? { ...given, body: { page: 7 } } : undefined;
    const { findings } = await campaign({}, wrong);
    expect(findings.length).toBeGreaterThan(1);
    expect(findings.map(({ id }) => id)).toEqual(findings.map((_, index) => `F${index + 1}`));
    expect(findings.filter((each) => each.case === undefined)).toEqual([findings.at(-1)]);
  });

  it('makes an interrupted campaign no other', async () => {
    const { events, footer } = await campaign({ signal: AbortSignal.abort() });
    expect(footer.exitCode).toBe(130);
    expect(events.at(-2)).toMatchObject({ type: 'finding', clause });
  });

  it('fails no campaign whose baseline names the clause', async () => {
    const file = join(folder, 'known.yaml');
    const text = findingsText([{ root: clause, known: 'a cache' }]);
    expect(text).toMatch(/^- clause: message\.immutable\n {2}reason: a cache$/m);
    writeFileSync(file, text);
    const baseline = readBaseline({ file, cwd: folder, deciders: historyChecks, today: '2026-03-01' });
    const { findings, footer } = await campaign({ baseline });
    expect(findings).toMatchObject([{ clause, known: 'a cache' }]);
    expect(footer).toMatchObject({ exitCode: 0, clauses: { must: { failed: 0, known: 1 } } });
  });

  it('is no news where the corpus knew cases that break the clause', async () => {
    const endsAt101 = { maxLimit: () => 101 };
    const { result } = await fuzzed(endsAt101, { only: ['mentions'], maxCases: 200 });
    const corpus = (result?.findings ?? []).map((each) => knownFailureOf(failureFileOf(each, { seed: 1 })));
    expect(corpus.map(({ failure }) => failure.clause)).toEqual(['mentions.limit.max']);
    const exitCodeOf = async (found: string, failOn: 'new' | 'any'): Promise<number> => {
      const judged: typeof judgeWhole = (known) =>
        judgeWhole({ ...known, reasonFor: (check) => known.reasonFor(check, found) });
      return (await campaign({ corpus, failOn, judgeWhole: judged }, undefined, endsAt101)).footer.exitCode;
    };
    expect(await exitCodeOf('mentions.limit.max', 'new')).toBe(0);
    expect(await exitCodeOf('mentions.limit.max', 'any')).toBe(1);
    expect(await exitCodeOf(clause, 'new')).toBe(1);
  });

  it('is one finding of campaigns that are merged', async () => {
    const { events, findings } = await campaign();
    const folders = ['one', 'two'].map((name) => join(folder, name));
    for (const [at, each] of folders.entries()) {
      // Each began at a time of its own.
      const own = events.map((event) =>
        event.type === 'header' ? { ...event, startedAt: `2026-01-0${at + 1}T00:00:00.000Z` } : event,
      );
      keepStream(join(each, streamFile), own);
    }
    const merged = await mergeCampaigns(folders, join(folder, 'both'), new KnownSecrets());
    expect(merged.filter(({ type }) => type === 'finding')).toEqual(findings);
    expect(merged.at(-1)).toMatchObject({ exitCode: 1, clauses: { must: { failed: 1 } } });
  });
});
