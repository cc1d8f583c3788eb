/** The forms of a comparison; `comment` is for a pull request. */
export const comparisonFormats = ['text', 'markdown', 'html', 'comment'] as const;

export type ComparisonFormat = (typeof comparisonFormats)[number];
