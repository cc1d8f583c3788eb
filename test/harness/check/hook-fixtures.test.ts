import { describe, expect, it } from 'vitest';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import type { Check } from '../../../harness/check/check.ts';
import type { Hook, HookName, Target } from '../../../harness/config/target.ts';
import { unmet } from '../../../harness/verdict/outcome.ts';
import { startReference } from '../../../reference/index.ts';
import { checkOf } from '../../fixtures/check.ts';
import { withAround, withHooks } from '../../fixtures/hooks.ts';
import { startAilingServer } from '../../suites/ailing-server.ts';
import { notPassed, runAgainst, runOn } from '../../suites/run-suite.ts';

const failing: Hook = { call: () => Promise.reject(new Error('the database is away')) };
const giving = (output: unknown): Hook => ({ call: () => Promise.resolve(output) });

const clauses = ['auth.revoked-credential'] as const;

const revocation = checkOf(
  'auth.revoked-token-is-refused',
  { clauses, needs: ['provision-hook', 'revoke-hook'] },
  async ({ provision, revoke, expect: judge }) => {
    const fresh = await provision();
    const author = fresh.actor('author');
    judge('auth.revoked-credential', await author.mentions()).toBeAccepted();
    await revoke(fresh.token('author'));
    judge('auth.revoked-credential', await author.mentions()).toHaveStatus(401);
  },
);

// What the others do is seen by the suite itself: test/suites/run-again has nothing inconclusive.
describe('the fixtures of hooks', () => {
  it('name the principals of a fresh workspace apart from the target’s, and learn their ids apart', async () => {
    const ids: string[] = [];
    const learning = checkOf(
      'auth.learning',
      { clauses, needs: ['provision-hook', 'author', 'channel'] },
      async ({ provision, author, identities, draft, expect: judge }) => {
        judge('auth.revoked-credential', await author.mentions()).toBeAccepted();
        const [one, two] = [await provision(), await provision()];
        const actors = [author, one.actor('author'), two.actor('author')];
        expect(new Set(actors.map(({ name }) => name)).size).toBe(3);
        for (const actor of actors) ids.push(await identities.agentId(actor));
        ids.push((await one.identities.provenance(one.actor('author'))).agentId);
        expect(await one.identities.workspaceId()).toBe(one.workspaceId);
        const hello = draft();
        await one.actor('author').send(one.channel.id, hello.text);
        await one.channel.arrival(hello);
        await two.secondChannel.walk(undefined);
        await one.feedOf(one.actor('reader'), one.actor('author'));
      },
    );
    const { footer } = await runAgainst([learning]);
    expect(footer.reason).toBeUndefined();
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[1]);
  });

  it('share one workspace among the checks that only add to it, and have another on a retry', async () => {
    const asked: unknown[] = [];
    const counting = withAround(['provision'], (input, own) => {
      asked.push(input);
      return own();
    });
    const seen: string[] = [];
    const adding = (id: string, isWrong = false): Check =>
      checkOf(`auth.${id}`, { clauses, needs: ['provision-hook'] }, async ({ provision, expect: judge }) => {
        const fresh = await provision({ agents: 2, isShared: true });
        expect(fresh.agents.length).toBeGreaterThanOrEqual(2);
        seen.push(`${id} ${fresh.workspaceId}`);
        judge('auth.revoked-credential', await fresh.actor('author').mentions()).toHaveStatus(
          isWrong ? 599 : 200,
        );
      });
    await runAgainst([adding('one'), adding('two'), adding('wrong', true)], {}, { target: counting });
    const idsOf = (id: string): string[] =>
      seen.filter((each) => each.startsWith(id)).map((each) => each.slice(id.length + 1));
    expect(idsOf('one')).toEqual(idsOf('two'));
    const [first, again] = idsOf('wrong');
    expect(first).toBe(idsOf('one')[0]);
    expect(again).not.toBe(first);
    expect(asked).toEqual([
      { agents: 65, channels: 105, members: 105 },
      { agents: 65, channels: 105, members: 105 },
    ]);
  });

  it('upload a file as it is named and typed, and have the server restarted', async () => {
    const asked: unknown[] = [];
    const noting = (name: HookName, answer?: object): Hook => ({
      call: (input) => {
        asked.push([name, input]);
        return Promise.resolve(answer);
      },
    });
    const all = checkOf(
      'auth.everything',
      { clauses, needs: ['author', 'file-hook', 'restart-hook'] },
      async ({ author, files, restart, expect: judge }) => {
        judge('auth.revoked-credential', await author.mentions()).toBeAccepted();
        await files.upload({ token: 't', filename: 'a.txt', contentType: 'text/x', content: 'ä' });
        await restart();
      },
    );
    const hooks = withHooks({ file: noting('file', { id: 'f' }), restart: noting('restart') });
    const { footer } = await runAgainst([all], {}, { target: hooks });
    expect(footer.reason).toBeUndefined();
    expect(asked).toEqual([
      [
        'file',
        {
          action: 'upload',
          filename: 'a.txt',
          content_type: 'text/x',
          content_base64: 'w6Q=',
          agent_token: 't',
        },
      ],
      ['restart', {}],
    ]);
  });

  it('keep tokens that only the hook knew out of the evidence', async () => {
    const tokens: string[] = [];
    const needs = ['provision-hook'] as const;
    const broken = checkOf('send.never', { needs }, async ({ provision, expect: judge }) => {
      const fresh = await provision();
      const after = fresh.token('author');
      tokens.push(after);
      judge('send.content-bytes', await fresh.actor('author').mentions({ after })).toBeAccepted();
    });
    const { findings, events } = await runAgainst([broken]);
    expect(findings).toHaveLength(1);
    expect(tokens).toHaveLength(2);
    for (const token of tokens) expect(JSON.stringify(events)).not.toContain(token);
  });
});

