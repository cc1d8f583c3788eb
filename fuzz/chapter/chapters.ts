import { setTimeout as sleep } from 'node:timers/promises';
import { Patience } from '../../harness/chapter/patience.ts';
import { findStarts } from '../../harness/chapter/find-starts.ts';
import { Actor } from '../../harness/client/actor.ts';
import type { Client } from '../../harness/client/client.ts';
import type { EvidenceRules } from '../../harness/client/evidence.ts';
import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import type { Target } from '../../harness/config/target.ts';
import { readPage } from '../../harness/stream/page.ts';
import type { JsonRecord } from '../../spec/calls/index.ts';
import { walk } from '../../harness/stream/walk.ts';
import type { Sequence } from '../../history/sequence.ts';
import type { OracleFacts } from '../../spec/oracles/requests/expectation.ts';
import type { Markers } from '../cases/markers.ts';
import { Chapter, type ChapterKind, type Judgement } from './chapter.ts';

/** Where chapters take place. */
interface ChaptersOptions {
  readonly client: Client;
  readonly target: Target;
  readonly markers: Markers;
  readonly settleMs: number;
  readonly signal: AbortSignal;
  /** What is known of how requests are to be answered. */
  readonly asked: OracleFacts;
  /** Gets every answer with a 429 that is waited out. */
  readonly noteLimited: (exchange: Exchange) => void;
  /** What is known of principals; those of agents are learned here. */
  readonly principals: Principals;
  /** How the exchanges of a few cases are shown. */
  readonly rules: EvidenceRules;
  /** True once the field for mentions was seen to have its effect. */
  readonly isNaming: () => boolean;
  /** True of whoever can be let in no more; default nobody. */
  readonly isOut?: (role: RoleName) => boolean;
}

/** A chapter that is open, and how it is closed. */
export interface OpenChapter<Owner> {
  readonly chapter: Chapter<Owner>;
  readonly close: () => Promise<Judgement<Owner>>;
  /** Has everybody look at every view once. */
  readonly look: () => Promise<void>;
  /** The message with a marker as the channel of the target shows it within the settle time. */
  readonly shown: (marker: string) => Promise<JsonRecord | undefined>;
}

/** A chapter as it begins. */
interface Begun<Owner> extends Begin {
  readonly chapter: Chapter<Owner>;
  readonly agents: Agents;
}

/** Where streams end as a chapter begins, and whether that is known of all that it is to look at. */
interface Begin {
  readonly starts: ReadonlyMap<string, Sequence>;
  readonly areAllKnown: boolean;
}

/** Ids of principals by their kind and the role they belong to: `agent:author`. */
export type Principals = Map<string, string>;

type Agents = ReadonlyMap<RoleName, Actor>;

/** Agents that look at everything, the sender of the cases first. */
export const readers: readonly RoleName[] = ['author', 'reader', 'peer', 'api-key'];

/** Opens chapters and closes them. */
export class Chapters {
  readonly #options: ChaptersOptions;
  readonly #open = new Set<Chapter<unknown>>();
  readonly #unmarked = new Set<Promise<unknown>>();
  /** Sends without a marker that ended lately: what they left may still come to show. */
  readonly #lately: Exchange[] = [];
  readonly #patience: Patience;
  #turns = 0;
  /** Why what is sent cannot be read back, as the first chapter showed; `undefined` where it can, and before. */
  whyUnread: string | undefined;

  constructor(options: ChaptersOptions) {
    this.#options = options;
    this.#patience = new Patience(options.settleMs);
  }

