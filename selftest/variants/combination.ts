import { trueSources } from '../../reference/model/sources.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import type { Settings } from '../../reference/model/settings.ts';
import { startReference, type Reference, type ReferenceOptions } from '../../reference/start.ts';
import { inTurn } from '../mutants/base/spoil-answer.ts';
import { randomFrom } from './base/random.ts';
import type { Company, Overlay, Underlay, Variant } from './base/variant.ts';
import { variants as all } from './variants.ts';

/** Several variants in one server. */
export interface Combination {
  readonly variants: readonly Variant[];
  readonly options: ReferenceOptions;
  readonly company: readonly Company[];
}

/** Rules whose overlays hand on what is not theirs, so that several of them can lie over each other. */
const layeredRules: ReadonlySet<string> = new Set<keyof Rules>(['statusOfRefusal']);

/** How many variants are drawn, and from which. */
interface Drawing {
  readonly from?: readonly Variant[];
  readonly fewest?: number;
  readonly most?: number;
}

/** Variants that go together, 3 to 8 of all if not told otherwise; the same ones for the same seed. */
export function drawVariants(
  seed: number,
  { from = all, fewest = 3, most = 8 }: Drawing = {},
): readonly Variant[] {
  const random = randomFrom(seed);
  const count = fewest + Math.floor(random() * (most - fewest + 1));
  const chosen: Variant[] = [];
  for (const variant of shuffled(from, random)) {
    if (chosen.length === count) break;
    if (variant.isAlone !== true && chosen.every((each) => goTogether(each, variant))) chosen.push(variant);
  }
  return from.filter((variant) => chosen.includes(variant));
}

/** A random combination of variants, the same one for the same seed. */
export function combinationOf(seed: number): Combination {
  return combine(drawVariants(seed), { seed });
}

/** What variants are laid over; the contract's rules and the time of the machine when omitted. */
type Ground = Partial<Pick<Underlay, 'rules' | 'sources'>> & { readonly seed?: number };

/** A server of the given variants, laid over the reference in their order. */
export function combine(
  variants: readonly Variant[],
  { seed = 1, rules: lowest = contractRules, sources = trueSources }: Ground = {},
): Combination {
  const random = randomFrom(seed);
  let rules = lowest;
  const overlays = variants.map((variant) => {
    const overlay = variant.options({ rules, random, sources });
    rules = Object.freeze({ ...rules, ...overlay.rules });
    return overlay;
  });
  const settings: Partial<Settings> = Object.assign({}, ...overlays.map((overlay) => overlay.settings));
  return {
    variants,
    options: { rules, settings, ...inTurn(...overlays) },
    company: overlays.flatMap(({ company }) => company ?? []),
  };
}

/** Starts the reference as a combination, its company at work until it is closed. */
export async function startCombination({ options, company }: Combination): Promise<Reference> {
  const reference = await startReference(options);
  const stops = company.map((join) => join(reference));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= Promise.all(stops.map((stop) => stop())).then(() => reference.close()));
  return { ...reference, close, [Symbol.asyncDispose]: close };
}

/** Whether two variants leave each other as they are, and the contract with them. */
export function goTogether(one: Variant, other: Variant): boolean {
  if (one.id === other.id || (one.isSlow === true && other.isSlow === true)) return false;
  if (one.excludes?.includes(other.id) === true || other.excludes?.includes(one.id) === true) return false;
  const replaced = replacedBy(one);
  return replacedBy(other).every((name) => !replaced.includes(name));
}

/** The rules and settings that a variant replaces altogether. */
function replacedBy(variant: Variant): string[] {
  const { rules = {}, settings = {} }: Overlay = variant.options({
    rules: contractRules,
    random: () => 0,
    sources: trueSources,
  });
  return [...Object.keys(rules), ...Object.keys(settings)].filter((name) => !layeredRules.has(name));
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ value }) => value);
}
