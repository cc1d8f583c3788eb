/** What is looked at after a soak: its name, what came of it, and whether that is as it should be. */
type Verdict = readonly [name: string, value: number | string, isKept: boolean];

/** Goes on for so many minutes, or until it is interrupted. */
export type Soak = (minutes: number, signal: AbortSignal) => Promise<readonly Verdict[]>;

/** Memory of a minute, in MB. */
interface Minute {
  readonly mean: number;
  readonly most: number;
}

const sampleEveryMs = 2_000;

/** Says minute by minute how much memory something takes, in MB, and what it has done so far; `end` stops that. */
export function tellMinutes(
  megabytes: () => number,
  done: () => string,
): { readonly end: () => readonly Minute[] } {
  const minutes: Minute[] = [];
  let samples: number[] = [];
  const sampler = setInterval(() => samples.push(megabytes()), sampleEveryMs);
  const minuteHand = setInterval(() => {
    const minute = { mean: meanOf(samples), most: Math.max(...samples) };
    minutes.push(minute);
    samples = [];
    const memory = `${minute.mean.toFixed(0)} MB, at most ${minute.most.toFixed(0)}`;
    process.stdout.write(`minute ${minutes.length}: ${done()}, ${memory}\n`);
  }, 59_900);
  return {
    end: () => {
      clearInterval(sampler);
      clearInterval(minuteHand);
      return minutes;
    },
  };
}

/** Most that the memory of the last minutes may be of that of the first ones. */
const mostGrowth = 1.25;

/** Memory of the last minutes as a multiple of the first ones, the very first left out; of under four nothing is said. */
export function growthVerdict(minutes: readonly Minute[]): Verdict {
  const warm = minutes.slice(1).map(({ mean }) => mean);
  const part = Math.floor(warm.length / 3);
  if (part === 0) return ['memory grew by', 'too short to say', true];
  const growth = meanOf(warm.slice(-part)) / meanOf(warm.slice(0, part));
  return ['memory grew by', growth.toFixed(2), growth <= mostGrowth];
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
