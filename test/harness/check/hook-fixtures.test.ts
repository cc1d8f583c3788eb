import { describe, expect, it } from 'vitest';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import { check, type Check } from '../../../harness/check/check.ts';
import type { Hook, HookName, Target } from '../../../harness/config/target.ts';
import { unmet } from '../../../harness/verdict/outcome.ts';
import { startReference } from '../../../reference/index.ts';
import { startAilingServer } from '../../suites/ailing-server.ts';
import { notPassed, runAgainst, runOn } from '../../suites/run-suite.ts';

const withHooks =
  (hooks: Partial<Record<HookName, Hook>>) =>
  (target: Target): Target => ({ ...target, hooks: { ...target.hooks, ...hooks } });

const failing: Hook = { call: () => Promise.reject(new Error('the database is away')) };

const revocation = check(
  'authentication.revoked-token-is-refused',
  {
    title: 'a token that was revoked is refused',
    clauses: ['auth.revoked-credential'],
    needs: ['provision-hook', 'revoke-hook'],
  },
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
    const learning = check(
      'authentication.learning',
      {
        title: 'ids are learned apart',
        clauses: ['auth.revoked-credential'],
        needs: ['provision-hook', 'author', 'channel'],
      },
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

  it('stop a check that asks for an agent that the hook does not name', async () => {
    const asking = check(
      'unavailable.human',
      { title: 't', clauses: ['author.human-user.null-when-unavailable'], needs: ['provision-hook'] },
      async ({ provision }) => void (await provision()).without('human'),
    );
    const named: Hook = { call: () => Promise.resolve({ without: { machine: 'a-token' } }) };
    const run = await runAgainst([asking], {}, { target: withHooks({ provision: named }) });
    expect(run.checks[0]?.clauses[0]?.reason).toBe(
      'the fresh workspace that hooks.provision made has no without.human',
    );
    expect(run.footer.reason).toBeUndefined();
  });

  it('share one workspace among the checks that only add to it, and have another on a retry', async () => {
    const asked: unknown[] = [];
    const counting = (target: Target): Target => {
      const make = target.hooks.provision;
      const provision: Hook = {
        call: (input) => {
          asked.push(input);
          return make !== undefined && 'call' in make ? make.call(input) : Promise.resolve();
        },
      };
      return withHooks({ provision })(target);
    };
    const seen: string[] = [];
    const adding = (id: string, isWrong = false): Check =>
      check(
        `authentication.${id}`,
        { title: 'adds', clauses: ['auth.revoked-credential'], needs: ['provision-hook'] },
        async ({ provision, expect: judge }) => {
          const fresh = await provision({ agents: 2, isShared: true });
          expect(fresh.agents.length).toBeGreaterThanOrEqual(2);
          seen.push(`${id} ${fresh.workspaceId}`);
          judge('auth.revoked-credential', await fresh.actor('author').mentions()).toHaveStatus(
            isWrong ? 599 : 200,
          );
        },
      );
    await runAgainst([adding('one'), adding('two'), adding('wrong', true)], {}, { target: counting });
    const idsOf = (id: string): string[] =>
      seen.filter((each) => each.startsWith(id)).map((each) => each.slice(id.length + 1));
    expect(idsOf('one')).toEqual(idsOf('two'));
    const [first, again] = idsOf('wrong');
    expect(first).toBe(idsOf('one')[0]);
    expect(again).not.toBe(first);
    expect(asked).toEqual([{ agents: 35 }, { agents: 35 }]);
  });

  it('upload a file as it is named and typed, and have the server restarted', async () => {
    const asked: unknown[] = [];
    const noting = (name: HookName, answer?: object): Hook => ({
      call: (input) => {
        asked.push([name, input]);
        return Promise.resolve(answer);
      },
    });
    const all = check(
      'authentication.everything',
      {
        title: 'the operator uploads and restarts',
        clauses: ['auth.revoked-credential'],
        needs: ['author', 'file-hook', 'restart-hook'],
      },
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
    const broken = check(
      'authentication.never',
      { title: 'a fresh agent is refused', clauses: ['auth.revoked-credential'], needs: ['provision-hook'] },
      async ({ provision, expect: judge }) => {
        const fresh = await provision();
        tokens.push(fresh.token('author'));
        judge(
          'auth.revoked-credential',
          await fresh.actor('author').mentions({ after: fresh.token('author') }),
        ).toBeAccepted();
      },
    );
    const { findings, events } = await runAgainst([broken]);
    expect(findings).toHaveLength(1);
    expect(tokens).toHaveLength(2);
    for (const token of tokens) expect(JSON.stringify(events)).not.toContain(token);
  });
});

describe('a hook that does not work', () => {
  it('ends the check as inconclusive and the run with exit 3 and one line that names it', async () => {
    const run = await runAgainst([revocation], {}, { target: withHooks({ revoke: failing }) });
    const why = 'hooks.revoke: it threw Error: the database is away';
    expect(run.checks[0]?.clauses[0]).toMatchObject({ verdict: 'inconclusive', reason: why });
    expect(run.footer).toMatchObject({ exitCode: 3, reason: `a hook does not work: ${why}` });
  });

  it('is not asked again by the next check', async () => {
    let calls = 0;
    const counting: Hook = { call: () => Promise.reject(new Error(String((calls += 1)))) };
    const control: Check = { ...revocation, id: 'authentication.twin' };
    await runAgainst([revocation, control], {}, { target: withHooks({ revoke: counting }), concurrency: 1 });
    expect(calls).toBe(1);
  });

  it('and makes something new is tried once more, and then no more', async () => {
    let calls = 0;
    const counting: Hook = { call: () => Promise.reject(new Error(`attempt ${(calls += 1)}`)) };
    const control: Check = { ...revocation, id: 'authentication.twin' };
    const run = await runAgainst(
      [revocation, control],
      {},
      { target: withHooks({ provision: counting }), concurrency: 1 },
    );
    expect(calls).toBe(2);
    expect(run.footer.reason).toMatch(/attempt 2/);
  });

  it('and prints nothing at its first try is asked once more, and the check has its workspace', async () => {
    let calls = 0;
    const lapsing = (target: Target): Target => {
      const make = target.hooks.provision;
      const provision: Hook = {
        call: async (input) => {
          calls += 1;
          return calls > 1 && make !== undefined && 'call' in make ? make.call(input) : undefined;
        },
      };
      return withHooks({ provision })(target);
    };
    const run = await runAgainst([revocation], {}, { target: lapsing });
    expect(calls).toBe(2);
    expect(notPassed(run)).toEqual([]);
    expect(run.footer.reason).toBeUndefined();
  });

  it('and makes no workspace at all says that its output is empty', async () => {
    const silent: Hook = { call: () => Promise.resolve() };
    const run = await runAgainst([revocation], {}, { target: withHooks({ provision: silent }) });
    expect(run.footer).toMatchObject({
      exitCode: 3,
      reason: expect.stringContaining('hooks.provision: its output is empty; expected the fields') as string,
    });
  });

  it('does not hide a failure: exit 1', async () => {
    const wrong = check(
      'authentication.wrong',
      { title: 'wrong', clauses: ['auth.expired-credential'], needs: ['author'] },
      async ({ author, expect: judge }) =>
        judge('auth.expired-credential', await author.mentions()).toHaveStatus(401),
    );
    const run = await runAgainst([revocation, wrong], {}, { target: withHooks({ revoke: failing }) });
    expect(run.footer).toMatchObject({
      exitCode: 1,
      reason: expect.stringContaining('hooks.revoke') as string,
    });
  });

  it('that says it is not supported leaves the run as it is', async () => {
    const unsupported: Hook = { call: () => Promise.resolve({ unsupported: 'tokens live for ever here' }) };
    const run = await runAgainst([revocation], {}, { target: withHooks({ revoke: unsupported }) });
    expect(run.checks[0]?.clauses[0]?.reason).toBe(
      'hooks.revoke says that this is not supported: tokens live for ever here',
    );
    expect(run.footer.reason).toBeUndefined();
  });

  it('that makes a workspace in a wrong shape is named with the field', async () => {
    const wrong: Hook = { call: () => Promise.resolve({ workspace: 'W1' }) };
    const run = await runAgainst([revocation], {}, { target: withHooks({ provision: wrong }) });
    expect(run.footer.reason).toMatch(/hooks\.provision: in its output: `workspace` must be a UUID/);
  });

  it('that leaves out what a check asks for is no failed hook', async () => {
    const empty: Hook = { call: () => Promise.resolve({}) };
    const run = await runAgainst([revocation], {}, { target: withHooks({ provision: empty }) });
    expect(run.checks[0]?.clauses[0]?.reason).toBe(
      'the fresh workspace that hooks.provision made has no roles.author',
    );
    expect(run.footer.reason).toBeUndefined();
  });

  const restarting = check(
    'authentication.restart',
    { title: 'restarts', clauses: ['auth.revoked-credential'], needs: ['restart-hook'] },
    async ({ restart }) => restart(),
  );

  it('that restarted a server is believed though a gateway has not noticed yet', async () => {
    let early = 0;
    const server = await startAilingServer(() =>
      (early -= 1) >= 0 ? { status: 503, body: 'unavailable' } : 'pass',
    );
    const restart: Hook = {
      call: () => {
        early = 5;
        return Promise.resolve({});
      },
    };
    const { footer } = await runOn([restarting], withHooks({ restart })(server.target));
    await server.close();
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
    const careless = check(
      'authentication.careless',
      { title: 'careless', clauses: ['auth.revoked-credential'], needs: ['revoke-hook'] },
      async ({ revoke, optional }) => {
        const token = optional('author')?.authorization?.replace('Bearer ', '') ?? unmet('no author');
        await revoke(token);
      },
    );
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