  /** Begins one: finds the ends of all streams, and sends what everything else is held against. */
  async open<Owner>(kind: ChapterKind): Promise<OpenChapter<Owner>> {
    const { client, target, settleMs, markers, rules, asked, isOut = () => false } = this.#options;
    const chapter = new Chapter<Owner>({
      target,
      settleMs,
      patience: this.#patience,
      asked,
      rules,
      kind,
      isLimited: () => client.traffic.limited > 0,
      turn: (this.#turns += 1),
      markers: markers.ofChapter(),
      unmarked: this.#unmarked,
    });
    this.#open.add(chapter);
    this.#forgetOld();
    for (const exchange of this.#lately) chapter.record(exchange);
    const agents = this.#agentsOf(chapter, kind);
    const begin = await this.#startsIn({ chapter, agents }, kind);
    const begun = { chapter, agents, ...begin };
    if (kind !== 'bare') await this.#anchor(begun);
    const lookers = () => ({ ...begin, agents: new Map([...agents].filter(([role]) => !isOut(role))) });
    return {
      chapter,
      close: () => chapter.close(lookers()).finally(() => this.#open.delete(chapter)),
      look: () => chapter.look(lookers()),
      shown: (marker) => this.#shown(begun, marker),
    };
  }

  /** A try that a limit refused may have had its effect all the same: the chapter has to know. */
  noteLimited<Owner>(exchange: Exchange, chapter: Chapter<Owner>): void {
    this.#options.noteLimited(exchange);
    chapter.record(exchange);
  }

  #agentsOf<Owner>(chapter: Chapter<Owner>, kind: ChapterKind): Agents {
    const { client, target, signal } = this.#options;
    const session = {
      client,
      signal,
      record: () => undefined,
      noteTry: (exchange: Exchange) => this.noteLimited(exchange, chapter),
    };
    return new Map(
      // Where one case is all that there is, three see what there is to see.
      readers.slice(0, kind === 'apart' ? 3 : readers.length).flatMap((role) => {
        const token = target.roles[role]?.token;
        return token === undefined ? [] : [[role, new Actor(role, token, session)] as const];
      }),
    );
  }

  /** Of a message that carries no marker every open chapter has to know: any of them may read it. */
  async unmarked<Owner>(answer: Promise<Exchange>, chapter: Chapter<Owner>): Promise<Exchange> {
    this.#unmarked.add(answer);
    try {
      const exchange = await answer;
      for (const other of this.#open) if (other !== chapter) other.record(exchange);
      this.#forgetOld();
      this.#lately.push(exchange);
      return exchange;
    } finally {
      this.#unmarked.delete(answer);
    }
  }

  /** Whatever ended more than a settle time ago shows by now. */
  #forgetOld(): void {
    const oldestMs = performance.now() - this.#options.settleMs;
    const fresh = this.#lately.findIndex(({ endedMs }) => endedMs >= oldestMs);
    this.#lately.splice(0, fresh < 0 ? this.#lately.length : fresh);
  }

  async #startsIn<Owner>(
    { chapter, agents }: Omit<Begun<Owner>, keyof Begin>,
    kind: ChapterKind,
  ): Promise<Begin> {
    const { target, principals } = this.#options;
    const isFirst = this.#turns === 1;
    const { channelId, secondChannelId } = target;
    // The first chapter is asked for so much one after the other that few requests a second would slow it for long.
    const isSlow = isFirst && kind === 'campaign' && target.limits.ratePerSecond !== undefined;
    const isMainAlone = kind === 'brief' || kind === 'bare' || isSlow;
    // What was without an end from the beginning is not walked again.
    const main = this.whyUnread === undefined ? channelId : undefined;
    const channels = [main, isMainAlone ? undefined : secondChannelId].flatMap((id) => id ?? []);
    const { starts, agentIds, whyNot } = await findStarts({
      channels: agents.has('author') ? channels : [],
      agents: [...agents.keys()],
      target,
      askAs: async (role, request) => {
        const exchange = await (agents.get(role as RoleName) as Actor).ask(request);
        return { exchange, operation: chapter.record(exchange) };
      },
    });
    // In the order of the readers: cases are drawn of what is known.
    for (const role of agents.keys()) {
      const id = agentIds.get(role);
      if (id !== undefined) principals.set(`agent:${role}`, id);
    }
    if (isFirst) this.whyUnread = whyNot.get(`channel ${channelId}`);
    // A moment in which nothing could be read is one of this chapter alone.
    return { starts, areAllKnown: this.whyUnread === undefined && whyNot.size === 0 };
  }

  /** Messages of this chapter that everything sent later is held against, in every view, and a look at them. */
  async #anchor<Owner>(begun: Begun<Owner>): Promise<void> {
    const { chapter, agents, starts } = begun;
    const { target } = this.#options;
    const { channelId, secondChannelId } = target;
    const [author, reader] = [agents.get('author'), agents.get('reader')];
    if (target.limits.isReadOnly || author === undefined || channelId === undefined) return;
    const send = async (actor: Actor, id: string, targets: readonly string[] = []): Promise<Exchange> => {
      const fields = targets.length === 0 ? {} : { [target.bindings.mentions]: targets.map(named) };
      const exchange = await actor.send(id, chapter.markers.nextArranged(), { fields });
      chapter.record(exchange);
      return exchange;
    };
    const named = (name: string): unknown => ({
      kind: name.slice(0, name.indexOf(':')),
      id: this.#options.principals.get(name),
    });
    const isKnown = (name: string): boolean => this.#options.principals.has(name) && this.#options.isNaming();
    const sent = [send(author, channelId)];
    if (starts.has(`channel ${String(secondChannelId)}`)) sent.push(send(author, secondChannelId ?? ''));
    if (reader !== undefined && isKnown('agent:author')) sent.push(send(reader, channelId, ['agent:author']));
    for (const name of ['agent:reader', 'user:reader', 'machine:reader', 'agent:peer', 'agent:api-key'])
      if (isKnown(name)) sent.push(send(author, channelId, [name]));
    const [first] = await Promise.all(sent);
    if (first === undefined || !isAccepted(first)) return;
    await this.#shown(begun, chapter.markers.runId);
    await Promise.all(
      [...agents].map(async ([role, actor]) => {
        const after = starts.get(`feed ${role}`);
        if (after !== undefined) chapter.record(await actor.mentions({ after, limit: 100 }));
      }),
    );
  }

  async #shown<Owner>(
    { chapter, agents, starts }: Begun<Owner>,
    marker: string,
  ): Promise<JsonRecord | undefined> {
    const { settleMs, target } = this.#options;
    const { channelId = '', bindings } = target;
    const author = agents.get('author');
    const start = starts.get(`channel ${channelId}`);
    if (author === undefined || start === undefined) return undefined;
    const deadlineMs = performance.now() + settleMs;
    for (;;) {
      const { items } = await walk(async (after) => {
        const exchange = await author.readChannel(channelId, { after, limit: 100 });
        chapter.record(exchange);
        return readPage(exchange, bindings.items);
      }, BigInt(start));
      const found = items.find(({ content }) => content?.includes(marker));
      if (found !== undefined || performance.now() > deadlineMs) return found?.message;
      await sleep(20);
    }
  }
}
