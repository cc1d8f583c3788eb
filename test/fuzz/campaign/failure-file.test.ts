import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { mergeCampaigns } from '../../../fuzz/merge/merge-campaigns.ts';
import {
  failureFileOf,
  fileNameOf,
  knownFailureOf,
  readFailure,
  readFailures,
  requestOf,
  writeFailure,
} from '../../../fuzz/campaign/failure-file.ts';
import type { FailureFile } from '../../../fuzz/campaign/failure-file.ts';
import { type Replay, replayAt } from '../../../fuzz/campaign/replay.ts';
import type { Finding } from '../../../fuzz/campaign/finding.ts';
import type { FuzzOptions } from '../../../fuzz/campaign/run-fuzz.ts';
import type { Target } from '../../../harness/config/target.ts';
import type { FooterEvent, ResultEvent } from '../../../harness/results/generated/events.ts';
import { readStream, writeEvent } from '../../../harness/results/stream.ts';
import { ndjsonReporter } from '../../../reporters/ndjson.ts';
import { startReference, type Rules } from '../../../reference/index.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { goodRequests, isBaselineRequest } from '../../../fuzz/cases/baseline-requests.ts';
import { addressOf } from '../../../spec/calls/index.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { eventsIn, keepStream } from '../../fixtures/stream.ts';
import { alteredSend } from '../altered-send.ts';
import { alone, everybody, foundBy, fuzzed, fuzzedAt, targetFor, until } from '../campaigns.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';

const folder = ownFolder('fuzz-');

const signal = new AbortController().signal;

async function replayed(
  file: FailureFile,
  rules: Partial<Rules>,
  change: (target: Target) => Target = alone,
): Promise<Replay> {
  await using reference = await startReference({ rules });
  return await replayAt(change(targetFor(reference)), file, { signal, env: {}, secrets: new KnownSecrets() });
}

async function findingOf(
  rules: Partial<Rules>,
  family: 'mentions' | 'send',
  maxCases: number,
  clause?: ClauseId,
): Promise<Finding> {
  const isWanted = ({ failure }: Finding): boolean => clause === undefined || failure.clause === clause;
  const { result } = await fuzzed(rules, { only: [family], maxCases, ...until(isWanted) });
  const finding = result?.findings.find(isWanted);
  if (finding === undefined) throw new Error('nothing was found');
  // As of a campaign that went on to its last look.
  return { ...finding, again: { times: 1, of: 1 } };
}

async function fileOf(...of: Parameters<typeof findingOf>): Promise<FailureFile> {
  return failureFileOf(await findingOf(...of), { seed: 1 });
}

const endsAt101 = { maxLimit: () => 101 };
let limitFinding: Finding;
let limitFile: FailureFile;
beforeAll(async () => {
  limitFinding = await findingOf(endsAt101, 'mentions', 200);
  limitFile = failureFileOf(limitFinding, { seed: 1 });
});

/** The wishes of a campaign that leaves its stream and its failures in a folder, as the command does. */
function keptIn(name: string): Pick<FuzzOptions, 'onEvent' | 'onFinding'> & { readonly path: string } {
  const path = join(folder, name);
  const stream = ndjsonReporter(join(path, 'campaign.ndjson'), new KnownSecrets());
  return {
    path,
    onEvent: (event) => stream.event(event),
    onFinding: (finding) =>
      void writeFailure(join(path, 'failures'), failureFileOf(finding, { seed: 1 }), new KnownSecrets()),
  };
}

