import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReference, targetOfReference } from '../../../../embedded/reference-hooks.ts';
import { startFront } from '../../../../harness/front/front.ts';
import type { Target } from '../../../../harness/config/target.ts';
import { isStated } from '../../../../history/anomalies/roots.ts';
import { startReference } from '../../../../reference/index.ts';
import { drawPlan } from '../../../../fuzz/stress/scene/draw-plan.ts';
import type { Plan } from '../../../../fuzz/stress/scene/plan.ts';
import { runChapter, type Chapter } from '../../../../fuzz/stress/run/chapter.ts';
import { exercisedIn } from '../../../../fuzz/stress/run/exercised.ts';
import { shapeFor } from '../../../../fuzz/stress/run/run-stress.ts';
import { openStage, type Stage } from '../../../../fuzz/stress/scene/stage.ts';

const signal = new AbortController().signal;

async function stageAt(target: Target, restart?: Stage['restart']): Promise<Stage> {
  const stage = await openStage(target, { env: {}, signal, restart });
  if ('why' in stage) throw new Error(stage.why);
  return stage;
}

/** Runs a chapter of one plan that is over soon. */
function shortChapter(stage: Stage, clients = 3, rounds = 2): Promise<Chapter> {
  const shape = { ...shapeFor(stage, clients), rounds, hasLargest: false };
  return runChapter(stage, { clients, plans: [drawPlan(shape, 1, 0)] });
}

describe('a chapter at the reference', () => {
  let reference: Awaited<ReturnType<typeof openReference>> | undefined;
  let chapter: Chapter | undefined;

  beforeAll(async () => {
    reference = await openReference();
    const { restart: hook } = reference.target.hooks;
    const stage = await stageAt(reference.target, async () => {
      if (hook !== undefined && 'call' in hook) await hook.call({});
    });
    const clients = 6;
    const plans = [0, 1].map((index) =>
      drawPlan({ ...shapeFor(stage, clients), hasLargest: false }, 9, index),
    );
    const [first, ...others] = plans;
    const withRestart = { ...(first as Plan), faults: [{ round: 2, delay: 1 }] };
    chapter = await runChapter(stage, { clients, plans: [withRestart, ...others] });
  });
  afterAll(() => reference?.close());

  it('can be judged, and nothing in it is wrong', () => {
    expect(chapter?.trouble).toBeUndefined();
    expect(chapter?.judged.anomalies.filter(isStated)).toEqual([]);
  });

  it('holds what concurrent clients are for', () => {
    const exercised = exercisedIn(chapter?.history.operations ?? []);
    expect(exercised.sendsBesideSends).toBeGreaterThan(5);
    expect(exercised.readsBesideSends).toBeGreaterThan(5);
    expect(exercised.repeatedKeys).toBeGreaterThan(0);
    expect(exercised.unanswered).toBeGreaterThan(0);
    expect(exercised.restarts).toBe(1);
    expect(chapter?.history.operations.filter(({ kind }) => kind === 'report')).not.toEqual([]);
  });

  it('has its operations in the order of their ends, each client doing one thing after another', () => {
    const operations = chapter?.history.operations ?? [];
    const last = new Map<string, number>();
    for (const [index, { client, startedMs, ...operation }] of operations.entries()) {
      expect(operation.index).toBe(index);
      if (!client.startsWith('client ')) continue;
      expect(startedMs).toBeGreaterThanOrEqual(last.get(client) ?? 0);
      last.set(client, operation.endedMs);
    }
  });

  it('says which turn of which plan an operation was', () => {
    const { history, placeOf, plans } = chapter as Chapter;
    const ofClients = history.operations.filter(({ client }) => client.startsWith('client '));
    expect(ofClients.length).toBeGreaterThan(50);
    for (const operation of ofClients) {
      const place = placeOf.get(operation);
      const turn = plans[place?.plan ?? -1]?.rounds[place?.round ?? -1]?.par[place?.turn ?? -1];
      const own = operation.client.replace(/ beside| as (?:stranger|outsider)/, '');
      expect(turn === undefined ? undefined : `client ${(turn.client % 6) + 1}`).toBe(own);
      const kinds = { send: 'send', drop: 'send', report: 'report', read: 'read', poll: 'read' } as const;
      const step = turn?.step;
      const does = step?.do === 'trespass' ? (step.what === 'send' ? 'send' : 'read') : step?.do;
      expect(operation.kind).toBe(does && kinds[does]);
    }
  });

  it('reads every stream to its end once the last writer has stopped, in pages of every size', () => {
    const reads = (chapter?.history.operations ?? []).flatMap((operation) =>
      operation.kind === 'read' && operation.client.startsWith('closing ') ? [operation] : [],
    );
    for (const stream of new Set(reads.map((read) => read.stream))) {
      const own = reads.filter((read) => read.stream === stream);
      expect(new Set(own.map(({ limit }) => limit))).toEqual(new Set([100, 7, 1, undefined]));
      expect(own.some(({ after }) => after === undefined)).toBe(true);
      expect(own.filter(({ after, limit }) => after !== undefined && limit === 100).at(-1)?.outcome).toBe(
        'accepted',
      );
    }
    expect(new Set(reads.map(({ stream }) => stream)).size).toBe(5);
  });

  it('reads every stream once more when all that it showed has been there for longer than the settle time', () => {
    const { facts, operations } = (chapter as Chapter).history;
    const readsOf = (doing: string) => operations.filter(({ client }) => client.startsWith(`${doing} `));
    const endedMs = Math.max(...readsOf('closing').map((read) => read.endedMs));
    const startedMs = Math.min(...readsOf('again').map((read) => read.startedMs));
    expect(startedMs - endedMs).toBeGreaterThan(facts.settleMs);
  });

  it('shows every accepted message in its last walk', () => {
    const operations = chapter?.history.operations ?? [];
    const shown = new Set(
      operations.flatMap((operation) =>
        operation.kind === 'read' && operation.client.startsWith('closing ')
          ? operation.items.flatMap(({ message }) => message.content?.marker ?? [])
          : [],
      ),
    );
    const sent = operations.flatMap((operation) =>
      operation.kind === 'send' && operation.outcome === 'accepted' ? (operation.content?.marker ?? []) : [],
    );
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.filter((marker) => !shown.has(marker))).toEqual([]);
  });
});

