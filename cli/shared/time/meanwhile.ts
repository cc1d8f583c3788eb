import { err, out } from '../output.ts';

/** When something is said first, in ms; each further time after twice as long. */
const firstMs = 5_000;

/** What says now and then that a command is still at work. */
interface Meanwhile {
  readonly stop: () => void;
}

/** For a command that says by itself how far it is, or is to be quiet. */
export const sayNothing: Meanwhile = { stop: () => {} };

/** Says on standard error after 5 s, 10 s, 20 s and so on how long a command has been at work, and more of `how` it goes. */
export function sayMeanwhile(command: string, how: () => string): Meanwhile {
  const startedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const wait = (untilMs: number): void => {
    timer = setTimeout(
      () => {
        err.say(`${command}: ${Math.round(untilMs / 1_000)} s so far, ${how()}\n`);
        wait(2 * untilMs);
      },
      startedMs + untilMs - performance.now(),
    ).unref();
  };
  wait(firstMs);
  return { stop: () => clearTimeout(timer) };
}

/** As {@link sayMeanwhile}, where no line of the terminal is rewritten to say it. */
export function sayWithoutLiveLine(command: string, how: () => string): Meanwhile {
  return out.isTTY ? sayNothing : sayMeanwhile(command, how);
}
