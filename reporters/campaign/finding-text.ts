import { addressOf } from '../../calls/index.ts';
import type { AnswerExcerpt } from '../../fuzz/judge/answer-excerpt.ts';
import type { Finding } from '../../fuzz/campaign/campaign.ts';
import { fileNameOf } from '../../fuzz/campaign/failure-file.ts';
import { printable } from '../printable.ts';
import { clauseOf, contractPlace } from '../../spec/index.ts';

/** So much of a path and of a body is shown, in characters. */
const mostOfPath = 160;
const mostOfBody = 400;

/** A finding in lines for people: the rule, what was sent, what came, and where it is kept. */
export function findingText(finding: Finding): string {
  const { weight, failure, label, repeats, isKnown, request, clauses, calls, answer } = finding;
  const { text, source } = clauseOf(failure.clause);
  const isSteady = repeats.times === repeats.of;
  const often = `${repeats.times}/${repeats.of}${isSteady ? '' : ', intermittent'}`;
  const lines = [
    `${text} (${contractPlace(source)})`,
    `expected ${failure.expected}; ${failure.actual}`,
    `> ${request.method} ${cut(addressOf(request), mostOfPath)}`,
    ...(request.body === undefined ? [] : [`> ${bodyText(request.body)}`]),
    ...(answer === undefined ? [] : answerLines(answer)),
    ...(clauses.length > 1 ? [`the same answers break ${clauses.slice(1).join(', ')}`] : []),
    ...(calls.length > 1 ? [`seen in ${calls.join(', ')}`] : []),
    `kept in ${fileNameOf(finding)}`,
  ];
  const head = `${weight}${isKnown ? ' (known)' : ''}: ${failure.clause} by ${label} (${often})`;
  return [head, ...lines.map((line) => `  ${line}`)].map(printable).join('\n');
}

function answerLines({ status, contentType, text, totalBytes }: AnswerExcerpt): readonly string[] {
  const what = `< ${status} ${contentType ?? 'without a content type'}, ${totalBytes} bytes`;
  return text === '' ? [what] : [what, `< ${cut(text, mostOfBody)}`];
}

function bodyText(body: string | Uint8Array): string {
  const text = typeof body === 'string' ? body : Buffer.from(body.subarray(0, mostOfBody)).toString('latin1');
  return `${cut(text, mostOfBody)} (${Buffer.byteLength(body)} bytes)`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} …` : text;
}
