import { fieldOfNeed, whatEnables } from '../../harness/config/capabilities.ts';
import type { Target } from '../../harness/config/target.ts';
import type { Examination } from './examine.ts';
import { type Coverage, type Gain, testableInWords } from './gains.ts';

/** Everything that the doctor has to say, in the order of the page. */
interface Diagnosis extends Examination {
  readonly target: Target;
  readonly coverage: Coverage;
  readonly gains: readonly Gain[];
}

const words: Readonly<Record<Row['state'], string>> = {
  works: 'works',
  broken: 'DOES NOT WORK',
  odd: 'doubtful',
  untried: 'not tried',
  absent: '-',
};

/** The page of the doctor, as lines of text. */
export function pageOf({ target, preflight, settleMs, rows, coverage, gains }: Diagnosis): string {
  const notes = preflight.lines.map(({ severity, text }) => `${severity}: ${text}`);
  if (preflight.roundTripMs === undefined) return `${notes.join('\n')}\n`;
  const trip = preflight.roundTripMs.toFixed(1);
  const lines = [
    `${target.baseUrl} answers: round trip ${trip} ms, settle time ${Math.round(settleMs)} ms`,
    // What is wrong with a role, a channel or a hook stands in its row.
    ...notes.filter((note) => !note.startsWith('error')),
    '',
    ...rows.map(rowText),
    '',
    `With what works of this target, ${testableInWords(coverage, target)} are testable${target.limits.isReadOnly ? '; more without --read-only' : ''}.`,
    ...gainLines(gains, namedIn(target, rows)),
  ];
  return `${lines.join('\n')}\n`;
}

function rowText({ field, state, text }: Row): string {
  return `  ${field.padEnd(27)}${text === '' ? words[state] : `${words[state].padEnd(15)}${text}`}`.trimEnd();
}

/** The rows of fields that the target file has: files are tried without one as well, by a call that uploads them, and a workspace may be learned. */
function namedIn({ files, workspaceId }: Target, rows: readonly Row[]): readonly Row[] {
  const unnamed = [
    ...(files.length === 0 ? ['files'] : []),
    ...(workspaceId === undefined ? ['workspace'] : []),
  ];
  return rows.filter(({ field }) => !unnamed.includes(field));
}

function gainLines(gains: readonly Gain[], rows: readonly Row[]): readonly string[] {
  const useful = gains.filter(({ must, inferred }) => must + inferred > 0);
  const useless = gains.filter((gain) => !useful.includes(gain)).map(({ need }) => fieldOfNeed(need));
  if (gains.length === 0) return ['The target file has everything that a target can have.'];
  const linesOf = (lead: string, some: readonly Gain[]): readonly string[] =>
    some.length === 0 ? [] : ['', lead, ...some.map((gain) => gainText(gain, rows))];
  return [
    ...linesOf(
      'Adding one of these lines makes more clauses testable (must, inferred):',
      useful.filter(({ together }) => together.length === 0),
    ),
    ...linesOf(
      'One of these does so once what it is said to need works as well:',
      useful.filter(({ together }) => together.length > 0),
    ),
    ...(useless.length === 0 ? [] : ['', `These make no more clauses testable: ${useless.join(', ')}.`]),
  ];
}

function gainText({ need, together, must, inferred }: Gain, rows: readonly Row[]): string {
  const field = fieldOfNeed(need);
  const isThere = rows.some((row) => row.field === field && row.state !== 'absent');
  const how = isThere ? `make \`${field}\` work` : whatEnables(need);
  const company = together.length === 0 ? '' : ` (needs ${together.map(fieldOfNeed).join(', ')})`;
  return `  ${`+${must}`.padStart(5)} ${`+${inferred}`.padStart(4)}  ${how}${company}`;
}

/** One thing that a target can have: whether it is there and does what it is for. */
export interface Row {
  /** As the target file spells it: `roles.reader`. */
  readonly field: string;
  /**
   * `works`; `broken`, which a run would end on with exit 3; `odd`, which it would not; `untried`: there, and nothing is
   * known of it; `absent`.
   */
  readonly state: 'works' | 'broken' | 'odd' | 'untried' | 'absent';
  readonly text: string;
}
