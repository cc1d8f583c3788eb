import type { ResultEvent } from '../../../harness/results/generated/events.ts';
import type { FormatName, TargetPlace } from '../../../reporters/formats/format.ts';
import { reportFormats } from '../../../reporters/formats/index.ts';
import { problemsOf } from './schemas.ts';
import { readBack } from '../events.ts';

/** A report on streams, as it would be made from kept ones. */
export function reportOn(name: string, ...streams: readonly (readonly ResultEvent[])[]): string {
  return reportAt(undefined, name, ...streams);
}

/** The same, where the target file names the server in this place. */
export function reportAt(
  place: TargetPlace | undefined,
  name: string,
  ...streams: readonly (readonly ResultEvent[])[]
): string {
  const format = reportFormats.find((each) => each.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  const rerunCommand = (checks: readonly string[]): string =>
    checks.length === 0 ? 'conform run' : `conform --check ${checks.join(' ')}`;
  const replayCommand = (file: string): string => `conform replay ${file}`;
  return [
    ...format.write(streams.map(readBack), { rerunCommand, replayCommand, targetPlace: () => place }),
  ].join('');
}

/** Elements of HTML that have no end. */
const withoutEnd = new Set(['meta', 'link', 'input', 'br', 'img']);
const tag = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)>/y;
/** What stands before the root, and what an HTML element has that is no markup. */
const asides = /^<\?xml[^>]*\?>|<!doctype html>|(?<=<(?:script|style)>)[^]*?(?=<\/(?:script|style)>)/gi;

/** What keeps a text from being well-formed XML, or HTML as we write it: the first fault of each kind. */
export function markupFaults(text: string): readonly string[] {
  const rest = text.replaceAll(asides, '');
  const [bare] = /&(?!(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos);).{0,20}/i.exec(rest) ?? [];
  return [...(bare === undefined ? [] : [`a bare ${bare}`]), ...nestingFaults(rest)];
}

function nestingFaults(text: string): readonly string[] {
  const open: string[] = [];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    tag.lastIndex = at;
    const [whole, end, name = '', , empty] = tag.exec(text) ?? [];
    if (whole === undefined) return [`no tag: ${text.slice(at, at + 60)}`];
    if (end === '/') {
      const last = open.pop();
      if (last !== name) return [`${last ?? 'nothing'} ends with </${name}>`];
    } else if (empty !== '/' && !withoutEnd.has(name)) open.push(name);
  }
  return open.length === 0 ? [] : [`${open.join(', ')} without an end`];
}

/** What is wrong with a report by the rules of its format; empty when nothing is. */
export const faultsOfReport: Readonly<Record<FormatName, (text: string) => readonly string[]>> = {
  junit: markupFaults,
  html: markupFaults,
  badge: markupFaults,
  ctrf: problemsOf.ctrf,
  sarif: problemsOf.sarif,
  har: problemsOf.har,
  codequality: problemsOf.codequality,
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

/** The clauses of a page with the state in which each is shown. */
export function statesOn(page: string): ReadonlyMap<string, string> {
  const elements = page.matchAll(/class="clause item"\s+id="([^"]*)"\s+data-state="([^"]*)"/g);
  return new Map([...elements].map(([, id = '', state = '']) => [id, state]));
}