const why = 'hooks.revoke: it threw Error: the database is away';
const unnamed = checkOf('auth.human', { needs: ['provision-hook'] }, async ({ provision }) => {
  (await provision()).without('human');
});

describe('a hook that does not work', () => {
  it.each<[string, Partial<Record<HookName, Hook>>, string, string | undefined, Check?]>([
    ['throws', { revoke: failing }, why, `a hook does not work: ${why}`],
    [
      'makes no workspace at all',
      { provision: giving(undefined) },
      'hooks.provision: its output is empty; expected the fields',
      'hooks.provision: its output is empty; expected the fields',
    ],
    [
      'makes a workspace in a wrong shape',
      { provision: giving({ workspace: 'W1' }) },
      'in its output: `workspace` must be a UUID',
      'hooks.provision: in its output: `workspace` must be a UUID',
    ],
    [
      'says that it is not supported',
      { revoke: giving({ unsupported: 'tokens live for ever here' }) },
      'hooks.revoke says that this is not supported: tokens live for ever here',
      undefined,
    ],
    [
      'leaves out what a check asks for',
      { provision: giving({}) },
      'hooks.provision gave no roles.author (docs/hooks.md)',
      undefined,
    ],
    [
      'leaves out an agent that a check asks for',
      { provision: giving({ without: { machine: 'a-token' } }) },
      'hooks.provision gave no without.human (docs/hooks.md)',
      undefined,
      unnamed,
    ],
  ])(
    'and %s leaves its check open, and the run names it if it is at fault',
    async (_, hooks, reason, fault, asking) => {
      const { checks, footer } = await runAgainst([asking ?? revocation], {}, { target: withHooks(hooks) });
      expect(checks[0]?.clauses[0]).toMatchObject({ verdict: 'inconclusive' });
      expect(checks[0]?.clauses[0]?.reason).toContain(reason);
      expect(footer.exitCode).toBe(3);
      // No fault where none is named.
      expect(footer.reason === undefined).toBe(fault === undefined);
      expect(footer.reason ?? '').toContain(fault ?? '');
    },
  );

  it.each<[string, HookName, number]>([
    ['is not asked again by the next check', 'revoke', 1],
    ['and makes something new is tried once more, and then no more', 'provision', 2],
  ])('%s', async (_, name, wanted) => {
    let calls = 0;
    const counting: Hook = { call: () => Promise.reject(new Error(`attempt ${(calls += 1)}`)) };
    const control: Check = { ...revocation, id: 'auth.control' };
    const options = { target: withHooks({ [name]: counting }), concurrency: 1 };
    const { footer } = await runAgainst([revocation, control], {}, options);
    expect(calls).toBe(wanted);
    expect(footer.reason).toContain(`attempt ${wanted}`);
  });

  it('and prints nothing at its first try is asked once more, and the check has its workspace', async () => {
    let calls = 0;
    const lapsing = withAround(['provision'], async (_, own) => ((calls += 1) > 1 ? own() : undefined));
    const run = await runAgainst([revocation], {}, { target: lapsing });
    expect(calls).toBe(2);
    expect(notPassed(run)).toEqual([]);
    expect(run.footer.reason).toBeUndefined();
  });

  it('does not hide a failure: exit 1', async () => {
    const wrong = checkOf('send.wrong', { needs: ['author'] }, async ({ author, expect: judge }) =>
      judge('send.content-bytes', await author.mentions()).toHaveStatus(401),
    );
    const run = await runAgainst([revocation, wrong], {}, { target: withHooks({ revoke: failing }) });
    expect(run.footer).toMatchObject({
      exitCode: 1,
      reason: expect.stringContaining('hooks.revoke') as string,
    });
  });

  const restarting = checkOf('auth.restart', { needs: ['restart-hook'] }, ({ restart }) => restart());

  it('that restarted a server is believed though a gateway has not noticed yet', async () => {
    let early = 0;
    await using server = await startAilingServer(() =>
      (early -= 1) >= 0 ? { status: 503, body: 'unavailable' } : 'pass',
    );
    const restart: Hook = {
      call: () => {
        early = 5;
        return Promise.resolve({});
      },
    };
    const { footer } = await runOn([restarting], withHooks({ restart })(server.target));
    expect(footer.reason).toBeUndefined();
    expect(early).toBeLessThan(0);
  });

  it('that says it restarted a server that is gone is found out', async () => {
    const reference = await startReference();
    const target = withHooks({ restart: { call: () => reference.close() } })(targetOfReference(reference));
    const { footer } = await runOn([restarting], target);
    expect(footer.reason).toMatch(/hooks\.restart: it returned before the server answered again/);
  });
});

