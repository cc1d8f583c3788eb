/** Turns of the event loop in a row that bring nothing, after which a pipe whose writer has exited is empty. */
const quietTurns = 2;

/**
 * Calls back once all that a process wrote before its exit has been read. `chunks` counts what has come. Each turn of the loop
 * looks at every pipe: one without a chunk says that they are empty, however long this process was held up. Time says
 * nothing of the kind.
 */
export function whenQuiet(chunks: () => number, callBack: () => void): void {
  let [seen, quiet] = [chunks(), 0];
  const turn = (): void => {
    quiet = chunks() === seen ? quiet + 1 : 0;
    seen = chunks();
    if (quiet < quietTurns) setImmediate(turn);
    else callBack();
  };
  setImmediate(turn);
}
