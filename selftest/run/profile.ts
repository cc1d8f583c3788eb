import { allClausesOf, areaOf, type Check } from '../../harness/check/check.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import type { Observation } from '../servers/observation.ts';
import { contractServer } from '../servers/server.ts';
import { type Observe, passedIn } from './observe.ts';
import { cheapAmong } from './sample.ts';
import { remembered } from '../../spec/groups.ts';

/** What a check does on the reference, run alone. */
export interface CheckProfile extends Pick<Observation, 'answered' | 'carried' | 'requests' | 'durationMs'> {
  readonly check: Check;
  /** Clauses about the form of answers that its exchanges put to the test. */
  readonly watched: ReadonlySet<string>;
  /** Cells of the access matrix that it judged. */
  readonly cells: readonly string[];
  /** Why it did not pass; `undefined` when it did. */
  readonly trouble: string | undefined;
  /** Whether the trouble is that it found something wrong. */
  readonly isBroken: boolean;
}

/** Runs checks alone against the contract's own server, each once and only when somebody wants to know what it does there. */
export class Profiles {
  readonly #checks: readonly Check[];
  readonly #observe: Observe;
  readonly #concurrency: number;
  readonly #known = new Map<Check, Promise<CheckProfile>>();
  #all: Promise<CheckProfile[]> | undefined;

  constructor(checks: readonly Check[], observe: Observe, concurrency: number) {
    this.#checks = checks;
    this.#observe = observe;
    this.#concurrency = concurrency;
  }

  /** Those of every check. */
  all(): Promise<CheckProfile[]> {
    this.#all ??= this.of(this.#checks);
    return this.#all;
  }

  /** Those of some checks. */
  of(checks: readonly Check[]): Promise<CheckProfile[]> {
    return withWorkers(checks, this.#concurrency, (check) =>
      remembered(this.#known, check, () => this.#make(check)),
    );
  }

  /**
   * All that were asked for. What stays inconclusive alone, for want of messages that other checks make or read, is looked at again
   * among all.
   */
  async made(): Promise<CheckProfile[]> {
    const profiles = await Promise.all(this.#known.values());
    if (profiles.every(({ trouble }) => trouble === undefined)) return profiles;
    const inconclusive = profiles.filter(({ trouble }) => trouble !== undefined).map(({ check }) => check);
    const company = cheapAmong(this.#checks).filter((check) => !inconclusive.includes(check));
    const amongAll = await this.#observe(contractServer, [...inconclusive, ...company]);
    const passed = new Set(passedIn(amongAll));
    return profiles.map((profile) =>
      profile.trouble !== undefined && !profile.isBroken && passed.has(profile.check.id)
        ? { ...profile, trouble: undefined }
        : profile,
    );
  }

  async #make(check: Check): Promise<CheckProfile> {
    return profileOf(check, await this.#observe(contractServer, [check]));
  }
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
