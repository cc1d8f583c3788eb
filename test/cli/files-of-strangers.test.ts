import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgedFiles } from '../../cli/judge/judge-file.ts';
import { baselineIn } from '../../cli/shared/scoring-options.ts';
import { mergeCampaigns } from '../../fuzz/merge/merge-campaigns.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { readSnapshot } from '../../harness/gate/observation-snapshot.ts';
import { Scoring } from '../../harness/gate/scoring.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { campaignReporter } from '../../reporters/run/campaign-reporter.ts';
import { drawPlan } from '../../fuzz/stress/scene/draw-plan.ts';
import { readKept, writeKept } from '../../fuzz/stress/shrink/kept-file.ts';
import { refusalOf, withChange } from '../changed-value.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { fuzzed } from '../fuzz/campaigns.ts';
import { conform } from './conform.ts';

const folder = ownFolder('strangers-');

const none = new KnownSecrets();
/** How many changed files of each kind are tried. */
const tries = 150;

const yamls = [
  'a: {b: c}',
  'a: [1]',
  '? {}',
  '- x',
  'a: &a [*a]',
  '!!js/function x',
  '\u0000',
  '{',
  '"\\ud800": 1',
  '__proto__: {x: y}',
];

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    1e308,
    -1,
    2 ** 53,
    '\u0000',
    '../../x',
    'x'.repeat(70_000),
  ),
);

/** Does something with changed files: it works, or says in one line what is wrong; how often it did the latter. */
async function refusalsOf(
  lines: readonly unknown[],
  read: (texts: readonly string[]) => unknown,
): Promise<number> {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), odd, async (line, at, value) => {
      const changed = lines.map((each, index) =>
        index === line % lines.length ? withChange(each, at, value) : each,
      );
      if ((await refusalOf(() => read(changed.map((each) => JSON.stringify(each))))) !== undefined)
        refusals += 1;
    }),
    { numRuns: tries },
  );
  return refusals;
}

function parsed(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

describe('whatever somebody has changed in it', () => {
  let campaign: readonly ResultEvent[] = [];
  beforeAll(async () => {
    const events: ResultEvent[] = [];
    await fuzzed(
      { maxLimit: () => 101 },
      {
        only: ['mentions'],
        maxCases: 150,
        onEvent: (event) => void (event.type === 'progress' || events.push(event)),
      },
    );
    campaign = events;
  });

  it('the stream of a campaign is merged, or refused in one line', async () => {
    expect(campaign.map(({ type }) => type)).toContain('finding');
    const one = join(folder, 'campaign');
    mkdirSync(one);
    const refusals = await refusalsOf(campaign, async (texts) => {
      writeFileSync(join(one, 'campaign.ndjson'), texts.join('\n'));
      const report = campaignReporter(
        { write: () => {} },
        { folder, replayCommand: (file) => file, rerunCommand: String },
      );
      for (const event of await mergeCampaigns([one], join(folder, 'merged'), none)) report(event);
    });
    expect(refusals).toBeGreaterThan(0);
  });

  it('a kept failure of concurrent clients is read, or refused in one line', async () => {
    const shape = { clients: 3, agents: 3, channels: 2, rounds: 3, hasLargest: false };
    const kept = {
      stress: 1,
      name: 'x',
      verdict: 'failed',
      clauses: [],
      expected: 'a',
      actual: 'b',
      seed: 1,
      clients: 3,
      repeats: { times: 1, of: 1 },
      plan: drawPlan(shape, 9, 1),
      schedule: [],
    } as const;
    const file = join(folder, 'kept.json');
    const refusals = await refusalsOf([kept], ([text = '']) => {
      writeFileSync(file, text);
      writeKept(join(folder, 'again'), { ...readKept(file), name: 'x' }, none);
    });
    expect(refusals).toBeGreaterThan(0);
  });

  it('a history is judged, or refused in one line', async () => {
    const history = join(folder, 'history.ndjson');
    await conform(['--check', 'mentions.limit-*', '--history', history]);
    const lines = parsed(readFileSync(history, 'utf8')).slice(0, 120);
    const changed = join(folder, 'changed.ndjson');
    const refusals = await refusalsOf(lines, (texts) => {
      writeFileSync(changed, texts.join('\n'));
      judgedFiles([changed], { scoring: new Scoring({}, { isStrict: false }), isStrict: false });
    });
    expect(refusals).toBeGreaterThan(0);
  });

  it.each(yamls)('a snapshot and a baseline of %j are read, or refused in words', (text) => {
    const file = join(folder, 'file.yaml');
    writeFileSync(file, text);
    const ends = [() => readSnapshot(file, '/'), () => baselineIn(file, '/')].map(errorOf);
    expect(ends.filter((error) => error !== undefined && !(error instanceof InvalidTarget))).toEqual([]);
  });
});

function errorOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
