import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requiredClauses } from '../../harness/gate/required-clauses.ts';
import { contractRules, type Reference, startReference, targetFileOf } from '../../reference/index.ts';
import { packageFile } from '../../spec/index.ts';
import { requirementPath } from '../../suites/release/requirement-sets.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { listening } from '../fixtures/listening.ts';
import { conform, type Ended } from './conform.ts';

const folder = ownFolder('gate-');
let kept: Reference;
let broken: Reference;

beforeAll(async () => {
  kept = await startReference();
  // Any machine is shown any workspace.
  const open = {
    mayOverview: () => true,
    isLinkedMembershipActive: () => true,
    isCallersMembership: () => true,
  };
  broken = await startReference({ rules: { ...contractRules, ...open } });
  writeFileSync(join(folder, 'kept.yaml'), targetFileOf(kept));
  writeFileSync(join(folder, 'broken.yaml'), targetFileOf(broken));
});

afterAll(async () => {
  await kept.close();
  await broken.close();
});

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

/** Judges what the overview shows, and nothing else: enough to fail, and quick. */
function gate(target: 'kept' | 'broken', ...args: readonly string[]) {
  return conform(['--target', `${target}.yaml`, '--only', 'overview', ...args], { cwd: folder });
}

const known = `- clause: overview.own-workspace-only
  reason: the gateway checks it
- check: overview.another-workspace-is-refused
  reason: the gateway checks it
`;

describe('a baseline', () => {
  it('is written from what failed, filled in, and then lets the same run pass', async () => {
    const first = await gate('broken', '--write-baseline', 'written.yaml');
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(/written\.yaml lists the failures; give each a reason/);
    const unfilled = await gate('broken', '--baseline', 'written.yaml');
    expect(unfilled.stderr).toMatch(/written\.yaml:\d+:\d+: say why it may fail/);
    expect(unfilled.code).toBe(2);
    const filled = readFileSync(join(folder, 'written.yaml'), 'utf8').replaceAll(
      'reason: ""',
      'reason: soon',
    );
    const { code, stdout } = await gate('broken', '--baseline', write('filled.yaml', filled));
    expect(stdout).toMatch(/KNOWN +\d clauses? that the baseline expects/);
    expect(stdout).toMatch(/only known failures in what was selected: nothing else failed/);
    expect(stdout).not.toMatch(/^FAILED/m);
    expect(code).toBe(0);
  });

  it('is never written over', async () => {
    const { code, stderr } = await gate('broken', '--write-baseline', write('there.yaml', known));
    expect(stderr).toMatch(/there\.yaml already exists/);
    expect(code).toBe(2);
    expect(readFileSync(join(folder, 'there.yaml'), 'utf8')).toBe(known);
  });

  it('does not excuse what it does not name', async () => {
    const one = write('one.yaml', '- check: overview.machine-sees-its-own-workspace\n  reason: x\n');
    const { code, stdout } = await gate('broken', '--baseline', one);
    expect(stdout).toMatch(/^FAILED/m);
    expect(stdout).toMatch(/; 1\s+entry of the baseline to fix/);
    expect(code).toBe(1);
  });

  it('with an entry that passed ends with exit 1 and names its line', async () => {
    const { code, stdout } = await gate('kept', '--baseline', write('passed.yaml', known));
    expect(stdout).toMatch(
      /passed\.yaml:3:3 +overview\.another-workspace-is-refused passed: remove the entry/,
    );
    expect(stdout).toMatch(/no new failure, but the baseline is out of date/);
    expect(code).toBe(1);
  });
});

describe('--require', () => {
  it('of the word must is every clause that is stated and that a client can tell', async () => {
    const { code, stdout } = await gate('kept', '--require', 'must');
    const open = /REQUIRED +(\d+) clauses that had to be decided/.exec(stdout)?.[1];
    // The tally is of what was selected, and what is required is all.
    const [, shownMusts] = /^ {2}must +(\d+) /m.exec(stdout) ?? [];
    const all = requiredClauses(['must'], '/').length;
    expect(Number(open)).toBeGreaterThan(all / 2);
    // What other answers of the run show of the wire is decided too.
    expect(Number(open) + Number(shownMusts)).toBeLessThanOrEqual(all);
    expect(stdout).toMatch(/^ {2}mentions\.ascending {2}no check that ran decides it$/m);
    expect(code).toBe(3);
  });
});

