import { InvalidTarget } from '../errors.ts';
import { closestWord } from '../config/reading/closest-word.ts';

/**
 * The known names that were meant, in the order known: each given one is a name, or a pattern in which `*` stands for any
 * characters.
 * @throws InvalidTarget when a name is unknown or a pattern matches nothing
 */
export function namesMeant<Name extends string>(
  kind: Kind,
  given: readonly string[],
  known: readonly Name[],
): readonly Name[] {
  const meant = new Set(given.flatMap((name) => matchingNames(kind, name, known)));
  return known.filter((name) => meant.has(name));
}

/** What names are of. */
type Kind = keyof typeof lists;

/** Where all names of a kind are listed; the few of a short list are named. */
const lists = {
  check: 'the command `clauses` lists all',
  clause: 'the command `clauses` lists all',
  'check or clause': 'the command `clauses` lists all',
  area: undefined,
  task: undefined,
  scenario: '`client --list` lists all',
} as const;

function listOf(kind: Kind, known: readonly string[]): string {
  return lists[kind] ?? `there are ${known.join(', ')}`;
}

/** True for a name with a `*` in it. */
export function isPattern(name: string): boolean {
  return name.includes('*');
}

/** `; did you mean …?`, or the empty text when no known name is close. */
export function didYouMean(name: string, known: readonly string[]): string {
  const closest = closestWord(name, known);
  return closest === undefined ? '' : `; did you mean ${closest}?`;
}

function matchingNames<Name extends string>(
  kind: Kind,
  name: string,
  known: readonly Name[],
): readonly Name[] {
  const matches = isPattern(name) ? known.filter(matcherOf(name)) : known.filter((each) => each === name);
  if (matches.length > 0) return matches;
  if (isPattern(name))
    throw new InvalidTarget(`no ${kind} matches ${JSON.stringify(name)}; ${listOf(kind, known)}`);
  const hint = didYouMean(name, known) || `; ${listOf(kind, known)}`;
  throw new InvalidTarget(`there is no ${kind} ${JSON.stringify(name)}${hint}`);
}

function matcherOf(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[^\w-]/g, String.raw`\$&`));
  const expression = new RegExp(`^${parts.join('.*')}$`);
  return (name) => expression.test(name);
}
