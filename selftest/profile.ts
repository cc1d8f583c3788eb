import { areaOf, type Check } from '../harness/engine/check.ts';
import { passedIn, type Observation, type Observe } from './observe.ts';
import { inLanes } from './lanes.ts';
import { contractServer } from './server.ts';

/** What a check does on the reference, run alone. */
export interface CheckProfile {
  readonly check: Check;
  /** Clauses about the form of answers that its exchanges put to the test. */
  readonly watched: ReadonlySet<string>;
  /** Why it did not pass; `undefined` when it did. */
  readonly trouble: string | undefined;
  /** Whether the trouble is that it found something wrong. */
  readonly isBroken: boolean;
  readonly requests: number;
  readonly durationMs: number;
}

/**
 * Runs every check alone against the contract's own server. What stays undecided alone, for want of messages that other
 * checks make or read, is looked at again among all.
 */
export async function profileChecks(
  checks: readonly Check[],
  observe: Observe,
  lanes: number,
): Promise<CheckProfile[]> {
  const profiles = await inLanes(checks, lanes, async (check) =>
    profileOf(check, await observe(contractServer, [check])),
  );
  if (profiles.every(({ trouble }) => trouble === undefined)) return profiles;
  const amongAll = await observe(contractServer, checks);
  const passed = new Set(passedIn(amongAll));
  return profiles.map((profile) =>
    profile.trouble !== undefined && !profile.isBroken && passed.has(profile.check.id)
      ? { ...profile, trouble: undefined }
      : profile,
  );
}

function profileOf(
  check: Check,
  { judged, found, undecided, reason, requests, durationMs }: Observation,
): CheckProfile {
  const [broken] = found;
  return {
    check,
    watched: new Set(judged.filter(({ check: id }) => id !== check.id).map(({ clause }) => clause)),
    isBroken: broken !== undefined,
    trouble: broken?.text ?? undecided[check.id] ?? reason,
    requests,
    durationMs,
  };
}

/** More checks than this cost about as much as all. */
const mostNear = 80;

/**
 * The checks that may see a clause broken, likeliest first: all that say they decide it and, where it is about the form
 * of answers, two that get such answers cheaply, one of them from the mentions call; then the cheapest such check of
 * every area; then whatever decides something of the same area.
 */
export function likelyChecks(
  clause: string,
  profiles: readonly CheckProfile[],
): readonly (readonly Check[])[] {
  const deciding = profiles.filter(({ check }) => check.clauses.some((each) => each === clause));
  const watching = cheapestOfAreas(profiles.filter(({ watched }) => watched.has(clause))).toSorted(
    (left, right) => placeOf(left) - placeOf(right),
  );
  const area = clause.slice(0, clause.indexOf('.') + 1);
  const near = profiles.filter(({ check }) => check.clauses.some((each) => each.startsWith(area)));
  const stages = [
    [...deciding, ...watching.slice(0, 2)],
    watching.slice(2),
    near.length > mostNear ? [] : near,
  ];
  return stages.map((stage) => stage.map(({ check }) => check)).filter((stage) => stage.length > 0);
}

/** A message is shown by two calls: the checks of the mentions come first, so that the two cheapest see both. */
function placeOf({ check }: CheckProfile): number {
  return areaOf(check) === 'mentions' ? 0 : 1;
}

function cheapestOfAreas(profiles: readonly CheckProfile[]): CheckProfile[] {
  const cheapest = new Map<string, CheckProfile>();
  const costOf = ({ requests, durationMs }: CheckProfile): number => requests * 100 + durationMs;
  for (const profile of profiles.toSorted((left, right) => costOf(left) - costOf(right))) {
    const area = areaOf(profile.check);
    if (!cheapest.has(area)) cheapest.set(area, profile);
  }
  return [...cheapest.values()];
}
