import type { JsonRecord } from '../stream/page.ts';
import type { Exercised, WireJudgement } from './wire-judgement.ts';

/** Judgements that are kept at once. */
const mostKept = 3_000;

/**
 * Messages whose form broke nothing, kept by their whole JSON text: one that is read again need not be judged again. One
 * that broke something is, since what is said of it names its place in the answer.
 */
export class KnownMessages {
  readonly #judgements = new Map<string, WireJudgement>();
  /** The same, by the very value: a body that comes again is read once. */
  readonly #byValue = new WeakMap<JsonRecord, WireJudgement>();
  /** Each set of clauses that messages put to the test, once. */
  readonly #clauses = new Map<string, ReadonlySet<Exercised>>();

  /** What `judge` finds in this message, or found in one with the very same text. */
  judge(message: JsonRecord, judge: () => WireJudgement): WireJudgement {
    const known = this.#byValue.get(message);
    if (known !== undefined) return known;
    const judgement = this.#byItsText(message, judge);
    if (judgement.problems.length === 0) this.#byValue.set(message, judgement);
    return judgement;
  }

  #byItsText(message: JsonRecord, judge: () => WireJudgement): WireJudgement {
    const text = textOf(message);
    if (text === undefined) return judge();
    const known = this.#judgements.get(text);
    if (known !== undefined) return known;
    const found = judge();
    if (found.problems.length > 0) return found;
    const judgement = { problems: [], exercised: this.#one(found.exercised) };
    if (this.#judgements.size >= mostKept) this.#judgements.clear();
    this.#judgements.set(text, judgement);
    return judgement;
  }

  #one(exercised: ReadonlySet<Exercised>): ReadonlySet<Exercised> {
    const name = [...exercised].join(' ');
    const known = this.#clauses.get(name) ?? exercised;
    this.#clauses.set(name, known);
    return known;
  }
}

/** `undefined` for a message with an integer that JSON in this language does not write. */
function textOf(message: JsonRecord): string | undefined {
  try {
    return JSON.stringify(message);
  } catch {
    return undefined;
  }
}
