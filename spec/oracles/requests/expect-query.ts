import {
  isPageParameter,
  pairsOf,
  parameterOf,
  queryText,
  type PageParameter,
  type Query,
  type QueryPairs,
  type SentRequest,
} from '../../calls/index.ts';
import type { ClauseId } from '../../index.ts';
import { mayBeInteger } from './integer-text.ts';
import { reject, accept, open, type Aspect, type NamedStatuses } from './expected.ts';

/** The value of an integer parameter, as the contract sees it. */
type IntegerText =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'none' }
  /** A spelling that some read as an integer and some do not. */
  | { readonly kind: 'unusual' };

/** Reads a parameter as nobody disputes it; whatever some parser somewhere takes for a number is unusual. */
export function readInteger(text: string): IntegerText {
  if (/^(?:0|-?[1-9][0-9]*)$/.test(text)) return { kind: 'integer', value: BigInt(text) };
  return { kind: mayBeInteger(text) ? 'unusual' : 'none' };
}

/** The integer that a parameter holds; `undefined` where it is absent, stands twice, or is spelled in a way that is disputed. */
export function integerParameter(query: Query | undefined, name: string): bigint | undefined {
  const value = readInteger(parameterOf(query, name) ?? '');
  return value.kind === 'integer' ? value.value : undefined;
}

const invalidIs400: NamedStatuses = { statuses: [400], clause: 'errors.invalid-parameter-is-400' };

/** The query of a listing of mentions. */
export function mentionsQuery(query: Query | undefined): readonly Aspect[] {
  return aspectsOf(query, (name, text) => {
    const value = readInteger(text);
    if (name === 'limit') return mentionsLimit(value);
    if (name === 'after') return mentionsAfter(value);
    return mayMean(name) ? open : unsupported(name);
  });
}

/** A parameter that the call does not have; one that would choose whose mentions are listed has a clause of its own. */
function unsupported(name: string): Aspect {
  const isOverride =
    /agent|user|human|machine|recipient|target|mention|behalf|workspace|tenant|team|^as$|^org/i;
  const clause: ClauseId = isOverride.test(name)
    ? 'mentions.override-is-400'
    : 'errors.unsupported-parameter-is-400';
  return reject(clause, 'unknown-parameter', { statuses: [400], clause });
}

/** A name that a server may take for a parameter of the call, or for a credential. */
function mayMean(name: string): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return letters === '' || isPageParameter(letters) || /token|key|auth/.test(letters);
}

function mentionsLimit(value: IntegerText): Aspect {
  if (value.kind === 'unusual') return open;
  if (value.kind === 'none') return reject('mentions.limit.type', 'limit', invalidIs400);
  if (value.value < 1n) return reject('mentions.limit.min', 'limit', invalidIs400);
  return value.value > 100n ? reject('mentions.limit.max', 'limit', invalidIs400) : accept;
}

/** Cursors have no maximum, but one that no server keeps in a number of its own may be too much for it. */
const everydayCursors = 2n ** 31n;

function mentionsAfter(value: IntegerText): Aspect {
  if (value.kind === 'unusual') return open;
  if (value.kind === 'none') return reject('mentions.after.type', 'after', invalidIs400);
  if (value.value < 0n) return reject('mentions.after.min', 'after', invalidIs400);
  return value.value < everydayCursors ? accept : open;
}

/** The query of a channel read, about whose bounds little is said. */
export function channelReadQuery(query: Query | undefined): readonly Aspect[] {
  return aspectsOf(query, (name, text) => {
    const value = readInteger(text);
    if (name === 'after') return channelAfter(value);
    // 100 and 25 are the values that the contract shows.
    if (name === 'limit') return value.kind === 'integer' && value.value === 100n ? accept : open;
    if (name === 'wait') return value.kind === 'integer' && value.value === 25n ? accept : open;
    return open;
  });
}

function channelAfter(value: IntegerText): Aspect {
  if (value.kind === 'unusual') return open;
  if (value.kind === 'none') return reject('channel-read.after-type', 'after');
  if (value.value < 0n) return reject('channel-read.after-negative', 'after');
  return value.value < everydayCursors ? accept : open;
}

function aspectsOf(
  query: Query | undefined,
  aspectOf: (name: string, text: string) => Aspect,
): readonly Aspect[] {
  return plainPairs(query)?.map(([name, text]) => aspectOf(name, text)) ?? [open];
}

/** The parameters of a query that everybody reads alike; `undefined` for another one. */
function plainPairs(query: Query | undefined): QueryPairs | undefined {
  const pairs = pairsOf(query);
  const isRepeated = new Set(pairs?.map(([name]) => name)).size !== pairs?.length;
  // Escapes where none are needed, and ampersands with nothing between, are read by some and not by others.
  const isOdd = /^&|&&|&$|;|%(?:3[0-9]|[46][1-9a-f]|[57][0-9a])/i.test(queryText(query));
  return isRepeated || isOdd ? undefined : pairs;
}

/** A page as it is asked for; what is left out is `undefined`. */
export type PageAsked = Readonly<Partial<Record<PageParameter, bigint>>>;

/** The page that a read asks for; `undefined` where servers may take the query for different ones, or for none. */
export function pageAsked({ call, query, body }: SentRequest): PageAsked | undefined {
  const pairs = body === undefined ? plainPairs(query) : undefined;
  const asked: Partial<Record<PageParameter, bigint>> = {};
  for (const [name, text] of pairs ?? []) {
    const value = readInteger(text);
    if (!isPageParameter(name, call) || value.kind !== 'integer' || value.value < 0n) return undefined;
    // Of a channel the bounds of a limit are open: what is taken beyond those of mentions may be cut to anything.
    if (name === 'limit' && (value.value < 1n || value.value > 100n)) return undefined;
    asked[name] = value.value;
  }
  return pairs === undefined ? undefined : asked;
}

/** Why a listing of mentions with nothing wrong in it is to be answered. */
export function requiredToMentions(
  query: Query | undefined,
  demanded: ReadonlySet<'after' | 'limit'>,
): {
  readonly clause: ClauseId;
  readonly part: string;
  readonly mayBe: readonly number[];
} {
  const pairs = new Map(pairsOf(query));
  const [limit, after] = [pairs.get('limit'), pairs.get('after')];
  // A cursor may lie beyond the watermark, or below what is kept; only 0 never does.
  const mayBe = after === undefined || after === '0' ? [] : [409];
  if (after === undefined && demanded.has('after'))
    return { clause: 'mentions.after.optional', part: 'taken', mayBe };
  if (limit === undefined && demanded.has('limit'))
    return { clause: 'mentions.limit.optional', part: 'taken', mayBe };
  const clause =
    limit === undefined ? withoutLimit(after) : limit === '1' ? 'mentions.limit.min' : 'mentions.limit.max';
  return { clause, part: 'taken', mayBe };
}

function withoutLimit(after: string | undefined): ClauseId {
  return after === undefined ? 'mentions.after.optional' : 'mentions.limit.optional';
}
