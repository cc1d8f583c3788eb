import { pageOn } from '../page/page.ts';
import type { ReportFormat } from './format.ts';

/** One page for people, in one file. */
export const html: ReportFormat = {
  name: 'html',
  reader: 'people, in a browser: one page that needs no other file',
  write: pageOn,
};
