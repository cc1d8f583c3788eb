import { stringifyExact } from '../../../spec/calls/index.ts';
import type { Bindings } from '../../../harness/config/target.ts';
import type { TargetKind, Text, ContentKind } from './plan.ts';
import type { Agent } from './agents.ts';
import type { Budget, Stage } from './stage.ts';
import type { Cursors } from './cursors.ts';
import type { Outcome } from '../../../history/operation.ts';
import type { Sequence } from '../../../history/sequence.ts';

/** What one chapter of a run happens in: who speaks, where, and what has been sent and issued so far. */
export interface Scene {
  readonly agents: readonly Agent[];
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
  readonly #budget: Budget;
  /** `undefined` where naming targets has no effect. */
  readonly #mentionsField: string | undefined;
  #markers = 0;
  /** Whether the run had written what it may before this. */
  isUsedUp = false;

  constructor(
    { budget, target, takesTargets }: Pick<Stage, 'budget' | 'target' | 'takesTargets'>,
    runId: string,
  ) {
    this.#runId = runId;
    this.#budget = budget;
    this.#mentionsField = takesTargets === true ? target.bindings.mentions : undefined;
  }

  /** A body with a marker of its own; `undefined` once the run has written what it may. */
  of(text: Text, targets: readonly { readonly kind: TargetKind; readonly id: string }[]): string | undefined {
    this.#markers += 1;
    const content = contentOf(`${this.#runId}-${this.#markers}.`, text);
    this.isUsedUp = !this.#budget.take(Buffer.byteLength(content));
    if (this.isUsedUp) return undefined;
    const field = targets.length === 0 ? undefined : this.#mentionsField;
    return stringifyExact({ content, ...(field === undefined ? {} : { [field]: targets }) });
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
    const { name } = sent.agent;
    const own = this.#byAgent.get(name);
    if (own === undefined) this.#byAgent.set(name, [sent]);
    else own.push(sent);
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
