import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type { EvidenceExchange, Excerpt, FindingEvent } from '../../harness/results/events.ts';

/** So much of a path and of a body is shown, in characters. */
const mostOfPath = 160;
const mostOfBody = 400;

/** A campaign's finding in lines for people: the rule, what was sent, what came, and where it is kept. */
export function findingLines(finding: FindingEvent): readonly string[] {
  const { verdict, clause, text, source, expected, actual, case: shown, exchanges } = finding;
  const { times, of } = finding.seen;
  const often = `${times}/${of}${times === of ? '' : ', intermittent'}`;
  const [, ...others] = brokenClauses(finding);
  const calls = shown?.calls ?? [];
  const lines = [
    `${text} (${source})`,
    `expected ${expected}; ${actual}`,
    ...exchanges.flatMap(exchangeLines),
    ...(others.length > 0
      ? [`the same answers also break ${others.map((each) => each.clause).join(', ')}`]
      : []),
    ...(calls.length > 1 ? [`seen in ${calls.join(', ')}`] : []),
    `kept in ${shown?.file}`,
  ];
  const head = `${verdict}${shown?.isInCorpus === true ? ' (known)' : ''}: ${clause} by ${shown?.label} (${often})`;
  return [head, ...lines.map((line) => `  ${line}`)];
}

function exchangeLines({ request, response }: EvidenceExchange): readonly string[] {
  return [
    `> ${request.method} ${cut(request.path, mostOfPath)}`,
    ...(request.body === undefined ? [] : [`> ${bodyText(request.body)} (${request.body.totalBytes} bytes)`]),
    ...(response === undefined ? [] : answerLines(response)),
  ];
}

function answerLines({
  status,
  headers,
  body,
}: NonNullable<EvidenceExchange['response']>): readonly string[] {
  const type = headers['content-type']?.[0] ?? 'without a content type';
  const what = `< ${status} ${type}, ${body?.totalBytes ?? 0} bytes`;
  return body === undefined ? [what] : [what, `< ${bodyText(body)}`];
}

function bodyText({ text }: Excerpt): string {
  return cut(text, mostOfBody);
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} …` : text;
}
