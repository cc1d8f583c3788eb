import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { combinationOf, combine, startCombination } from '../variants/index.ts';
import type { Combination, Variant } from '../variants/index.ts';
import type { OpenServer, Server } from './server.ts';

/** A server that conforms in an unusual way, and the variants in it. */
export interface VariantServer extends Server {
  readonly variants: readonly Variant[];
}

/** A server with one variant. */
export function aloneServer(variant: Variant): VariantServer {
  const variants = [variant];
  return { id: `variant ${variant.id}`, variants, open: () => openCombination(combine(variants)) };
}

/** A server with several variants, drawn by a seed. */
export function combinationServer(seed: number): VariantServer {
  const { variants } = combinationOf(seed);
  return { id: `combination ${seed}`, variants, open: () => openCombination(combinationOf(seed)) };
}

async function openCombination(combination: Combination): Promise<OpenServer> {
  const reference = await startCombination(combination);
  return { target: targetOfReference(reference), close: () => reference.close() };
}
