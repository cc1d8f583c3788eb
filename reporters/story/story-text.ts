import { printable } from '../../harness/output/printable.ts';
import type { FindingEvent } from '../../harness/results/generated/events.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { type AgainCommands, isReplayed } from './again.ts';
import { curlText, receivedText, someLines } from './http-text.ts';
import { type Step, storyOf } from './story.ts';

/** Lines of the answer that decides, its columns, and characters of a command that somebody would paste. */
const mostAnswerLines = 12;
const answerColumns = 96;
const longestCommand = 4_000;

/** What was broken and how, in one line. */
export function findingTitle({ clause, expected, actual }: FindingEvent): string {
  return printable(`${clause}: expected ${expected}, got ${actual}`);
}

/** All that somebody needs who has to mend it, in lines without anything that a terminal or a browser obeys. */
export function findingLines(
  finding: FindingEvent,
  run: RunSoFar,
  commands: AgainCommands,
): readonly string[] {
  const { clauses, why, facts, steps, timeline, again } = storyOf(finding, run, commands);
  return [
    `${finding.clause} (${finding.level}): ${finding.text}`,
    `contract: ${finding.source}`,
    ...clauses.slice(1).map(({ clause, about }) => `also broken: ${clause} (${about})`),
    `why: ${why}`,
    ...facts.flatMap(({ name, text, notes }) => [`${name}: ${text}`, ...notes.map((note) => `  ${note}`)]),
    ...steps.flatMap((each) => (typeof each === 'number' ? `… ${each} more` : stepText(each))),
    ...timeline,
    `${isReplayed(finding, run.folder) ? 'send again' : 'run again'}: ${again}`,
  ].map(printable);
}

/** A numbered request, of the one that decides the answer too, and the line that sends it again. */
function stepText({ number, summary, isDeciding, exchange, marks }: Step): readonly string[] {
  const curl = curlText(exchange, longestCommand);
  const { body, ...about } = receivedText(exchange, answerColumns, marks);
  const answer = isDeciding ? someLines(body, about, mostAnswerLines) : [];
  return [
    `${number}. ${summary}${isDeciding ? '  ← decides' : ''}`,
    ...answer.map((line) =>
      typeof line === 'string' ? `   ${line}` : `   < ${line.text}${line.isMarked ? '  ← decides' : ''}`,
    ),
    `   ${'command' in curl ? curl.command : curl.note}`,
  ];
}
