/** What the end of a timed campaign is kept for: the last batch, and the last failures tried again. */
const leastKept = { share: 0.12, longestMs: 5_000 };
/** The same where failures were found. */
const leastOfFindings = { share: 0.2, longestMs: 12_000 };
/** The same as long as no chapter was judged: how long a look at everything takes is not known, and without one nothing is proved. */
const firstKept = { share: 0.5, longestMs: 30_000 };
/** For the last look at what was found, beside the last chapter: without that no replay could call it fixed. */
const lastLook = { share: 0.1, longestMs: 12_000 };

/** How far a campaign has come, as its end has to know. */
interface Spent {
  readonly timeMs: number;
  /** How long it took to look at the last chapter that was judged. */
  readonly closingMs: number | undefined;
  /** Another chapter is being looked at. */
  readonly isTurning: boolean;
  readonly findings: number;
}

/** How long before its end a timed campaign begins nothing more, in ms. */
export function reservedMs({ timeMs, closingMs, isTurning, findings }: Spent): number {
  const part = ({ share, longestMs }: typeof leastKept): number => Math.min(timeMs * share, longestMs);
  if (closingMs === undefined) return part(firstKept);
  // The last chapter takes about as long as the one before, which may have been read on a quieter machine.
  const ofChaptersMs = 1.5 * closingMs * (isTurning ? 2 : 1);
  const isFound = findings > 0;
  const neededMs = ofChaptersMs + (isFound ? part(lastLook) : 0);
  return Math.max(part(isFound ? leastOfFindings : leastKept), Math.min(neededMs, timeMs * firstKept.share));
}
