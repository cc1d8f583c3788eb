export { goTogether, mix, mixtureOf, startMixture, type Mixture } from './mixture.ts';
export type { Company, Overlay, Underlay, Variant } from './base/variant.ts';
export { variants } from './variants.ts';