describe('--requirements', () => {
  it('are those of the newest version where none are named, and stand in the header', async () => {
    await gate('kept', '--out', 'header.ndjson');
    const [header = ''] = readFileSync(join(folder, 'header.ndjson'), 'utf8').split('\n');
    expect(JSON.parse(header)).toMatchObject({ profile: { requirements: '0.1.0-preview' } });
    expect(existsSync(packageFile(requirementPath('0.1.0-preview')))).toBe(true);
  });

  it('can be none, and nothing else that there is not', async () => {
    expect((await gate('broken', '--requirements', 'none')).code).toBe(1);
    const { code, stderr } = await gate('kept', '--requirements', '0.2');
    expect(stderr).toMatch(/no requirement set "0\.2"/);
    expect(code).toBe(2);
  });
});

describe('--snapshot', () => {
  const snapshot = 'observed.yaml';
  const target = ['--target', 'kept.yaml', '--snapshot', snapshot];
  let whole: Ended;
  beforeAll(async () => {
    whole = await conform([...target, '--verbose', '--out', 'whole.ndjson'], { cwd: folder, isAlone: true });
  }, 60_000);

  it('keeps what a whole run observed, and then says what has changed without failing', async () => {
    expect(whole.stdout).toMatch(/wrote a snapshot to observed\.yaml/);
    const text = readFileSync(join(folder, snapshot), 'utf8');
    write(snapshot, text.replace('channel-kinds: shared', 'channel-kinds: private'));
    const { code, stdout } = await conform([...target, '--only', 'overview'], { cwd: folder });
    expect(stdout).toMatch(/^CHANGED +1 observation since observed\.yaml was written/m);
    expect(stdout).toMatch(/channel-kinds: was private, is shared/);
    expect(code).toBe(0);
  }, 60_000);

  it('holds no secret, nor does what a whole run prints and keeps', () => {
    const texts = ['observed.yaml', 'whole.ndjson'].map((name) => readFileSync(join(folder, name), 'utf8'));
    const said = [whole.stdout, whole.stderr, ...texts].join('\n');
    expect(said).toContain(kept.baseUrl);
    for (const { token } of Object.values(kept.world.roles)) expect(said).not.toContain(token);
  });

  it('is not kept by a part of the suite', async () => {
    const { stdout } = await gate('kept', '--snapshot', 'part.yaml');
    expect(stdout).toMatch(/part\.yaml was not written: only a complete run/);
    expect(existsSync(join(folder, 'part.yaml'))).toBe(false);
  });
});

/** Longer than an ordinary run waits for an answer, and than the budget of the run below. */
const heldMs = 7_000;

/** Passes GETs on to the good reference, and holds back the first overview that a check asks for. */
function holdingServer(): Server {
  let overviews = 0;
  return createServer((incoming, outgoing) => {
    const { authorization = '' } = incoming.headers;
    if (incoming.url?.includes('/workspaces/') === true && authorization !== '') overviews += 1;
    const pass = async (): Promise<void> => {
      const answer = await fetch(kept.baseUrl + (incoming.url ?? ''), { headers: { authorization } });
      outgoing
        .writeHead(answer.status, Object.fromEntries(answer.headers))
        .end(Buffer.from(await answer.arrayBuffer()));
    };
    // The very first one is preflight's.
    setTimeout(() => void pass().catch(() => outgoing.destroy()), overviews === 2 ? heldMs : 0);
  });
}

describe('--timeout 0', () => {
  it('waits for an answer for as long as somebody looks at a breakpoint', async () => {
    const baseUrl = await listening(holdingServer());
    const check = 'overview.machine-sees-its-own-workspace';
    const where = ['--base-url', baseUrl, '--check', check, '--read-only'];
    const { code, stdout, durationMs } = await gate(
      'kept',
      ...where,
      '--timeout',
      '0',
      '--budget-ms',
      '3000',
    );
    expect(durationMs).toBeGreaterThan(heldMs);
    expect(stdout).toMatch(/conforms in what was selected/);
    expect(code).toBe(0);
  }, 30_000);
});