describe('a failure that was kept', () => {
  it('shows again on a fresh server that fails, and no longer on one that does not', async () => {
    const again = await replayed(limitFile, endsAt101);
    expect(again).toMatchObject({ verdict: 'still failing', times: 3, of: 3 });
    expect(again.steps.map(({ differs }) => differs)).toEqual([false, false, false]);
    const gone = await replayed(limitFile, {});
    expect(gone).toMatchObject({ verdict: 'fixed', times: 0, of: 3 });
    expect(gone.steps.map(({ now, differs }) => [now, differs])).toEqual(
      Array(3).fill(['answered 400 invalid', true]),
    );
  });

  it('shows again where only what is read afterwards tells', async () => {
    const broken = { storedContent: (content: string) => content.replaceAll('é', 'e') };
    const file = await fileOf(broken, 'send', 640, 'message.content.unaltered');
    expect(file.failure.seenIn).toBe('readBack');
    expect(await replayed(file, broken)).toMatchObject({ verdict: 'still failing', times: 3 });
    expect(await replayed(file, {})).toMatchObject({ verdict: 'fixed', times: 0 });
  });

  it.each(Object.entries(goodRequests))(
    'is that of the baseline request for %s after it was read',
    (_, good) => {
      expect(isBaselineRequest(good)).toBe(true);
      const { request, ...file } = alteredSend('{}', 'message.content.unaltered');
      const { query: _query, body, ...kept } = { ...request, ...good, body: good.body };
      const runs = { body: { runs: [[String(body), 1] as const] } };
      const written = {
        ...file,
        request: { ...kept, path: addressOf(good), ...(body !== undefined && runs) },
      };
      const path = join(folder, 'failure.json');
      writeFileSync(path, JSON.stringify(written));
      expect(isBaselineRequest(requestOf(readFailure(path)))).toBe(true);
    },
  );

  it.each([
    ['letters in both cases', 'aA'.repeat(30)],
    ['signs that are one letter where case is none', 'k\u212a'.repeat(30)],
    ['escapes in both cases', '\\u00e9\\u00E9'.repeat(30)],
    ['one letter in one case', 'x'.repeat(30)],
    ['a backslash that ends it', 'x\\'],
  ])('has the body as it was sent: %s', async (_, body) => {
    const finding = { ...limitFinding, request: { ...limitFinding.request, body } };
    expect(requestOf(failureFileOf(finding, { seed: 1 })).body).toBe(body);
  });

  it('shows again where it takes several requests', async () => {
    const broken: Partial<Rules> = { recordsKey: () => false };
    const file = await fileOf(broken, 'send', 480, 'send.retry-stores-once');
    expect(requestOf(file).earlier).toHaveLength(1);
    expect(knownFailureOf(JSON.parse(JSON.stringify(file)) as FailureFile).request).toEqual(requestOf(file));
    expect(await replayed(file, broken)).toMatchObject({ verdict: 'still failing', times: 3 });
    expect(await replayed(file, {})).toMatchObject({ verdict: 'fixed', times: 0 });
  });

  it('is not fixed by a target that lacks what its case was done with', async () => {
    const file = await fileOf({ recordsKey: () => false }, 'send', 480, 'send.retry-stores-once');
    const path = join(folder, 'had.json');
    writeFileSync(
      path,
      JSON.stringify({ ...file, found: { ...file.found, had: ['author', 'rename-hook'] } }),
    );
    const had = readFailure(path);
    const withoutHooks = (target: Target): Target => ({ ...alone(target), hooks: {} });
    expect(await replayed(had, {}, withoutHooks)).toMatchObject({
      verdict: 'could not be run',
      reason: 'it was found with hooks.rename, which this target lacks',
    });
    // Whatever it lacks, what shows shows.
    expect(await replayed(had, { recordsKey: () => false }, withoutHooks)).toMatchObject({
      verdict: 'still failing',
    });
    // An answer that decides by itself hangs on nothing else.
    const { found } = limitFile;
    const ofOne = { ...limitFile, found: { ...found, had: ['rename-hook'] as const } };
    expect(await replayed(ofOne, {}, withoutHooks)).toMatchObject({ verdict: 'fixed' });
  });

  it('is not fixed where the field that it is about has no effect any more', async () => {
    const broken: Partial<Rules> = { acceptsSurface: () => true };
    const isWanted = ({ failure }: Finding): boolean =>
      failure.clause === 'source-session.provider-a-surface';
    const { result } = await fuzzed(broken, { only: ['source-session'], maxCases: 60, ...until(isWanted) });
    const finding = result?.findings.find(isWanted);
    if (finding === undefined) throw new Error('nothing was found');
    const file = failureFileOf({ ...finding, again: { times: 1, of: 1 } }, { seed: 1, had: ['author'] });
    expect(file.found.had).toEqual(['author', 'source-session-binding']);
    const path = join(folder, 'field.json');
    writeFileSync(path, JSON.stringify(file));
    const kept = readFailure(path);
    const ignoring = (target: Target): Target => {
      const bindings = { ...target.bindings, sourceSession: 'unknown' };
      return { ...alone(target), bindings };
    };
    const reason = 'no message shows an effect of bindings.source_session, as when it was found';
    expect(await replayed(kept, {}, ignoring)).toMatchObject({ verdict: 'could not be run', reason });
    expect(await replayed(kept, {})).toMatchObject({ verdict: 'fixed' });
    expect(await replayed(kept, broken)).toMatchObject({ verdict: 'still failing' });
    const corpus = [kept].map(knownFailureOf);
    const { result: later, leftOut } = await fuzzed(
      {},
      { only: ['read'], maxCases: 4, corpus, target: ignoring },
    );
    expect(later?.fixed).toEqual([]);
    expect(leftOut).toMatchObject({ corpus: expect.stringContaining(reason) });
    // Where nothing can be drawn either, the campaign ends with what the corpus holds.
    const nothingElse = await fuzzed(
      {},
      { only: ['source-session'], maxCases: undefined, corpus, target: ignoring },
    );
    expect(nothingElse.result).toMatchObject({ cases: 0, fixed: [] });
  });

  it('cannot be run without what it needs', async () => {
    const { verdict } = await replayed(limitFile, {}, (target) => ({ ...target, roles: {} }));
    expect(verdict).toBe('could not be run');
  });

  it('holds no credential and no id of the server', async () => {
    await using reference = await startReference({
      rules: {
        challenge: () => null,
        errorBody: () => ({ error: { code: 1 as unknown as string, message: '' } }),
      },
    });
    const target = targetFor(reference);
    const { path, ...kept } = keptIn('secrets');
    await fuzzedAt(reference, { maxCases: 400, target: everybody, ...kept });
    const files = readdirSync(join(path, 'failures'));
    expect(files.length).toBeGreaterThan(1);
    const text = files.map((name) => readFileSync(join(path, 'failures', name), 'utf8')).join('\n');
    const stream = readFileSync(join(path, 'campaign.ndjson'), 'utf8');
    for (const { token } of Object.values(target.roles)) expect(text + stream).not.toContain(token);
    for (const id of [target.channelId ?? '', target.workspaceId ?? '']) expect(text).not.toContain(id);
    expect(text).toContain('{token:author}');
    expect(stream).toContain('$CONFORM_AUTHOR_TOKEN');
  });

  it('is refused when it is no failure file', () => {
    expect(() => readFailure(join(folder, 'nothing.json'))).toThrow(/nothing\.json does not exist/);
  });
});

