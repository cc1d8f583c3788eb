import { isSameInstant } from '../../spec/oracles/values/instants.ts';
import type { Send } from '../operation.ts';
import type { Sequence } from '../sequence.ts';
import { leavesOut, type SeenAuthor, type SeenMessage, type SeenPrincipal } from '../seen-message.ts';

/** What of a message differs between two answers. */
export interface Difference {
  readonly field:
    | 'author'
    | 'author name'
    | 'human name'
    | 'machine name'
    | 'content'
    | 'content_type'
    | 'size_bytes'
    | 'created_at'
    | 'mentions'
    | 'attachments'
    | 'workspace_id'
    | 'channel_id'
    | 'sequence';
  readonly was: string;
  readonly is: string;
  /** One of the two does not show the field at all, and need not. */
  readonly isLeftOut: boolean;
  /** It is the first of the two that does not show it. */
  readonly isGained: boolean;
}

type Comparable = string | Sequence | undefined;
/** Which of the two answers leave a field out that they need not show. */
type LeftOutBy = readonly [one: boolean, other: boolean];
type Compare = (field: Difference['field'], was: Comparable, is: Comparable, leftOut?: LeftOutBy) => void;

/** Everything that two answers show differently of one message; a field that one of them has in no usable form is not compared. */
export function differencesOf(one: SeenMessage, other: SeenMessage): readonly Difference[] {
  if (one === other) return [];
  const found: Difference[] = [];
  const compare: Compare = (field, was, is, [isGained, isLost] = [false, false]) => {
    if (was !== undefined && is !== undefined && was !== is)
      found.push({ field, was: String(was), is: String(is), isLeftOut: isGained || isLost, isGained });
  };
  const isWithout = (list: 'targets' | 'files'): LeftOutBy => [leavesOut(one, list), leavesOut(other, list)];
  compare('workspace_id', one.workspace, other.workspace);
  compare('channel_id', one.channel, other.channel);
  compare('sequence', one.sequence, other.sequence);
  if (one.content?.digest !== other.content?.digest) compare('content', textOf(one), textOf(other));
  compare('content_type', one.contentType, other.contentType);
  compare('size_bytes', one.sizeBytes, other.sizeBytes);
  compare('mentions', listOf(one.targets), listOf(other.targets), isWithout('targets'));
  compare('attachments', listOf(one.files), listOf(other.files), isWithout('files'));
  if (!isSame(one.createdAt, other.createdAt)) compare('created_at', one.createdAt, other.createdAt);
  if (one.author !== undefined && other.author !== undefined)
    compareAuthors(one.author, other.author, compare);
  return found;
}

/** Whether a send named what a message shows of a field that may be left out, in the words of a difference. */
export function hasSent({ targets, files, host, session }: Send, shown: string): boolean {
  return [hostOf(host), sessionOf(session), listOf(targets), listOf(files)].includes(shown);
}

/** What a send named of a field that keeps what it names, in the words of a difference; `undefined` of any other. */
export function sentIn({ targets, files }: Send, field: Difference['field']): string | undefined {
  if (field === 'mentions') return listOf(targets);
  return field === 'attachments' ? listOf(files) : undefined;
}

function hostOf(host: string | undefined): string {
  return `host ${host ?? 'none'}`;
}

function sessionOf(session: string | undefined): string {
  return `session ${session ?? 'none'}`;
}

function isSame(was: string | undefined, is: string | undefined): boolean {
  return was === is || (was !== undefined && is !== undefined && isSameInstant(was, is) !== false);
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function textOf({ content }: SeenMessage): string | undefined {
  return content === undefined ? undefined : `a text of ${content.bytes} bytes (${content.digest})`;
}

function compareAuthors(one: SeenAuthor, other: SeenAuthor, compare: Compare): void {
  compare('author', one.id, other.id);
  compare('author name', one.displayName, other.displayName);
  compare('author', hostOf(one.host), hostOf(other.host), leftOutBy(one.host, other.host));
  compare('author', sessionOf(one.session), sessionOf(other.session), leftOutBy(one.session, other.session));
  comparePrincipals('human', 'human name', one.human, other.human, compare);
  comparePrincipals('machine', 'machine name', one.machine, other.machine, compare);
}

function leftOutBy(one: string | undefined, other: string | undefined): LeftOutBy {
  return [one === undefined, other === undefined];
}

function comparePrincipals(
  what: string,
  nameField: Difference['field'],
  one: SeenPrincipal | null | undefined,
  other: SeenPrincipal | null | undefined,
  compare: Compare,
): void {
  if (one === undefined || other === undefined) return;
  compare('author', idOf(what, one), idOf(what, other));
  if (one !== null && other !== null && one.id === other.id) compare(nameField, nameOf(one), nameOf(other));
}

function idOf(what: string, principal: SeenPrincipal | null): string | undefined {
  if (principal === null) return `no ${what}`;
  return principal.id === undefined ? undefined : `${what} ${principal.id}`;
}

/** No name is one, but a name of another type is not. */
function nameOf({ displayName }: SeenPrincipal): string | undefined {
  return displayName === null ? 'no name' : displayName;
}
