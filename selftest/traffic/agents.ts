import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../../harness/config/target.ts';
import { askAs } from '../variants/base/ask-as.ts';

/** Agents at work, each with a credential that it may share with others. */
interface Load {
  readonly agents: number;
  readonly forMs: number;
}

/** Of an answer, what such a client uses. */
interface Page {
  readonly page?: { readonly next_after?: number; readonly has_more?: boolean };
  readonly messages?: readonly Shown[];
  readonly mentions?: readonly { readonly message?: Shown }[];
}

interface Shown {
  readonly id?: string;
  readonly content?: string;
  readonly author?: Author;
}

interface Author {
  readonly id?: string;
  readonly human_user?: { readonly id?: string } | null;
  readonly machine?: { readonly id?: string } | null;
}

const roles = ['author', 'reader', 'peer'] as const;
const texts = [
  'on it',
  'the build is red again',
  'done: 3 of 7',
  'Grüße aus Köln',
  '🎉 shipped',
  ' indented\n',
  '{"a": [1]}',
];
const sessions = [
  { provider: 'provider_b', surface: 'cloud', session_id: 'cse_01H' },
  { provider: 'provider_d', surface: 'cli', session_id: '20240229_120000_abcdef' },
];

/** Lets agents read on, send, mention each other and report what they read: plain traffic, of which nothing is meant to find anything. */
export async function letAgentsWork(target: Target, baseUrl: string, { agents, forMs }: Load): Promise<void> {
  const endMs = performance.now() + forMs;
  const known = new Set<string>();
  const work = Array.from({ length: agents }, (_, number) =>
    new Agent(target, baseUrl, { number, known }).work(() => performance.now() < endMs),
  );
  await Promise.all(work);
}

class Agent {
  readonly #target: Target;
  readonly #baseUrl: string;
  readonly #token: string;
  readonly #number: number;
  /** Targets that messages have shown, for all agents. */
  readonly #known: Set<string>;
  #after = 0;
  #mentionsAfter: number | undefined;
  #turn = 0;

  constructor(
    target: Target,
    baseUrl: string,
    { number, known }: { readonly number: number; readonly known: Set<string> },
  ) {
    this.#target = target;
    this.#baseUrl = baseUrl;
    this.#number = number;
    this.#known = known;
    this.#token = target.roles[roles[number % roles.length] ?? 'author']?.token ?? '';
  }

  async work(goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      try {
        await this.#step();
      } catch {
        // A server that breaks rules may break a client too.
      }
      this.#turn += 1;
      await sleep(20 + ((this.#number * 7 + this.#turn * 13) % 60));
    }
  }

  async #step(): Promise<void> {
    const turn = this.#turn + this.#number;
    const channel = turn % 9 === 8 ? this.#target.secondChannelId : this.#target.channelId;
    const messages = `/v0/channels/${channel}/messages`;
    if (turn % 4 === 0) return void (await this.#send(messages, turn));
    if (turn % 4 === 1) return this.#readMentions(turn);
    if (turn % 31 === 2) return this.#overview();
    // One that starts again reads from its start; most go on.
    const isFresh = turn % 17 === 3 || channel !== this.#target.channelId;
    const limit = turn % 5 === 2 ? 7 : 100;
    const wait = turn % 11 === 2 ? '&wait=1' : '';
    const body = await this.#ask(`${messages}?after=${isFresh ? 0 : this.#after}&limit=${limit}${wait}`);
    this.#learn((body.messages ?? []).slice(0, 20));
    if (!isFresh) this.#after = body.page?.next_after ?? this.#after;
    if (turn % 6 === 3) await this.#report(channel, body);
  }

  async #readMentions(turn: number): Promise<void> {
    const isNewest = this.#mentionsAfter === undefined || turn % 13 === 5;
    const after = turn % 19 === 1 ? 0 : this.#mentionsAfter;
    const limit = turn % 7 === 1 ? '&limit=5' : turn % 3 === 0 ? '' : '&limit=100';
    const body = await this.#ask(
      isNewest ? `/v0/mentions?${limit.slice(1)}` : `/v0/mentions?after=${after}${limit}`,
    );
    this.#learn((body.mentions ?? []).flatMap(({ message }) => message ?? []));
    this.#mentionsAfter = body.page?.next_after ?? this.#mentionsAfter;
  }

  #learn(messages: readonly Shown[]): void {
    for (const { author } of messages) {
      if (typeof author?.id === 'string') this.#known.add(`agent ${author.id}`);
      if (typeof author?.human_user?.id === 'string') this.#known.add(`user ${author.human_user.id}`);
      if (typeof author?.machine?.id === 'string') this.#known.add(`machine ${author.machine.id}`);
    }
  }

  #send(path: string, turn: number): Promise<Page> {
    const targets = [...this.#known];
    const [kind, id] = (targets[turn % Math.max(1, targets.length)] ?? '').split(' ');
    const [file] = this.#target.files;
    const text = texts[turn % texts.length] ?? '';
    const filling = turn % 23 === 4 ? 'x'.repeat(3_000) : '';
    return this.#ask(path, {
      content: `${text} ${this.#number}.${this.#turn} ${filling}`,
      ...(turn % 3 === 0 ? {} : { content_type: turn % 3 === 1 ? 'text/plain' : 'text/markdown' }),
      ...(id === undefined || turn % 8 === 0 ? {} : { mentions: [{ kind, id }] }),
      ...(turn % 10 === 4 && { source_session: sessions[turn % sessions.length] }),
      ...(turn % 12 === 4 && { agent_host: 'editor' }),
      ...(turn % 14 === 4 && file !== undefined && { attachments: [file] }),
    });
  }

  #report(channel: string | undefined, { messages = [] }: Page): Promise<Page> {
    const ids = messages.slice(-3).flatMap(({ id }) => id ?? []);
    return this.#ask(`/v0/channels/${channel}/receipts`, { message_ids: ids });
  }

  async #overview(): Promise<void> {
    const { workspaceId, roles: given } = this.#target;
    await this.#ask(`/v1/human/workspaces/${workspaceId}`, undefined, given.machine?.token);
    await this.#ask('/v0/channels');
  }

  async #ask(path: string, body?: object, token = this.#token): Promise<Page> {
    const signal = AbortSignal.timeout(10_000);
    const answer = await askAs(this.#baseUrl, token, path, { signal, ...(body && { body }) });
    const text = await answer.text();
    return answer.ok && text !== '' ? (JSON.parse(text) as Page) : {};
  }
}
