import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { failureFileOf, readFailures, writeFailure } from '../../../fuzz/campaign/failure-file.ts';
import { mergeCampaigns } from '../../../fuzz/merge/merge-campaigns.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import type { FindingEvent, FooterEvent, ResultEvent } from '../../../harness/results/generated/events.ts';
import { writeEvent } from '../../../harness/results/stream.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { alteredSend } from '../altered-send.ts';
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
  shown: readonly ResultEvent[] = told,
  end = '',
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
  if (shown.some(({ type }) => type === 'finding'))
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
  warnings: readonly string[];
  out: string;
}> {
  merges += 1;
  const out = join(folder, `merged-${merges}`);
  const events = await mergeCampaigns(folders, out, secrets);
  return {
    footer: events.at(-1) as FooterEvent,
    findings: events.filter((event) => event.type === 'finding'),
    warnings: events.flatMap((event) =>
      event.type === 'notice' && event.severity === 'warning' ? [event.text] : [],
    ),
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

/** A campaign that found nothing. */
function clean(event: ResultEvent): ResultEvent {
  return ended(event, { exitCode: 0, campaign: { seen: {} } });
}

/** One that was over before it tried anything. */
function interrupted(event: ResultEvent): ResultEvent {
  return ended(clean(event), { exitCode: 130, end: 'interrupted', campaign: { end: 'interrupted' } });
}

const withoutFinding = (): readonly ResultEvent[] => told.filter(({ type }) => type !== 'finding');
const withoutFooter = (): readonly ResultEvent[] => told.filter(({ type }) => type !== 'footer');
const cutOff = 'it was cut off, and its stream has no footer; only what it had found is counted';

describe('a part that was cut off', () => {
  it('is told, and the others are taken: nothing failed, and nothing is whole', async () => {
    const begun = withoutFooter().filter(({ type }) => type !== 'finding');
    const [cut, empty] = [part('cut', asTold, begun, '{"type":"find'), part('empty', asTold, [])];
    const { footer, warnings } = await merged(cut, part('clean', clean, withoutFinding()), empty);
    expect(warnings).toEqual([`${cut}: ${cutOff}`, `${empty}: ${cutOff}`]);
    const { exitCode, end, reason, campaign } = footer;
    expect([exitCode, end, campaign?.end]).toEqual([3, 'interrupted', 'interrupted']);
    expect(reason).toBe(`${cut}: ${cutOff}; 1 more of these campaigns are not whole either`);
    expect(campaign?.cases).toBe(160);
  });

  it('fails the whole by what it had found, of which the file is kept', async () => {
    const cut = part('cut after a finding', asTold, withoutFooter());
    const { footer, findings, out } = await merged(cut, part('clean beside', clean, withoutFinding()));
    expect(footer).toMatchObject({ exitCode: 1, end: 'interrupted', reason: `${cut}: ${cutOff}` });
    expect(findings).toMatchObject([{ clause: 'mentions.limit.max', seen: { of: 3 } }]);
    expect(readdirSync(join(out, 'failures'))).toEqual(readdirSync(failures));
    expect(footer.campaign?.seen['F1']).toMatchObject({ sightings: 1, clauses: ['mentions.limit.max'] });
  });

  const keptBefore = 'are of an earlier campaign, and left out';

  it.each([
    ['killed', () => withoutFooter().filter(({ type }) => type !== 'finding'), asTold, 2],
    ['ended without a case', withoutFinding, interrupted, 3],
    ['stopped before it began', () => [], asTold, 3],
  ])(
    'and was %s leaves there what an earlier campaign had found, which is none of the whole',
    async (how, shown, change, count) => {
      const cut = part(`cut beside earlier: ${how}`, change, shown());
      cpSync(failures, join(cut, 'failures'), { recursive: true });
      const earlier = alteredSend('{}', 'message.content.unaltered');
      for (const seed of [7, 8]) {
        const root = `${earlier.root} ${seed}`;
        const failure = { ...earlier.failure, part: root.slice(root.indexOf(' | ') + 3) };
        const found = { ...earlier.found, seed };
        writeFailure(join(cut, 'failures'), { ...earlier, root, failure, found }, secrets);
      }
      const { warnings, out, findings } = await merged(
        cut,
        part(`clean beside ${how}`, clean, withoutFinding()),
      );
      expect(findings).toEqual([]);
      expect(warnings).toContainEqual(`${cut}: ${count} of the 3 failures there ${keptBefore}`);
      // Of one that was killed the stream may lack the last that it wrote.
      expect(readFailures(join(out, 'failures')).map(({ found: { seed } }) => seed)).toEqual(
        count === 2 ? [1] : [],
      );
    },
  );

  it('is no reason to take a stream of something else', async () => {
    const other = part(
      'other',
      (event) => {
        if (event.type !== 'header') return event;
        const { campaign: _campaign, ...rest } = event;
        return rest;
      },
      withoutFooter(),
    );
    await expect(merged(other)).rejects.toThrow(/campaign\.ndjson is not that of a campaign$/);
    await expect(merged(part('nothing', asTold, []))).rejects.toThrow(/cut off before it had begun$/);
  });
});

describe('a whole', () => {
  const shard = (index: number): string =>
    part(
      `shard ${index}`,
      (event) =>
        event.type === 'header' ? { ...event, campaign: { seed: 1, shards: [`${index}/2`] } } : clean(event),
      withoutFinding(),
    );

  it('is none without one of its shards', async () => {
    const [one, other] = [shard(1), shard(2)];
    const reason = 'of the campaign of seed 1 these shards are not among what was merged: 2/2';
    const { footer, warnings } = await merged(one);
    expect(warnings).toEqual([reason]);
    expect(footer).toMatchObject({ exitCode: 3, end: 'interrupted', reason });
    expect((await merged(one, other)).footer).toMatchObject({ exitCode: 0, end: 'complete' });
  });

  it('is begun again as a whole, and not as the shard that its first finding is not of', async () => {
    const asShard = (index: number, command: readonly string[]): string =>
      part(
        `command of ${index}`,
        (event) =>
          event.type === 'header'
            ? { ...event, command: [...command], campaign: { seed: 1, shards: [`${index}/2`] } }
            : clean(event),
        withoutFinding(),
      );
    const folders = [
      asShard(1, ['fuzz', '--shard', '1/2', '--cases', '9', '--seed', '1']),
      asShard(2, ['fuzz', '--shard=2/2', '--cases', '9', '--seed', '1']),
    ];
    const commandOf = async (...given: readonly string[]): Promise<unknown> => {
      const [header] = await mergeCampaigns(given, join(folder, 'begun again'), secrets);
      return header?.type === 'header' ? header.command?.join(' ') : undefined;
    };
    expect(await commandOf(...folders)).toBe('fuzz --cases 9 --seed 1');
    expect(await commandOf(...folders.toReversed())).toBe('fuzz --cases 9 --seed 1');
    expect(await commandOf(folders[0] ?? '')).toBe('fuzz --shard 1/2 --cases 9 --seed 1');
  });

  it('of several seeds says that its lines name the first of them', async () => {
    const ofSeed = (seed: number): string =>
      part(
        `seed ${seed}`,
        (event) =>
          event.type === 'header' ? { ...event, campaign: { seed, shards: ['1/1'] } } : clean(event),
        withoutFinding(),
      );
    const { warnings } = await merged(ofSeed(5), ofSeed(7));
    expect(warnings).toEqual([expect.stringMatching(/^these campaigns had 2 seeds \(5, 7\), and lines/)]);
  });

  it('takes no part twice', async () => {
    const one = shard(1);
    await expect(merged(one, one)).rejects.toThrow(
      `${one} holds the campaign that ${one} holds: name each once`,
    );
  });

  it('keeps none of the failures that were merged there before', async () => {
    const out = join(folder, 'again');
    const earlier = alteredSend('{}', 'message.content.unaltered');
    writeFailure(join(out, 'failures'), earlier, secrets);
    await mergeCampaigns([part('the only one', asTold)], out, secrets);
    expect(readdirSync(join(out, 'failures'))).toEqual(readdirSync(failures));
  });
});

describe('a part that proves nothing', () => {
  const reason = 'nothing that was sent could be read back';

  it('is told, and not made up for by the others', async () => {
    const unread = part('unread', (event) => ended(clean(event), { exitCode: 3, reason }), withoutFinding());
    const good = part('good', clean, withoutFinding());
    const { footer, warnings } = await merged(good, unread);
    expect(warnings).toEqual([`${unread}: ${reason}`]);
    expect(footer).toMatchObject({ exitCode: 3, end: 'interrupted', reason: `${unread}: ${reason}` });
    expect((await merged(good)).footer).toMatchObject({ exitCode: 0, end: 'complete' });
  });
});

describe('what one part calls gone', () => {
  const root = 'mentions.limit.max | limit: accepted';
  const stale = {
    place: 'known.yaml:1:1',
    clause: root,
    problem: 'passed',
    reason: 'the gateway clamps it',
  } as const;
  const gone = (name: string): string =>
    part(
      name,
      (event) => ended(clean(event), { exitCode: 1, staleBaseline: [stale], campaign: { fixed: [root] } }),
      withoutFinding(),
    );

  it('is gone from the whole, and its entry of the baseline too much', async () => {
    const { footer } = await merged(gone('gone'), part('without it', clean, withoutFinding()));
    expect(footer).toMatchObject({ exitCode: 1, staleBaseline: [stale], campaign: { fixed: [root] } });
  });

  it('is neither where another part has found it', async () => {
    const { footer, findings } = await merged(gone('gone here'), part('and known there', known));
    expect(findings.map((each) => each.case?.root)).toEqual([root]);
    expect(footer.staleBaseline).toBeUndefined();
    expect(footer).toMatchObject({ exitCode: 0, campaign: { fixed: [] } });
  });

  it('is too much all the same where its day is over', async () => {
    const expired = { ...stale, problem: 'expired', expires: '2026-01-31' } as const;
    const over = part('over', (event) => ended(known(event), { exitCode: 1, staleBaseline: [expired] }));
    const { footer } = await merged(over, part('known as well', known));
    expect(footer).toMatchObject({ exitCode: 1, staleBaseline: [expired] });
  });
});

it('what parts left out is told with every reason', async () => {
  const lacking = (name: string, leftOut: Readonly<Record<string, string>>): string =>
    part(name, (event) => ended(clean(event), { campaign: { leftOut } }), withoutFinding());
  const { footer } = await merged(
    lacking('lacks one', { corpus: '1 of 9 entries', overview: 'no machine' }),
    lacking('lacks two', { corpus: '2 of 9 entries', overview: 'no machine' }),
    ...[3, 4, 5].map((count) => lacking(`lacks ${count}`, { corpus: `${count} of 9 entries` })),
  );
  expect(footer.campaign?.leftOut).toEqual({
    corpus: '1 of 9 entries; 2 of 9 entries; 3 of 9 entries; and so for 2 more reasons',
    overview: 'no machine',
  });
});
