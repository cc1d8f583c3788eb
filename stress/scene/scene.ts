import { stringifyExact } from '../../calls/index.ts';
import type { Target } from '../../harness/config/target.ts';
import type { TargetKind, Text } from '../plan/plan.ts';
import type { Agent } from './agents.ts';
import type { Budget } from './budget.ts';
import { contentOf } from './contents.ts';
import { Cursors } from './cursors.ts';
import type { Journal } from './journal.ts';
import { SentLog } from './sent-log.ts';

/** What one chapter of a run happens in: who speaks, where, and what has been sent and issued so far. */
export class Scene {
  readonly agents: readonly Agent[];
  /** Ids of the channels that every agent can write to. */
  readonly channels: readonly string[];
  readonly journal: Journal;
  readonly budget: Budget;
  readonly cursors: Cursors;
  readonly sent = new SentLog();
  /** Whether connections may be cut: not where a proxy stands between. */
  readonly canCut: boolean;
  readonly #runId: string;
  /** `undefined` where naming targets has no effect. */
  readonly #mentionsField: string | undefined;
  #markers: number;

  constructor(parts: {
    readonly target: Target;
    readonly runId: string;
    readonly agents: readonly Agent[];
    readonly channels: readonly string[];
    readonly journal: Journal;
    readonly budget: Budget;
    readonly canCut: boolean;
    readonly takesTargets: boolean;
    /** A scene that this one goes on from, with fewer agents or channels. */
    readonly before: Scene | undefined;
  }) {
    this.agents = parts.agents;
    this.channels = parts.channels;
    this.journal = parts.journal;
    this.budget = parts.budget;
    this.canCut = parts.canCut;
    this.cursors = parts.before?.cursors ?? new Cursors();
    this.#markers = parts.before?.markers ?? 0;
    this.#runId = parts.runId;
    this.#mentionsField = parts.takesTargets ? parts.target.bindings.mentions : undefined;
  }

  /** How many markers were made. */
  get markers(): number {
    return this.#markers;
  }

  /** A body with a marker of its own; `undefined` once the run has written what it may. */
  bodyOf(
    text: Text,
    targets: readonly { readonly kind: TargetKind; readonly id: string }[],
  ): string | undefined {
    this.#markers += 1;
    const content = contentOf(`${this.#runId}-${this.#markers}.`, text);
    if (!this.budget.take(Buffer.byteLength(content))) return undefined;
    const field = targets.length === 0 ? undefined : this.#mentionsField;
    return stringifyExact({ content, ...(field === undefined ? {} : { [field]: targets }) });
  }
}
