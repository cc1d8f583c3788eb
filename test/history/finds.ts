import { expect, it } from 'vitest';
import { foundAndShown, Story } from './fixtures.ts';

/** A test: these anomalies are found in a story, or in the one that is given back, once each, and the witness of each shows it by itself. */
export function finds(title: string, names: readonly string[], tell: (story: Story) => unknown): void {
  finds.each([{ names }])(title, tell);
}

/** The same of each row; nothing is found where it does not say. */
finds.each =
  <Row extends object>(rows: readonly (Row & { readonly names?: readonly string[] })[]) =>
  (title: string, tell: (story: Story, row: Row) => unknown): void => {
    it.each(rows)(title, (row) => {
      const empty = new Story();
      const told = tell(empty, row);
      expect(foundAndShown(told instanceof Story ? told : empty)).toEqual(row.names ?? []);
    });
  };
