import type { FormatName } from '../../../reporters/formats/format.ts';
import { markupFaults } from './markup-faults.ts';
import { problemsOf } from './schemas.ts';

/** What is wrong with a report by the rules of its format; empty when nothing is. */
export const faultsOfReport: Readonly<Record<FormatName, (text: string) => readonly string[]>> = {
  junit: markupFaults,
  html: markupFaults,
  badge: markupFaults,
  ctrf: problemsOf.ctrf,
  sarif: problemsOf.sarif,
  har: problemsOf.har,
  'badge-json': (text) => (typeof JSON.parse(text) === 'object' ? [] : ['no object']),
  markdown: (text) => {
    const outside = text.replaceAll(/^(`{3,})text\n[^]*?\n\1$/gm, '').replaceAll(/`[^`\n]*`/g, '');
    return markupFaults(outside);
  },
  github: (text) =>
    text
      .trimEnd()
      .split('\n')
      .filter((line) => !/^(?:::(?:error|warning) |$)/.test(line)),
};
