export {
  goTogether,
  combine,
  combinationOf,
  drawVariants,
  startCombination,
  type Combination,
} from './combination.ts';
export type { Company, Overlay, Underlay, Variant } from './base/variant.ts';
export { serviceVariants, variants } from './variants.ts';
