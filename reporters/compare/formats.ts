/** The forms of a comparison. */
export const comparisonFormats = ['text', 'markdown', 'html'] as const;

export type ComparisonFormat = (typeof comparisonFormats)[number];
