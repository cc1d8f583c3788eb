import { pageOn } from '../page/page.ts';
import { annotations } from './annotations.ts';
import { badge, badgeJson } from './badge.ts';
import { codeQuality } from './code-quality.ts';
import { ctrf } from './ctrf.ts';
import type { ReportFormat } from './format.ts';
import { har } from './har.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { sarif } from './sarif.ts';

/** One page for people, in one file. */
const htmlFormat: ReportFormat = {
  name: 'html',
  reader: 'people, in a browser: one page that needs no other file',
  write: pageOn,
};

/** Every form in which results are written, by its name. */
export const reportFormats: readonly ReportFormat[] = [
  junit,
  ctrf,
  sarif,
  codeQuality,
  markdown,
  annotations,
  badge,
  badgeJson,
  har,
  htmlFormat,
];
