/** Columns of an output that does not say: the log of a CI job. */
export const defaultColumns = 100;

/** Wider text is harder to read; in narrower windows the terminal breaks the lines itself, so that none is cut. */
const maxColumns = 120;
const minColumns = 60;

/** Columns that a report is laid out for. */
export function reportColumns(columns = defaultColumns): number {
  return Math.min(maxColumns, Math.max(minColumns, columns));
}
