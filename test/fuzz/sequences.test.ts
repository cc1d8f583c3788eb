import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listMentions, listReceipts, readChannel, sendMessage } from '../../spec/calls/index.ts';
import { spokenBy } from '../../fuzz/cases/baseline-requests.ts';
import { type CaseStep, isOperators, stepsOf } from '../../fuzz/cases/case-request.ts';
import type { InjectionPoint } from '../../fuzz/cases/injection-point.ts';
import { judgeHistory } from '../../history/judges/index.ts';
import { startReference, type Reference } from '../../reference/index.ts';
import { around } from '../fixtures/hooks.ts';
import { readBack } from '../history/fixtures.ts';
import { everybody, fuzzedAt, targetFor } from './campaigns.ts';
import { describeShownBySequences, firstShown, opened } from './sequences.ts';

function boundariesOf({ boundaryCount, boundary }: InjectionPoint) {
  return Array.from({ length: boundaryCount }, (_, index) => boundary(index));
}

describe('at a server that keeps the contract', () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await startReference();
  });
  afterAll(() => reference.close());

  it('no sequence shows anything, and each that the hooks allow is done', async () => {
    const { bench, sequences } = await opened(reference);
    const failures = [];
    for (const { label, request } of boundariesOf(sequences)) {
      const whole = await bench.runner.runToEnd(request);
      failures.push(...(whole?.failures ?? [{ label }]));
    }
    await bench.close();
    expect(failures).toEqual([]);
  });

  it('a file is uploaded by an agent that has its access: a hook that uses the credential for it fails no more then', async () => {
    const { operator } = reference;
    const { file, deactivate } = targetFor(reference).hooks;
    const left = new Set<unknown>();
    const { bench } = await opened(reference, [], {
      deactivate: around(deactivate, async (input, own) => {
        left.add(input['agent_id']);
        return own();
      }),
      file: around(file, async (input, own) => {
        const by = operator.agentOf(String(input['agent_token']));
        if (by !== undefined && left.has(by.id)) throw new Error('403');
        return own();
      }),
    });
    const request = { ...listMentions('after=0&limit=100'), isApart: true };
    const earlier = [
      { act: 'leave', of: 'agent:author' },
      { act: 'upload', of: 'file:first' },
    ] as const;
    const whole = await bench.runner.runToEnd({ ...spokenBy('reader', request), isApart: true, earlier });
    await bench.close();
    expect([bench.hookFailures(), left.size, whole?.failures]).toEqual([[], 1, []]);
  });

  it('a sequence of which a step cannot be sent decides nothing', async () => {
    const { bench } = await opened(reference);
    const request = { ...spokenBy('reader', listMentions('after=0&limit=100')), isApart: true };
    const decided = async (...earlier: readonly CaseStep[]) =>
      (await bench.runner.runToEnd({ ...request, earlier }))?.isDecided;
    expect(await decided(spokenBy('author', sendMessage('{channel}', '{"content":"one"}', '{key}')))).toBe(
      true,
    );
    const attached = '{"content":"one","attachments":["{file:first}"]}';
    expect(await decided(spokenBy('author', sendMessage('{channel}', attached, '{key}')))).toBe(false);
    await bench.close();
  });

  it('without a hook that makes workspaces nothing is changed, and the rest is sent to the target', async () => {
    const { bench, sequences } = await opened(reference, ['provision']);
    const counts = { done: 0, left: 0 };
    for (const { request } of boundariesOf(sequences).slice(0, 8)) {
      const whole = await bench.runner.runToEnd(request);
      expect(whole === undefined).toBe(stepsOf(request).some(isOperators));
      expect(whole?.failures ?? []).toEqual([]);
      counts[whole === undefined ? 'left' : 'done'] += 1;
    }
    await bench.close();
    expect(counts).toEqual({ done: 6, left: 2 });
  });

  it('a campaign says how many sequences it drew, and its history what was changed', async () => {
    const lines: string[] = [];
    const { result } = await fuzzedAt(reference, {
      only: ['sequence'],
      maxCases: 4,
      concurrency: 4,
      target: everybody,
      onHistoryLines: (line) => lines.push(line),
    });
    const renamed = lines.join('').matchAll(/"change":"rename","subject":"[^"]+","detail":"(\w+)"/g);
    expect([...renamed].map(([, kind]) => kind)).toEqual(['agent', 'user', 'machine']);
    expect(result?.byFamily).toEqual({ sequence: 4 });
    expect(result?.findings).toEqual([]);
    // By what is known of the target alone, nobody there has a credential.
    const history = readBack(lines.join(''));
    const sends = history.operations.filter((each) => each.kind === 'send' && each.outcome === 'accepted');
    expect(sends.length).toBeGreaterThan(20);
    expect(sends.filter((each) => each.kind === 'send' && each.refusedFor !== undefined)).toEqual([]);
    expect(judgeHistory(history).anomalies).toEqual([]);
  });

  it('a campaign says which hook failed that its sequences need', async () => {
    const provision = {
      url: `${reference.baseUrl}/nothing`,
      timeoutMs: 5_000,
      headers: {},
      secretHeaders: [],
    };
    const { result, leftOut } = await fuzzedAt(reference, {
      only: ['sequence'],
      maxCases: 4,
      target: (given) => ({ ...given, hooks: { provision } }),
    });
    expect(result?.cases).toBe(0);
    expect(leftOut['sequence']).toMatch(/hooks\.provision.* 404/);
  });
});

const notFound = {
  status: 404,
  headers: {},
  body: { error: { code: 'not_found', message: 'there is nothing here' } },
};

it.each(['receipts', 'second channel'])(
  'at a server that has no %s for an agent, that one is refused it after its return as well',
  async (what) => {
    const isOpen = what === 'receipts' ? () => false : (id: string | null | undefined) => !closedTo.has(id);
    const closedTo = new Set<string | null | undefined>();
    const second = new Set<string>();
    await using reference = await startReference({
      answer: (answer, { route, path, actor }) => {
        const isMeant = what === 'receipts' ? route === 'receipts' : second.has(path.split('/')[3] ?? '');
        return isMeant && answer.status < 300 && !isOpen(actor?.agentId) ? notFound : answer;
      },
    });
    const { provision } = targetFor(reference).hooks;
    const { bench } = await opened(reference, [], {
      provision: around(provision, async (_, own) => {
        const made = (await own()) as { second_channel: string; roles: { reader: string } };
        second.add(made.second_channel);
        closedTo.add(reference.operator.agentOf(made.roles.reader)?.id);
        return made;
      }),
    });
    const asked =
      what === 'receipts' ? listReceipts('{channel}') : readChannel('{second-channel}', 'after=0&limit=100');
    const earlier = [
      { act: 'leave', of: 'agent:reader' },
      { act: 'return', of: 'agent:reader' },
    ] as const;
    const whole = await bench.runner.runToEnd({ ...spokenBy('reader', asked), isApart: true, earlier });
    await bench.close();
    expect([whole?.outcome.exchange.response?.status, whole?.failures]).toEqual([404, []]);
  },
);

describeShownBySequences(firstShown);
