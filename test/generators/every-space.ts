import * as generators from '../../generators/index.ts';
import type { InputSpace } from '../../generators/index.ts';

/** Every input space that is exported, its values unknown: what holds of all of them is tested over all of them. */
export const everySpace = Object.values(generators).filter(
  (each) => typeof each === 'object' && 'arbitrary' in each && 'boundaries' in each,
) as readonly unknown[] as readonly InputSpace<unknown>[];
