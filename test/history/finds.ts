import { expect, it } from 'vitest';
import { foundAndShown, Story } from './fixtures.ts';

/** A test: these anomalies are found in a story, once each, and the witness of each shows it by itself. */
export function finds(title: string, names: readonly string[], tell: (story: Story) => unknown): void {
  finds.each([{ names }])(title, tell);
}

/** The same of each row. */
finds.each =
  <Row extends { readonly names: readonly string[] }>(rows: readonly Row[]) =>
  (title: string, tell: (story: Story, row: Row) => unknown): void => {
    it.each(rows)(title, (row) => {
      const story = new Story();
      tell(story, row);
      expect(foundAndShown(story)).toEqual(row.names);
    });
  };
