import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { addressOf, isRecord, readChannel, sendMessage } from '../../spec/calls/index.ts';
import type { CallRequest, JsonRecord } from '../../spec/calls/index.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { startChaos } from '../../harness/front/chaos.ts';
import { startFront } from '../../harness/front/front.ts';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { requestFactsOf } from '../../harness/config/request-facts.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import type { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { HistoryRecorder } from '../../harness/record/history-recorder.ts';
import { KeptExchanges } from '../../harness/record/kept-exchanges.ts';
import { messageIn } from '../../harness/stream/message-list.ts';
import { readPage } from '../../harness/stream/page.ts';
import { exchangeOf } from '../../harness/traffic/exchange-batch.ts';
import type { History, Operation } from '../../history/operation.ts';
import { contractRules, referenceSettleMs, startReference } from '../../reference/index.ts';
import { retryAfterSeconds, type Scenario } from '../scenario.ts';
import { plannedFates } from './planned-fates.ts';

/** A message as the reference has it. */
export interface StoredMessage {
  readonly id: string;
  readonly content: string;
  readonly authorId: string;
  /** In another channel than the one that the client is told of. */
  readonly isElsewhere: boolean;
}

/** A reference of its own for one scenario, behind its trouble, and whoever acts there besides the client. */
export interface Stage {
  /** What the client is told, as variables of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly agentId: string;
  readonly history: History;
  readonly exchanges: KeptExchanges;
  /** Operations of the client alone, as they ended. */
  readonly operations: readonly Operation[];
  /** A colleague sends a message; resolves to its id. */
  readonly say: (
    content: string,
    how: { readonly isMention: boolean; readonly isElsewhere: boolean },
  ) => Promise<string>;
  readonly restart: () => Promise<void>;
  readonly swapNames: () => void;
  /** All that stands in both channels, as a colleague reads them. */
  readonly messages: () => Promise<readonly StoredMessage[]>;
  readonly close: () => Promise<void>;
}

const noTrouble = { seed: 1, cut: 0, limited: 0, unavailable: 0, delayMs: 0, retryAfterSeconds };
/** What becomes of requests to a service that is down, and for how long a restart takes it down, in ms. */
const unheard = { kind: 'cut-in-request', delayMs: 0, passed: 0 } as const;
const downMs = 1_500;
/** The name of the client in the history, and of whoever else asks there. */
const [client, colleague] = ['client', 'colleague'];

