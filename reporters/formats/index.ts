import { annotations } from './annotations.ts';
import { badge, badgeJson } from './badge.ts';
import { ctrf } from './ctrf.ts';
import type { ReportFormat } from './format.ts';
import { har } from './har.ts';
import { html } from './html.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { sarif } from './sarif.ts';

/** Every form in which results are written, by its name. */
export const reportFormats: readonly ReportFormat[] = [
  junit,
  ctrf,
  sarif,
  markdown,
  annotations,
  badge,
  badgeJson,
  har,
  html,
];
