import type { JsonRecord } from '../../spec/calls/index.ts';
import { isSameJson } from '../client/json-path.ts';
import type { Exercised, WireJudgement } from './wire-judgement.ts';
import { remembered } from '../../spec/groups.ts';

/** Messages that are kept at once. */
const mostKept = 3_000;

interface JudgedMessage {
  readonly message: JsonRecord;
  readonly judgement: WireJudgement;
}

/**
 * Messages whose form broke nothing, the last one of each id: one that is read again and says the same need not be judged
 * again. One that broke something is, since what is said of it names its place in the answer.
 */
export class KnownMessages {
  readonly #byId = new Map<unknown, JudgedMessage>();
  /** The same, by the very value: a body that comes again is read once. */
  readonly #byValue = new WeakMap<JsonRecord, WireJudgement>();
  /** Each set of clauses that messages put to the test, once. */
  readonly #clauses = new Map<string, ReadonlySet<Exercised>>();

  /** What `judge` finds in this message, or found in one that says the very same. */
  judge(message: JsonRecord, judge: () => WireJudgement): WireJudgement {
    const known = this.#byValue.get(message);
    if (known !== undefined) return known;
    const judgement = this.#byItsId(message, judge);
    if (judgement.problems.length === 0) this.#byValue.set(message, judgement);
    return judgement;
  }

  #byItsId(message: JsonRecord, judge: () => WireJudgement): WireJudgement {
    const { id } = message;
    const known = this.#byId.get(id);
    if (known !== undefined && isSameJson(known.message, message)) return known.judgement;
    const found = judge();
    if (found.problems.length > 0) return found;
    const judgement = { problems: [], exercised: this.#one(found.exercised) };
    if (this.#byId.size >= mostKept) this.#byId.clear();
    this.#byId.set(id, { message, judgement });
    return judgement;
  }

  #one(exercised: ReadonlySet<Exercised>): ReadonlySet<Exercised> {
    return remembered(this.#clauses, [...exercised].join(' '), () => exercised);
  }
}
