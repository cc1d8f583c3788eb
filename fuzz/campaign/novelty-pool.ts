import type { Random } from 'fast-check';
import { addressOf } from '../../calls/index.ts';
import type { CaseOutcome } from '../setup/case-runner.ts';
import { mutated } from '../cases/mutate-request.ts';
import type { Drawn } from '../cases/injection-point.ts';

/** Inputs that are kept, and the largest of them in characters. */
const mostKept = 256;
const largestKept = 4_000;

/**
 * Inputs whose answers were of a new kind: another status or error code for this call and expectation, or an answer with
 * fields that none had before. What is built on them stays close to where the server does something special.
 */
export class NoveltyPool {
  readonly #kinds = new Set<string>();
  readonly #kept: Drawn[] = [];

  /** Keeps the input when its answer is of a new kind. */
  consider(drawn: Drawn, { expected, verdict, exchange }: CaseOutcome): void {
    if (this.#kept.length >= mostKept || addressOf(exchange.request).length > largestKept) return;
    if ((exchange.request.body?.length ?? 0) > largestKept) return;
    const kind = `${exchange.request.call} ${expected} ${verdict.answerKind} ${shapeOf(exchange.response?.json)}`;
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    this.#kept.push(drawn);
  }

  get size(): number {
    return this.#kept.length;
  }

  /** One of them, changed in a place or two; `undefined` while there is none. */
  draw(random: Random): Drawn | undefined {
    if (this.#kept.length === 0) return undefined;
    const base = this.#kept[random.nextInt(0, this.#kept.length - 1)];
    if (base === undefined) return undefined;
    const request = mutated(base.request, random);
    return { family: base.family, label: `${base.label} changed`, request, shrinks: () => [] };
  }
}

/** Which fields an answer has, two levels deep: another branch of its schema looks different. */
function shapeOf(json: unknown, depth = 2): string {
  if (Array.isArray(json)) return json.length === 0 ? '[]' : `[${shapeOf(json[0], depth - 1)}]`;
  if (typeof json !== 'object' || json === null) return json === null ? 'null' : typeof json;
  if (depth === 0) return '{}';
  const fields = Object.entries(json).map(([key, value]) => `${key}:${shapeOf(value, depth - 1)}`);
  return `{${fields.toSorted().join()}}`.slice(0, 400);
}
