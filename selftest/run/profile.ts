import { allClausesOf, areaOf, type Check } from '../../harness/check/check.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import type { Observation } from '../servers/observation.ts';
import { contractServer } from '../servers/server.ts';
import { type Observe, passedIn } from './observe.ts';
import { cheapAmong } from './sample.ts';

/** What a check does on the reference, run alone. */
export interface CheckProfile {
  readonly check: Check;
  /** Clauses about the form of answers that its exchanges put to the test. */
  readonly watched: ReadonlySet<string>;
  /** Kinds of answer that it got. */
  readonly answered: readonly string[];
  /** Lists with something in them that those carried. */
  readonly carried: readonly string[];
  /** Cells of the access matrix that it judged. */
  readonly cells: readonly string[];
  /** Why it did not pass; `undefined` when it did. */
  readonly trouble: string | undefined;
  /** Whether the trouble is that it found something wrong. */
  readonly isBroken: boolean;
  readonly requests: number;
  readonly durationMs: number;
}

/**
 * Runs every check alone against the contract's own server. What stays inconclusive alone, for want of messages that other
 * checks make or read, is looked at again among all.
 */
export async function profileChecks(
  checks: readonly Check[],
  observe: Observe,
  concurrency: number,
): Promise<CheckProfile[]> {
  const profiles = await withWorkers(checks, concurrency, async (check) =>
    profileOf(check, await observe(contractServer, [check])),
  );
  if (profiles.every(({ trouble }) => trouble === undefined)) return profiles;
  const inconclusive = profiles.filter(({ trouble }) => trouble !== undefined).map(({ check }) => check);
  const company = cheapAmong(checks).filter((check) => !inconclusive.includes(check));
  const amongAll = await observe(contractServer, [...inconclusive, ...company]);
  const passed = new Set(passedIn(amongAll));
  return profiles.map((profile) =>
    profile.trouble !== undefined && !profile.isBroken && passed.has(profile.check.id)
      ? { ...profile, trouble: undefined }
      : profile,
  );
}

function profileOf(
  check: Check,
  { judged, found, inconclusive, reason, answered, carried, cells = [], requests, durationMs }: Observation,
): CheckProfile {
  const [broken] = found;
  return {
    check,
    watched: new Set(judged.filter(({ check: id }) => id !== check.id).map(({ clause }) => clause)),
    answered,
    carried,
    cells,
    isBroken: broken !== undefined,
    trouble: broken?.text ?? inconclusive[check.id] ?? reason,
    requests,
    durationMs,
  };
}

/** A check that sends more is asked where others have seen nothing. */
const mostCheapRequests = 200;
/** More checks than this cost about as much as all. */
const mostNear = 80;

/**
 * The checks that may see a clause broken, likeliest first: all that say they decide it and, where it is about the form
 * of answers, the cheapest that gets such answers of each kind; then those deciding ones that send very much, the cheapest
 * that gets each list with something in it, the cheapest such check of every area, and whatever decides something of the
 * same area.
 */
export function likelyChecks(
  clause: string,
  profiles: readonly CheckProfile[],
): readonly (readonly Check[])[] {
  const deciding = profiles.filter(({ check }) => allClausesOf(check).some((each) => each === clause));
  const watching = profiles.filter(({ watched }) => watched.has(clause));
  const area = clause.slice(0, clause.indexOf('.') + 1);
  const near = profiles.filter(({ check }) => check.clauses.some((each) => each.startsWith(area)));
  const isCostly = ({ requests }: CheckProfile): boolean => requests > mostCheapRequests;
  const stages = [
    [...deciding.filter((each) => !isCostly(each)), ...cheapestOfEach(watching, ({ answered }) => answered)],
    deciding.filter(isCostly),
    cheapestOfEach(watching, ({ carried }) => carried),
    cheapestOfEach(watching, ({ check }) => [areaOf(check)]),
    near.length > mostNear ? [] : near,
  ];
  const seen = new Set<Check>();
  return stages
    .map((stage) => stage.map(({ check }) => check).filter((check) => !seen.has(check) && seen.add(check)))
    .filter((stage) => stage.length > 0);
}

/** The profile that costs least for each key, without repeats. */
function cheapestOfEach(
  profiles: readonly CheckProfile[],
  keysOf: (profile: CheckProfile) => readonly string[],
): CheckProfile[] {
  const cheapest = new Map<string, CheckProfile>();
  for (const profile of profiles.toSorted((left, right) => costOf(left) - costOf(right))) {
    for (const key of keysOf(profile)) if (!cheapest.has(key)) cheapest.set(key, profile);
  }
  return [...new Set(cheapest.values())];
}

/** Requests cost the most; of equal numbers the quicker one waits less. */
function costOf({ requests, durationMs }: CheckProfile): number {
  return requests * 100 + durationMs;
}