describe('a chapter', () => {
  it.each([
    ['ignored', { capturedTargets: () => [] }],
    ['refused', { acceptsField: (name: string) => name !== 'mentions' }],
  ])('names no targets where they are %s, and so finds nothing wrong', async (_, rules) => {
    await using reference = await startReference({ rules });
    const stage = await stageAt(targetOfReference(reference));
    const { history, judged, trouble } = await shortChapter(stage);
    expect([trouble, judged.anomalies]).toEqual([undefined, []]);
    const sends = history.operations.flatMap((each) => (each.kind === 'send' ? [each] : []));
    expect(sends.length).toBeGreaterThan(6);
    expect(sends.flatMap(({ targets }) => targets)).toEqual([]);
  });

  it('sends what messages may carry, and asks as somebody without access', async () => {
    const { target, close } = await openReference();
    const stage = await stageAt(target);
    const { history, judged, trouble } = await shortChapter(stage, 6, 10);
    await close();
    expect([trouble, judged.anomalies, stage.taken]).toEqual([
      undefined,
      [],
      { targets: true, session: true, host: true, file: true },
    ]);
    const sends = history.operations.flatMap((each) => (each.kind === 'send' ? [each] : []));
    const carried = sends.flatMap(({ session, host, files }) => [
      ...(session === undefined ? [] : ['session']),
      ...(host === undefined ? [] : ['host']),
      ...(files.length === 0 ? [] : ['file']),
    ]);
    expect(new Set(carried)).toEqual(new Set(['session', 'host', 'file']));
    const trespasses = history.operations.filter(({ agent }) => ['stranger', 'outsider'].includes(agent));
    expect(new Set(trespasses.map(({ kind, outcome }) => `${kind} ${outcome}`))).toEqual(
      new Set(['send refused', 'read refused']),
    );
    expect(exercisedIn(history.operations)).toMatchObject({ trespasses: trespasses.length });
  });

  it.each([
    [
      'ignored',
      { capturedSession: () => null, capturedAgentHost: () => null, capturedAttachments: () => [] },
    ],
  ])('sends none of that where it is %s', async (_, rules) => {
    await using reference = await startReference({ rules });
    const stage = await stageAt(targetOfReference(reference));
    const { history, judged } = await shortChapter(stage, 6, 4);
    expect(judged.anomalies).toEqual([]);
    expect(exercisedIn(history.operations).carrying).toBe(0);
  });

  it.each([
    ['shows only three settle times after its answer', { commitDelayMs: () => 1_200 }, []],
    ['is never shown', { listsAcceptedSend: () => false }, ['silent-drop']],
  ] as const)(
    'holds against a server what it %s: $2',
    async (_, rules, names) => {
      await using reference = await startReference({ rules });
      const stage = await stageAt(targetOfReference(reference));
      const { judged } = await shortChapter(stage);
      expect([...new Set(judged.anomalies.filter(isStated).map(({ name }) => name))]).toEqual(names);
    },
    30_000,
  );

  it('says why nothing can be concluded where no answer comes any more', async () => {
    const { target, close } = await openReference();
    const stage = await stageAt(target);
    await close();
    const { trouble, judged } = await shortChapter(stage);
    expect(trouble).toBe('the channel cannot be read');
    expect(judged.anomalies).toEqual([]);
  });

  it.each([
    ['once, and asks again', 1, true],
    ['all along, and leaves it open', 9, undefined],
  ] as const)('takes no 503 for an answer on targets that came %s', async (_, times, takesTargets) => {
    await using reference = await startReference();
    let left: number = times;
    await using front = await startFront(reference, {
      treat: ({ method }) => {
        if (method !== 'POST' || (left -= 1) < 0) return {};
        return { instead: { status: 503, headers: {}, body: 'a bad moment' } };
      },
    });
    const stage = await stageAt({ ...targetOfReference(reference), baseUrl: front.baseUrl });
    const { history } = await shortChapter(stage);
    expect(stage.taken.targets).toBe(takesTargets);
    expect(exercisedIn(history.operations).naming > 0).toBe(takesTargets === true);
  });

  it('looks at every stream at its end where its first requests met a bad moment', async () => {
    await using reference = await startReference();
    const target = targetOfReference(reference);
    let left = Infinity;
    await using front = await startFront(reference, {
      treat: ({ method }) => {
        if (method !== 'GET' || (left -= 1) < 0) return {};
        return left > 1_000 ? {} : { instead: { status: 503, headers: {}, body: 'a bad moment' } };
      },
    });
    const stage = await stageAt({ ...target, baseUrl: front.baseUrl });
    Object.assign(stage.taken, { targets: true, session: false, host: false, file: false });
    left = 5;
    const { history, trouble } = await shortChapter(stage, 2, 1);
    expect([trouble, left < 0]).toEqual([undefined, true]);
    const streams = (client: string) =>
      new Set(
        history.operations.flatMap((each) =>
          each.kind === 'read' && each.client.startsWith(client) ? [each.stream] : [],
        ),
      );
    expect(streams('closing ').size).toBe(stage.channels.length + stage.agents.length);
  });
});
