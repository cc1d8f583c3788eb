import { type InputSpace, spaces } from '../../generators/index.ts';

/** Every input space, its values unknown: what holds of all of them is tested over all of them. */
export const everySpace = Object.values(spaces) as readonly unknown[] as readonly InputSpace<unknown>[];