describe('hooks', () => {
  it('are not called in a read-only run', async () => {
    let calls = 0;
    const counting: Hook = { call: () => Promise.resolve((calls += 1)) };
    const readOnly = (target: Target): Target =>
      withHooks({ provision: counting })({ ...target, limits: { ...target.limits, isReadOnly: true } });
    const run = await runAgainst([revocation], {}, { target: readOnly });
    expect(run.checks[0]?.clauses[0]).toMatchObject({
      verdict: 'inconclusive',
      enable: 'run without --read-only',
    });
    expect(calls).toBe(0);
  });

  it('are ended when the run is, which is no fault of theirs', async () => {
    const controller = new AbortController();
    const slow: Hook = { command: ['sleep', '60'], timeoutMs: 60_000 };
    setTimeout(() => controller.abort(), 400);
    const startedMs = performance.now();
    const run = await runAgainst(
      [revocation],
      {},
      { target: withHooks({ provision: slow }), signal: controller.signal },
    );
    expect(run.footer).toMatchObject({
      exitCode: 130,
      end: 'interrupted',
      reason: expect.not.stringContaining('hook') as string,
    });
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  it('cannot be turned against a credential of the target', async () => {
    const needs = ['revoke-hook'] as const;
    const careless = checkOf('auth.careless', { needs }, async ({ revoke, optional }) => {
      const token = optional('author')?.authorization?.replace('Bearer ', '') ?? unmet('no author');
      await revoke(token);
    });
    const { footer } = await runAgainst([careless]);
    expect(footer).toMatchObject({
      end: 'crashed',
      exitCode: 4,
      reason: expect.stringContaining('provision its own') as string,
    });
  });

  it('are not counted against the time of a check', async () => {
    const slow: Hook = { call: () => new Promise((resolve) => setTimeout(resolve, 400)) };
    const run = await runAgainst(
      [revocation],
      {},
      { target: withHooks({ revoke: slow }), checkTimeoutMs: 300 },
    );
    expect(run.checks[0]?.clauses[0]?.verdict).toBe('failed');
  });
});
