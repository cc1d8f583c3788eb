import { printable } from '../../harness/output/printable.ts';
import type { EvidenceExchange, FindingEvent } from '../../harness/results/generated/events.ts';
import { againCommand, isReplayed } from '../again.ts';
import { shownClauses } from '../broken-ids.ts';
import { seenInWords } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { timelineText } from '../timeline-text.ts';
import type { ReportSettings } from './format.ts';

/** Exchanges of a finding that a text shows: the first, the cause, and the last ones. */
const mostExchanges = 4;

/** What was broken and how, in one line. */
export function findingTitle({ clause, expected, actual }: FindingEvent): string {
  return printable(`${clause}: expected ${expected}, got ${actual}`);
}

/** All that somebody needs who has to mend it, in lines without anything that a terminal or a browser obeys. */
export function findingLines(
  finding: FindingEvent,
  run: Pick<RunSoFar, 'folder' | 'header'>,
  settings: ReportSettings,
): readonly string[] {
  const [, ...others] = shownClauses(finding);
  const { cause, exchanges, metIn } = finding;
  const least = exchanges.length + 1 - mostExchanges;
  const shown = exchanges.filter(({ id }, index) => index === 0 || index >= least || id === cause?.exchange);
  return [
    `${finding.clause} (${finding.level}): ${finding.text}`,
    `contract: ${finding.source}`,
    ...others.map(({ clause, level }) => `also broken: ${clause} (${level})`),
    `expected: ${finding.expected}`,
    `got: ${finding.actual}`,
    ...(finding.places ?? [])
      .slice(1)
      .map(({ call, path }) => `also at: ${path === '' ? call : `${path} of ${call}`}`),
    `seen: ${seenInWords(finding)}, by ${finding.check}${metIn === undefined ? '' : ` in ${metIn}`}`,
    ...(cause === undefined ? [] : [`caused by: exchange ${cause.exchange}, a request of ${cause.check}`]),
    ...shown.flatMap((exchange) => [
      `exchange ${exchange.id}: ${exchangeInWords(exchange)}`,
      ...(exchange.curl === undefined ? [] : [exchange.curl]),
    ]),
    ...(finding.timeline === undefined ? [] : timelineText(finding.timeline)),
    `${isReplayed(finding) ? 'send again' : 'run again'}: ${againCommand(finding, run, settings)}`,
  ].map(printable);
}

/** `GET /v0/mentions answered 200`, with what came in place of an answer where none did. */
function exchangeInWords({ actor, request, response, fault }: EvidenceExchange): string {
  const outcome = response === undefined ? `got no answer: ${fault ?? ''}` : `answered ${response.status}`;
  return printable(`${request.method} ${request.path} as ${actor} ${outcome}`);
}