/** Opens it; what is learned of its tokens goes to the secrets. */
export async function openStage(scenario: Scenario, secrets: KnownSecrets): Promise<Stage> {
  const { rules, settings = {}, trouble = [] } = scenario;
  const reference = await startReference({
    // Whether a client sends with a key is its own choice.
    rules: { ...contractRules, requiresIdempotencyKey: () => false, ...rules },
    settings,
  });
  const { world, operator } = reference;
  const target = targetOfReference(reference);
  const [agent, author] = [world.roles.reader, world.roles.author];
  secrets.learn([agent.token, author.token]);
  const good = new Map<string, RoleName>([
    [`Bearer ${agent.token}`, 'reader'],
    [`Bearer ${author.token}`, 'author'],
  ]);
  const { bindings } = target;
  const fields = [bindings.mentions, bindings.attachments, bindings.sourceSession, bindings.agentHost];
  let isDown = false;
  const fates = plannedFates(trouble);
  const chaos = await startChaos(reference, noTrouble, {
    fateOfRequest: (incoming) => (isDown ? unheard : fates(incoming)),
  });
  const runId = `cf-${randomBytes(8).toString('hex')}`;
  const recorder = new HistoryRecorder({ runId, settleMs: referenceSettleMs, isDurable: false }, target, {
    asked: { ...requestFactsOf(target, good), provedFields: new Set(fields) },
  });
  const operations: Operation[] = [];
  /** The last exchange of the colleague, who does one thing after another. */
  let heard: Exchange | undefined;
  const isColleague = (authorization = ''): boolean => authorization === `Bearer ${author.token}`;
  let ended = 0;
  const front = await startFront(chaos, {
    // Whoever reads an answer may ask again at once: it goes out in one piece, once its end is told.
    treat: ({ headers }) => ({
      pieces: 1,
      ...(isColleague(headers.authorization) ? { upstream: reference } : {}),
    }),
    onExchange: (passed) => {
      // What never came as a whole is no request.
      if (passed.body === undefined) return;
      ended += 1;
      const recorded = exchangeOf(passed, ended);
      const actor = isColleague(recorded.request.headers['authorization']) ? colleague : client;
      const exchange = { ...recorded, actor };
      if (actor === colleague) heard = exchange;
      const operation = recorder.add(actor, exchange);
      if (operation === undefined) return;
      exchanges.add(operation, exchange);
      if (actor === client) operations.push(operation);
    },
  });
  const exchanges = new KeptExchanges({ secrets, runId, baseUrl: front.baseUrl });
  const state = temporaryFolder('conform-client-');
  const ask = async (asked: CallRequest): Promise<Exchange> => {
    const { statusCode, body } = await request(front.baseUrl + addressOf(asked), {
      method: asked.method as Dispatcher.HttpMethod,
      headers: { ...asked.headers, authorization: `Bearer ${author.token}` },
      body: (asked.body as string | undefined) ?? null,
      // A connection of its own: one reused just as the server drops it would be trouble that nobody asked for.
      reset: true,
    });
    await body.dump();
    if (statusCode >= 300 || heard === undefined)
      throw new Error(`the reference answered a colleague with ${statusCode}`);
    return heard;
  };
  const mentions = [{ kind: 'agent', id: agent.agentId }];
  /** That of the client, and another. */
  const [main, second] = [world.channelId, world.secondChannelId];
  return {
    env: {
      CONFORM_BASE_URL: front.baseUrl,
      CONFORM_TOKEN: agent.token,
      CONFORM_CHANNEL: world.channelId,
      CONFORM_AGENT_ID: agent.agentId ?? '',
      CONFORM_TASK: scenario.task,
      CONFORM_STATE: state.path,
    },
    agentId: agent.agentId ?? '',
    exchanges,
    operations,
    get history() {
      return recorder.history;
    },
    say: async (content, { isMention, isElsewhere }) => {
      const body = isMention ? { content, [bindings.mentions]: mentions } : { content };
      const { response } = await ask(sendMessage(isElsewhere ? second : main, body, randomUUID()));
      return String(isRecord(response?.json) ? messageIn(response.json)['id'] : undefined);
    },
    restart: async () => {
      const startedMs = performance.now();
      isDown = true;
      await sleep(downMs);
      await operator.restart();
      isDown = false;
      const endedMs = performance.now();
      recorder.change({ client: 'operator', change: 'restart', startedMs, endedMs, isDone: true });
    },
    swapNames: () => {
      const nameOf = (token: string): string => operator.agentOf(token)?.displayName ?? '';
      const [own, other] = [nameOf(agent.token), nameOf(author.token)];
      operator.renameAgent(agent.agentId ?? '', other);
      operator.renameAgent(author.agentId ?? '', own);
    },
    messages: async () => {
      const all: StoredMessage[] = [];
      for (const channel of [main, second]) {
        for (let after = 0n, hasMore: boolean | undefined = true; hasMore === true;) {
          const page = readPage(await ask(readChannel(channel, { after, limit: 100 })));
          all.push(...page.items.map(({ message }) => storedMessage(message, channel === second)));
          after = page.nextAfter ?? after;
          ({ hasMore } = page);
        }
      }
      return all;
    },
    close: async () => {
      await front.close();
      await chaos.close();
      await reference.close();
      state.remove();
    },
  };
}

function storedMessage({ id, content, author }: JsonRecord, isElsewhere: boolean): StoredMessage {
  return {
    id: String(id),
    content: String(content),
    authorId: String(isRecord(author) ? author['id'] : undefined),
    isElsewhere,
  };
}
