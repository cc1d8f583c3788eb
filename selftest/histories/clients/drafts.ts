import type { TargetName } from '../../../history/seen-message.ts';
import type { Random } from '../base/random.ts';
import type { Site } from './site.ts';
import type { Send } from '../../../history/operation.ts';

/** What a client asks to append. */
export interface Draft extends Pick<Send, 'channel' | 'key' | 'contentType' | 'targets' | 'files' | 'host'> {
  readonly content: string;
  readonly session: Readonly<Record<string, string>> | undefined;
}

/** The body of its request. */
export function bodyOf({ content, contentType, targets, files, session, host }: Draft) {
  return {
    content,
    ...(contentType !== undefined && { content_type: contentType }),
    mentions: targets.map((target) => {
      const [kind, id] = target.split(':');
      return { kind, id };
    }),
    attachments: files,
    ...(session !== undefined && { source_session: session }),
    ...(host !== undefined && { agent_host: host }),
  };
}

/** Length of most messages at most, in UTF-16 units. */
const mostUsual = 200;

/** What a server may alter, of each kind something. */
const everyLetter = ' Größe 1 é\t<b>"A & B"</b> \r\n 漢字 😀 \\n %41 ';

/** Makes the messages of one history, each with a marker of its own. */
export class Drafts {
  #made: number;
  readonly #runId: string;
  readonly #random: Random;
  readonly #site: Site;

  constructor({ runId, firstIndex, random, site }: DraftParts) {
    this.#runId = runId;
    this.#made = firstIndex;
    this.#random = random;
    this.#site = site;
  }

  /** A message that mentions all agents: what comes after it from its author and is no longer is known to be retained while it is. */
  anchor(channel: string): Draft {
    const targets = this.#site.agents.map(({ id }) => `agent:${id}`);
    return { ...this.#bare(channel), content: this.#content(mostUsual), targets };
  }

  /** A message that mentions one human, or machine, alone: an anchor for others that do. */
  naming(channel: string, target: TargetName): Draft {
    return { ...this.#bare(channel), content: this.#content(mostUsual), targets: [target] };
  }

  /** Any message, now and then one that the service has to refuse. */
  any(channel: string): Draft {
    return this.#random.chance(0.06)
      ? { ...this.#bare(channel), content: `${this.#content(40)}\0` }
      : this.good(channel);
  }

  /** Any message that the service has to take. */
  good(channel: string): Draft {
    const random = this.#random;
    const bytes = random.chance(0.1) ? random.integer(1_000, 200_000) : random.integer(40, mostUsual);
    return {
      ...this.#bare(channel),
      key: random.chance(0.05) ? undefined : this.key(),
      content: this.#content(bytes),
      contentType: random.chance(0.3) ? random.pick(['text/plain', 'text/markdown']) : undefined,
      targets: random.chance(0.6) ? this.#targets() : [],
      files: random.chance(0.25) ? [random.pick(this.#site.files), random.pick(this.#site.files)] : [],
      session: random.chance(0.2) ? random.pick(sessions) : undefined,
      host: random.chance(0.2) ? random.pick(['editor', 'shell']) : undefined,
    };
  }

  /** The same key for another text. */
  conflicting(draft: Draft): Draft {
    return { ...draft, content: this.#content(60), targets: [] };
  }

  /** A message of a stranger, or of an earlier run. */
  foreign(channel: string): Draft {
    this.#made += 1;
    return {
      ...this.#bare(channel),
      content: `foreign ${this.#made}`,
      targets: this.#random.chance(0.4) ? this.#targets() : [],
    };
  }

  #bare(channel: string): Draft {
    return {
      channel,
      key: this.key(),
      content: this.#content(40),
      contentType: undefined,
      targets: [],
      files: [],
      session: undefined,
      host: undefined,
    };
  }

  #targets(): readonly string[] {
    const all = this.#site.agents.flatMap(({ targets }) => targets);
    const count = this.#random.pick([1, 1, 2, 3]);
    const picked = Array.from({ length: count }, () => this.#random.pick(all));
    return this.#random.chance(0.1) ? [...picked, `agent:${nobody}`] : picked;
  }

  #content(bytes: number): string {
    const number = this.#made;
    this.#made += 1;
    return `${this.#runId}-${number}.`.padEnd(bytes, everyLetter).replace(/[\uD800-\uDBFF]$/, '');
  }

  /** A fresh key. */
  key(): string {
    this.#made += 1;
    return `key-${this.#made}`;
  }
}

interface DraftParts {
  readonly runId: string;
  /** Of the first marker: histories that are merged count in ranges of their own. */
  readonly firstIndex: number;
  readonly random: Random;
  readonly site: Site;
}

const nobody = 'ffffffff-0000-4000-8000-000000000001';
const sessions = ['desktop', 'cli'].map((surface) => ({
  provider: 'provider_b',
  surface,
  session_id: `s-${surface}`,
}));
