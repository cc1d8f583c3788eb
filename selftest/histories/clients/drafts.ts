import type { TextDigest } from '../../../history/seen-message.ts';
import type { Random } from '../base/random.ts';
import { targetsOf } from '../service/directory.ts';
import type { Agent } from '../service/directory.ts';
import type { Draft } from '../service/rules.ts';

/** Length of most messages at most, in bytes. */
const mostUsual = 200;

/** Makes the messages of one history, each with a marker of its own. */
export class Drafts {
  #made: number;
  readonly #runId: string;
  readonly #random: Random;
  readonly #agents: readonly Agent[];

  constructor({ runId, firstIndex, random, agents }: DraftParts) {
    this.#runId = runId;
    this.#made = firstIndex;
    this.#random = random;
    this.#agents = agents;
  }

  /** A message that mentions all agents: what comes after it from its author and is no longer is known to be retained while it is. */
  anchor(channel: string): Draft {
    const targets = this.#agents.map(({ id }) => `agent:${id}`);
    return { ...this.#bare(channel), content: this.#content(mostUsual), targets };
  }

  /** Any message, now and then one that the service has to refuse. */
  any(channel: string): Draft {
    return this.#random.chance(0.06)
      ? { ...this.#bare(channel), content: this.#content(500_001), isBad: true }
      : this.good(channel);
  }

  /** Any message that the service has to take. */
  good(channel: string): Draft {
    const random = this.#random;
    const bytes = random.chance(0.1) ? random.integer(1_000, 400_000) : random.integer(40, mostUsual);
    return {
      ...this.#bare(channel),
      key: random.chance(0.05) ? undefined : this.key(),
      content: this.#content(bytes),
      contentType: random.chance(0.3) ? random.pick(['text/plain', 'text/markdown']) : undefined,
      targets: random.chance(0.6) ? this.#targets() : [],
      files: random.chance(0.25) ? [random.pick(files), random.pick(files)] : [],
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
    const content = { digest: `foreign-${this.#made}`, bytes: 30, marker: undefined };
    return { ...this.#bare(channel), content, targets: this.#random.chance(0.4) ? this.#targets() : [] };
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
      isBad: false,
    };
  }

  #targets(): readonly string[] {
    const all = this.#agents.flatMap(targetsOf);
    const count = this.#random.pick([1, 1, 2, 3]);
    const picked = Array.from({ length: count }, () => this.#random.pick(all));
    return this.#random.chance(0.1) ? [...picked, `agent:${nobody}`] : picked;
  }

  #content(bytes: number): TextDigest {
    const number = this.#made;
    this.#made += 1;
    return { digest: `text-${number}-${bytes}`, bytes, marker: `${this.#runId}-${number}.` };
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
  readonly agents: readonly Agent[];
}

const nobody = 'ffffffff-0000-4000-8000-000000000001';
const files = [1, 2, 3].map((number) => `eeeeeeee-0000-4000-8000-00000000000${number}`);
const sessions = ['desktop', 'cli'].map((surface) =>
  JSON.stringify([
    ['provider', 'provider_b'],
    ['session_id', `s-${surface}`],
    ['surface', surface],
  ]),
);
