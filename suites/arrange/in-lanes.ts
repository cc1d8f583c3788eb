/** Sends at one time: enough that writers meet, few enough that a limit does not. */
const lanes = 8;

/** Does a thing `count` times, a few at once; what came of it, in no order. */
export async function inLanes<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      made.push(await make());
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane));
  return made;
}
