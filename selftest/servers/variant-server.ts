import { targetOfReference } from '../../embedded/embedded-reference.ts';
import { mix, mixtureOf, startMixture, type Mixture, type Variant } from '../variants/index.ts';
import type { OpenServer, Server } from './server.ts';

/** A server that conforms in an unusual way, and the freedoms that it uses. */
export interface VariantServer extends Server {
  readonly variants: readonly Variant[];
}

/** A server with one freedom. */
export function aloneServer(variant: Variant): VariantServer {
  const variants = [variant];
  return { id: `variant ${variant.id}`, variants, open: () => openMixture(mix(variants)) };
}

/** A server with several freedoms, drawn by a seed. */
export function mixtureServer(seed: number): VariantServer {
  const { variants } = mixtureOf(seed);
  return { id: `mixture ${seed}`, variants, open: () => openMixture(mixtureOf(seed)) };
}

async function openMixture(mixture: Mixture): Promise<OpenServer> {
  const reference = await startMixture(mixture);
  return { target: targetOfReference(reference), close: () => reference.close() };
}
