import type { Target } from '../harness/config/target.ts';
import { startReference } from '../reference/index.ts';
import type { Reference } from '../reference/index.ts';
import { hooksOfReference } from './reference-hooks.ts';
import { targetOfWorld } from './reference-target.ts';

/** A reference of our own on a free loopback port, with everything a target can have. */
export async function openReference(): Promise<{ target: Target; close: () => Promise<void> }> {
  const reference = await startReference();
  return { target: targetOfReference(reference), close: () => reference.close() };
}

/** The target that a started reference is: every role of its world, both channels, every hook. */
export function targetOfReference(reference: Pick<Reference, 'baseUrl' | 'world' | 'operator'>): Target {
  return { ...targetOfWorld(reference), hooks: hooksOfReference(reference) };
}
