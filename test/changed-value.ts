import { InvalidTarget } from '../harness/errors.ts';

/** The one line that a piece of work is refused with; `undefined` when it is done. Any other end is an error of its own. */
export async function refusalOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidTarget) || error.message.includes('\n')) throw error;
    return error.message;
  }
}

/** A value with one of those in it, the whole included, replaced by another. */
export function withChange(whole: unknown, at: number, value: unknown): unknown {
  let count = 0;
  const size = JSON.stringify(whole).split(/[:,[]/).length;
  const walk = (each: unknown): unknown => {
    count += 1;
    if (count === (at % size) + 1) return value;
    if (Array.isArray(each)) return each.map(walk);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(whole);
}