describe('a corpus', () => {
  it('is tried first: what still fails is known, what does not is fixed', async () => {
    const mended = alteredSend('{"content":"{the-mark-of-it} é"}', 'message.content.unaltered');
    const outcome = await fuzzed(
      { ...endsAt101, minLimit: () => 0 },
      { only: ['mentions'], maxCases: 200, corpus: [limitFile, mended].map(knownFailureOf) },
    );
    expect(foundBy(outcome)).toEqual(['mentions.limit.max failed', 'mentions.limit.min failed']);
    const known = outcome.result?.findings
      .filter(({ isKnown }) => isKnown)
      .map(({ failure }) => failure.clause);
    expect(known).toEqual(['mentions.limit.max']);
    expect(outcome.result?.fixed).toEqual([mended.root]);
  });

  it('shows the answer that is wrong, whichever step drew it', async () => {
    const { request, ...known } = knownFailureOf(limitFile);
    const corpus = [{ ...known, request: { ...goodRequests['channel-read'], earlier: [request] } }];
    const { result } = await fuzzed(endsAt101, { only: ['read'], maxCases: 4, corpus });
    const paths = result?.findings.map(({ exchanges }) => exchanges.map((each) => each.request.path));
    expect(paths).toEqual([[addressOf(request)]]);
  });
});

/** How many cases of a campaign showed its first finding. */
function seenIn(path: string): number {
  const { campaign } = eventsIn(join(path, 'campaign.ndjson')).at(-1) as FooterEvent;
  return campaign?.seen['F1']?.sightings ?? 0;
}

