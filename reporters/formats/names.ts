/** The formats of reports, for whoever names them without loading them. */
export const formatNames = [
  'junit',
  'ctrf',
  'sarif',
  'markdown',
  'github',
  'badge',
  'badge-json',
  'har',
  'html',
] as const;

export type FormatName = (typeof formatNames)[number];
