import { setTimeout as sleep } from 'node:timers/promises';
import type { Reference } from '../../reference/index.ts';
import type { Role, World } from '../../reference/model/world.ts';
import { askAs } from '../variants/base/ask-as.ts';
import type { Companion, CompanionAgent, Company, ReadMessage } from './companion.ts';

/** Messages that a companion remembers having read. */
const remembered = 50;
/** Posts of one companion that may be on their way. */
const mostOnTheirWay = 8;

type ShownMessage = ReadMessage & { readonly sequence: number; readonly author: { readonly id: string } };

/** A company at work on a server, in every workspace that it is let into. */
export class CompanyAtWork {
  readonly #reference: Reference;
  readonly #company: Company;
  /** What companions post, by agent and text: it may be read before its send is answered. */
  readonly #said = new Set<string>();
  readonly #working: Promise<void>[] = [];
  readonly #over = new AbortController();
  /** How many messages they posted, to see that they worked. */
  posts = 0;

  constructor(reference: Reference, company: Company) {
    this.#reference = reference;
    this.#company = company;
  }

  /** Sends the companions into a workspace, where each reads both channels. */
  join(world: World): void {
    for (const companion of this.#company.companions) {
      const { token, agentId = '' } = agentOfCompanion(this.#reference, world, companion.as ?? 'colleague');
      const channels = [world.channelId, world.secondChannelId];
      for (const [index, channel] of channels.entries()) {
        const elsewhere = channels[1 - index] ?? channel;
        const to = companion.posts === 'elsewhere' ? elsewhere : channel;
        this.#working.push(
          this.#work(companion, { token, agentId, channel, to, everybody: everybodyIn(world) }),
        );
      }
    }
  }

  /** Ends the work. */
  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#working);
  }

  async #work(companion: Companion, { token, agentId, channel, to, everybody }: Desk): Promise<void> {
    const { signal } = this.#over;
    const before: ShownMessage[] = [];
    const onTheirWay = new Set<Promise<void>>();
    let cursor = 0;
    while (!signal.aborted) {
      const messages = await this.#read(token, channel, `after=${cursor}&limit=100&wait=1`);
      if (messages === undefined) await sleep(100);
      for (const message of messages ?? []) {
        cursor = message.sequence;
        if (!this.#isForIt(companion, message)) continue;
        const content = companion.makes(message, before);
        before.push(message);
        if (before.length > remembered) before.shift();
        if (content === undefined || signal.aborted) continue;
        // What an agent says twice in the same words nobody can tell from a copy that the server made.
        if (message.author.id === agentId && message.content === content) continue;
        this.#said.add(`${agentId} ${content}`);
        const names = companion.namesEverybody === true ? { mentions: everybody } : {};
        const body = { ...bodyOf(companion, message, content), ...names };
        const post = sleep(companion.afterMs ?? 0).then(() => this.#post(token, to, body));
        onTheirWay.add(post);
        void post.then(() => onTheirWay.delete(post));
        if (onTheirWay.size >= mostOnTheirWay) await Promise.race(onTheirWay);
      }
    }
    await Promise.all(onTheirWay);
  }

  #isForIt({ answersCompanionsUpTo = 0 }: Companion, { author, content }: ShownMessage): boolean {
    return !this.#said.has(`${author.id} ${content}`) || content.length <= answersCompanionsUpTo;
  }

  async #read(token: string, channel: string, query: string): Promise<readonly ShownMessage[] | undefined> {
    const answer = await this.#call(token, `/v0/channels/${channel}/messages?${query}`);
    return (answer as { messages?: readonly ShownMessage[] } | undefined)?.messages;
  }

  async #post(token: string, channel: string, body: object): Promise<void> {
    const answer = await this.#call(token, `/v0/channels/${channel}/messages`, body);
    if (answer !== undefined) this.posts += 1;
  }

  /** The answer of the service; `undefined` for any but a success: a companion does not insist. */
  async #call(token: string, path: string, body?: object): Promise<unknown> {
    try {
      const answer = await askAs(this.#reference.baseUrl, token, path, { ...(body && { body }) });
      const answered: unknown = await answer.json();
      return answer.ok ? answered : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Where one companion reads and posts. */
interface Desk {
  readonly token: string;
  readonly agentId: string;
  readonly channel: string;
  readonly to: string;
  readonly everybody: Mentions;
}

type Mentions = NonNullable<ReadMessage['mentions']>;

function everybodyIn({ roles }: World): Mentions {
  const all = [roles.author, roles.reader, roles.peer].flatMap(({ agentId, humanUserId, machineId }) => [
    ...(agentId === undefined ? [] : [{ kind: 'agent', id: agentId }]),
    ...(humanUserId === undefined ? [] : [{ kind: 'user', id: humanUserId }]),
    ...(machineId === undefined ? [] : [{ kind: 'machine', id: machineId }]),
  ]);
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

function bodyOf({ keeps = [] }: Companion, message: ReadMessage, content: string): object {
  const { content_type, mentions = [], attachments = [] } = message;
  return {
    content,
    ...(keeps.includes('content_type') && { content_type }),
    ...(keeps.includes('mentions') && { mentions }),
    ...(keeps.includes('attachments') && { attachments: attachments.map(({ id }) => id) }),
  };
}

function agentOfCompanion({ operator }: Reference, { workspaceId, roles }: World, as: CompanionAgent): Role {
  return as === 'colleague' ? operator.addAgent(workspaceId) : roles[as];
}