/** When a campaign met its first finding first. */
function firstIn(path: string): number {
  const finding = eventsIn(join(path, 'campaign.ndjson')).find((event) => event.type === 'finding');
  return finding?.case?.firstMs ?? Number.NaN;
}

describe('merging', () => {
  it('adds up the results of shards and keeps each root once', async () => {
    const wishes = { only: ['mentions'] as const, maxCases: 240 };
    const [one, other] = [keptIn('shard-0'), keptIn('shard-1')];
    await fuzzed(endsAt101, { ...wishes, ...one, shard: { index: 0, count: 2 } });
    await fuzzed(endsAt101, { ...wishes, ...other, shard: { index: 1, count: 2 } });
    const events = await mergeCampaigns([one.path, other.path], join(folder, 'merged'), new KnownSecrets());
    const { header, footer, isWhole, ...merged } = await readStream(events.map(writeEvent));
    expect([isWhole, header.campaign]).toEqual([true, { seed: 1, shards: ['1/2', '2/2'] }]);
    expect(footer).toMatchObject({ exitCode: 1, campaign: { cases: 240, end: 'complete' } });
    const [file] = readFailures(join(folder, 'merged', 'failures')).map(fileNameOf);
    const findings = merged.events.filter(({ type }) => type === 'finding');
    expect(findings).toMatchObject([{ id: 'F1', clause: 'mentions.limit.max', case: { file } }]);
    expect(merged.events.filter(({ type }) => type === 'notice')).toMatchObject([
      { severity: 'warning', text: expect.stringContaining('these campaigns were of 2 servers') },
    ]);
    const here = seenIn(one.path);
    const there = seenIn(other.path);
    expect(Math.min(here, there)).toBeGreaterThan(0);
    expect(footer?.campaign?.seen['F1']?.sightings).toBe(here + there);
    const { pace, boundaries } = footer?.campaign ?? {};
    expect(pace?.slices.reduce((sum, { judged }) => sum + judged, 0)).toBe(footer?.campaign?.judged);
    expect(boundaries?.['mentions limit']?.declared).toBeGreaterThan(100);
    // Each shard has half of the first cases, which are boundaries.
    const tried = Object.values(boundaries ?? {}).reduce((sum, { judged }) => sum + judged, 0);
    expect(tried).toBeGreaterThan(120);
    expect(findings).toMatchObject([{ case: { firstMs: Math.min(firstIn(one.path), firstIn(other.path)) } }]);
  });

  it.each([
    ['interrupted', 1],
    ['complete', 1],
  ])('fails by a failure though a shard was %s', async (end, exitCode) => {
    const name = `shard-that-is-${end}`;
    const changed = eventsIn(join(folder, 'shard-0', 'campaign.ndjson')).map((event) =>
      event.type === 'footer'
        ? ({ ...event, durationMs: 1, campaign: { ...event.campaign, end } } as FooterEvent)
        : event,
    );
    keepStream(join(folder, name, 'campaign.ndjson'), changed);
    const folders = [join(folder, name), join(folder, 'shard-1')];
    const events = await mergeCampaigns(folders, join(folder, `merged-of-${name}`), new KnownSecrets());
    expect(events.at(-1)).toMatchObject({ type: 'footer', exitCode });
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('fails by a warning where a shard was strict: %s', async (strict, exitCode) => {
    const warned = ['shard-0', 'shard-1'].map((shard) => {
      const changed = eventsIn(join(folder, shard, 'campaign.ndjson')).map((event): ResultEvent => {
        if (event.type === 'header') return { ...event, profile: { ...event.profile, strict } };
        return event.type === 'finding' ? { ...event, verdict: 'warned' } : event;
      });
      const own = join(folder, `warned-${strict}`, shard);
      keepStream(join(own, 'campaign.ndjson'), changed);
      return own;
    });
    const events = await mergeCampaigns(warned, join(folder, `merged-${strict}`), new KnownSecrets());
    expect(events.at(-1)).toMatchObject({ type: 'footer', exitCode });
    expect(events[0]).toMatchObject({ profile: { strict } });
  });
});
