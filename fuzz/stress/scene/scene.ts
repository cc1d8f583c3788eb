import { bodyTextOf, emptyWorld } from '../../../generators/spaces/body/send-body.ts';
import { type Bindings, wordsOf } from '../../../harness/config/target.ts';
import type { Agent, Intruder } from './agents.ts';
import { carriedOf } from './parts.ts';
import type { ContentKind, Part, TargetKind, Text } from './plan.ts';
import type { Stage } from './stage.ts';
import type { Cursors } from './cursors.ts';
import type { Outcome } from '../../../history/operation.ts';
import type { Sequence } from '../../../history/sequence.ts';
import { push } from '../../../spec/groups.ts';

/** What one chapter of a run happens in: who speaks, where, and what has been sent and issued so far. */
export interface Scene {
  readonly agents: readonly Agent[];
  readonly intruders: readonly Intruder[];
  /** Ids of the channels that every agent can write to. */
  readonly channels: readonly string[];
  readonly bodies: Bodies;
  readonly bindings: Bindings;
  /** Where each stream ended before anything of this chapter was in it. */
  readonly starts: ReadonlyMap<string, Sequence>;
  readonly cursors: Cursors;
  readonly sent: SentLog;
  /** Whether connections may be cut: not where a proxy stands between. */
  readonly canCut: boolean;
}

/** Makes what a chapter sends. */
export class Bodies {
  readonly #runId: string;
  readonly #stage: Pick<Stage, 'budget' | 'target' | 'taken' | 'files'>;
  #markers = 0;
  /** Whether the run had written what it may before this. */
  isUsedUp = false;

  constructor(stage: Pick<Stage, 'budget' | 'target' | 'taken' | 'files'>, runId: string) {
    this.#runId = runId;
    this.#stage = stage;
  }

  /** A body with a marker of its own, and of what it is to carry whatever has an effect; `undefined` once the run has written what it may. */
  of(
    text: Text,
    targets: readonly { readonly kind: TargetKind; readonly id: string }[],
    parts: readonly Part[] = [],
  ): string | undefined {
    const { budget, target, taken, files } = this.#stage;
    this.#markers += 1;
    const content = contentOf(`${this.#runId}-${this.#markers}.`, text);
    this.isUsedUp = !budget.take(Buffer.byteLength(content));
    if (this.isUsedUp) return undefined;
    const named = taken.targets === true ? targets : [];
    const carried = carriedOf(parts.filter(({ part }) => taken[part] === true));
    return bodyTextOf(
      {
        fields: { content, ...carried.fields },
        ...(named.length > 0 && { mentions: named.map((each) => ({ literal: { ...each } })) }),
        ...(carried.attachments.length > 0 && { attachments: carried.attachments }),
      },
      { ...emptyWorld, ...wordsOf(target), files },
    );
  }
}

/** What fills a content of each kind, over and over. */
const fillers: Readonly<Record<ContentKind, string>> = {
  plain: ' what concurrent clients say',
  wide: ' größer 漢字 😀 ’s',
  escaped: ' "quoted" \\ \t</b>\u0001\n',
};

/** A content of a kind that begins with its marker and has as many bytes as asked for, if the marker leaves room. */
export function contentOf(marker: string, { kind, bytes }: Text): string {
  const filler = fillers[kind];
  const room = bytes - Buffer.byteLength(marker);
  if (room <= 0) return marker + filler;
  const each = Buffer.byteLength(filler);
  const whole = filler.repeat(Math.floor(room / each));
  return marker + whole + '.'.repeat(room - Math.floor(room / each) * each);
}

/** A body that was sent to a channel under a key, by whom, and what became of the last attempt. */
export interface SentOnce {
  readonly agent: Agent;
  readonly channel: string;
  readonly key: string;
  readonly body: string;
  /** `undefined` while the first attempt is on its way. */
  outcome: Outcome | undefined;
}

/** Everything that was sent, so that a key can be used again and what is indeterminate can be asked about. */
export class SentLog {
  readonly #all: SentOnce[] = [];
  readonly #byAgent = new Map<string, SentOnce[]>();

  add(sent: SentOnce): void {
    this.#all.push(sent);
    push(this.#byAgent, sent.agent.name, sent);
  }

  /** An earlier send of an agent, counted back from its newest; `undefined` before the first. */
  earlier(agent: Agent, back: number): SentOnce | undefined {
    const own = this.#byAgent.get(agent.name) ?? [];
    return own[own.length - 1 - (back % own.length)];
  }

  /** Sends of which nobody knows whether they happened. */
  get indeterminate(): readonly SentOnce[] {
    return this.#all.filter(({ outcome }) => outcome === 'indeterminate' || outcome === undefined);
  }
}
