import { nightly } from './all-rows.ts';
import { testRows } from './frame/test-rows.ts';

for (const [family, rows] of Object.entries(nightly)) testRows(family, rows);
