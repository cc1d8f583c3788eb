import { answers } from './all-rows.ts';
import { testRows } from './frame/test-rows.ts';

for (const [family, rows] of Object.entries(answers)) testRows(family, rows);
