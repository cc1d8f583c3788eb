export { goTogether, combine, combinationOf, startCombination, type Combination } from './combination.ts';
export type { Company, Overlay, Underlay, Variant } from './base/variant.ts';
export { variants } from './variants.ts';
