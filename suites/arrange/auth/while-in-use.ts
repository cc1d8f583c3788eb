import type { Always } from '../../../harness/check/context.ts';
import { arranged } from '../or-else.ts';

/** The first pause between two reads, in ms, and how much longer each is than the one before it. */
const firstPauseMs = 50;
const growth = 1.2;
/** How often it is looked whether the change has been made, in ms. */
const sliceMs = 20;

/**
 * Makes a change, and then looks what has become of those whom it concerns. As long as the operator is at work they go on with their
 * `reads`, in turn: what remembers who gets in remembers it when the change takes effect, however long a hook takes. Their
 * answers are judged by nobody. Before the operator is done the last of them is as long ago as a quarter of his time, at most: 14 of
 * them go with 3.5 s, 20 with 10 s. The look waits for none of them; none is on its way when it is over.
 */
export async function whileInUse<Seen>(
  { sleep }: Pick<Always, 'sleep'>,
  reads: readonly (() => Promise<unknown>)[],
  change: () => Promise<void>,
  look: () => Promise<Seen>,
): Promise<Seen> {
  let isMade = false;
  const readOn = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    for (let at = 0; ; at += 1) {
      const dueMs = performance.now() + pauseMs;
      while (!isMade && performance.now() < dueMs) await sleep(sliceMs, 'hook');
      if (isMade) return;
      await arranged(async () => reads[at % reads.length]?.());
      pauseMs *= growth;
    }
  };
  const reading = reads.length === 0 ? Promise.resolve() : readOn();
  // Whoever waits for it hears of its failure, which comes before that.
  reading.catch(() => undefined);
  try {
    await change();
    isMade = true;
    return await look();
  } finally {
    isMade = true;
    await reading;
  }
}
