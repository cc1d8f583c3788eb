import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scoringOf } from '../../cli/shared/scoring-options.ts';
import { packageFile } from '../../spec/index.ts';
import { requirementPath } from '../../suites/release/requirement-sets.ts';
import { listening } from '../fixtures/listening.ts';
import { verdictsIn } from './verdicts-in.ts';
import { conform, type Ended } from './conform.ts';
import { UsedReference } from './use-reference.ts';
import { eventsIn } from '../fixtures/stream.ts';

const kept = new UsedReference();
const { folder } = kept;

/** Judges what the overview shows, and nothing else. */
function gate(...args: readonly string[]): Promise<Ended> {
  return conform(['--target', 'conform.yaml', '--only', 'overview', ...args], { cwd: folder });
}

/** Longer than an ordinary run waits for an answer, and than the budget of the run below. */
const heldMs = 7_000;

/** Passes GETs on to the good reference, and holds back the first overview that a check asks for. */
function holdingServer(): Server {
  let overviews = 0;
  return createServer((incoming, outgoing) => {
    const { authorization = '' } = incoming.headers;
    if (incoming.url?.includes('/workspaces/') === true && authorization !== '') overviews += 1;
    const pass = async (): Promise<void> => {
      const answer = await fetch(kept.target.base_url + (incoming.url ?? ''), { headers: { authorization } });
      outgoing
        .writeHead(answer.status, Object.fromEntries(answer.headers))
        .end(Buffer.from(await answer.arrayBuffer()));
    };
    // The very first one is preflight's.
    setTimeout(() => void pass().catch(() => outgoing.destroy()), overviews === 2 ? heldMs : 0);
  });
}

/** A run at it, which mostly waits: it begins before the others. */
let held: Promise<Ended>;
beforeAll(async () => {
  const baseUrl = await listening(holdingServer(), afterAll);
  const check = 'overview.machine-sees-its-own-workspace';
  const where = ['--base-url', baseUrl, '--check', check, '--read-only'];
  held = gate(...where, '--timeout', '0', '--budget-ms', '3000');
});

describe('--requirements', () => {
  it('are those of the newest version where none are named, and stand in the header', async () => {
    await gate('--out', 'header.ndjson');
    expect(eventsIn(join(folder, 'header.ndjson'))[0]).toMatchObject({
      profile: { requirements: '0.1.0-preview' },
    });
    expect(existsSync(packageFile(requirementPath('0.1.0-preview')))).toBe(true);
  });

  it('can be none', () => {
    expect(scoringOf({ requirements: 'none', require: [] }, folder)).toEqual({ required: [] });
  });
});

describe('--snapshot', () => {
  const snapshot = 'observed.yaml';
  const target = ['--target', 'conform.yaml', '--snapshot', snapshot];
  let whole: Ended;
  beforeAll(async () => {
    whole = await conform([...target, '--verbose', '--out', 'whole.ndjson'], { cwd: folder, isAlone: true });
  });

  it('keeps what a whole run observed, and then says what has changed without failing', async () => {
    expect(whole.stdout).toMatch(/conforms: nothing failed, (\d+) of \1 must clauses shown \(exit 0\)/);
    // On a busy machine it takes so long that it says it is at work.
    expect(whole.stderr.replaceAll(/^run: \d+ s so far, .*\n/gm, '')).toBe('');
    expect(whole.code).toBe(0);
    // Not that of a must alone: every check can be decided, those that watch the whole run among them.
    const verdicts = verdictsIn(join(folder, 'whole.ndjson'));
    expect(verdicts.filter((line) => !line.endsWith(' passed'))).toEqual([]);
    expect(whole.stdout).toMatch(/wrote a snapshot to observed\.yaml/);
    const text = readFileSync(join(folder, snapshot), 'utf8');
    writeFileSync(
      join(folder, snapshot),
      text.replace('kinds of channels: shared', 'kinds of channels: private'),
    );
    const { code, stdout } = await conform([...target, '--only', 'overview'], { cwd: folder });
    expect(stdout).toMatch(/^CHANGED +1 observation since observed\.yaml was written/m);
    expect(stdout).toMatch(/kinds of channels: was private, is shared/);
    expect(code).toBe(0);
  });

  it('holds no secret, nor does what a whole run prints and keeps', () => {
    const texts = ['observed.yaml', 'whole.ndjson'].map((name) => readFileSync(join(folder, name), 'utf8'));
    const said = [whole.stdout, whole.stderr, ...texts].join('\n');
    expect(said).toContain(kept.target.base_url);
    for (const token of Object.values(kept.target.roles)) expect(said).not.toContain(token);
  });

  it('is not kept by a part of the suite', async () => {
    const { stdout } = await gate('--snapshot', 'part.yaml');
    expect(stdout).toMatch(/part\.yaml was not written: only a complete run/);
    expect(existsSync(join(folder, 'part.yaml'))).toBe(false);
  });
});

it('--timeout 0 waits for an answer for as long as somebody looks at a breakpoint', async () => {
  const { code, stdout, durationMs } = await held;
  expect(durationMs).toBeGreaterThan(heldMs);
  expect(stdout).toMatch(/conforms in what was selected/);
  expect(code).toBe(0);
}, 30_000);
