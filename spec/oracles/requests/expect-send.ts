import { isRecord, queryText, type JsonRecord, type SentRequest } from '../../calls/index.ts';
import { isUuid, maxContentBytes, maxTargets, type ClauseId } from '../../index.ts';
import { inNeutralWords, sourceSessionAspect, type ProviderWords } from './session-faults.ts';
import { reject, accept, open, refusable, type Aspect } from './expected.ts';
import { mayBeTooLong, readSentBody } from './sent-body.ts';
import { textFactsOf, type TextFacts } from './text-facts.ts';
import type { NamedTarget } from '../messages/targets.ts';
import { asText } from '../values/json-texts.ts';

/** The fields of a send that the contract leaves to the server. */
export interface SendBindings {
  readonly mentions: string;
  readonly attachments: string;
  readonly sourceSession: string;
  readonly agentHost: string;
}

/** What is known of the target beside its ids. */
export interface SendFacts {
  readonly bindings: SendBindings;
  /** What the target calls the providers of source sessions. */
  readonly names: ProviderWords;
  /** Fields of a send whose effect was seen; of others nothing is expected. */
  readonly provedFields: ReadonlySet<string>;
}

/** The body of a send that all read alike, and that has a content. */
export interface Draft {
  readonly content: string;
  readonly fields: JsonRecord;
  /** Whether nothing else makes the message: no field that the contract does not show, or of another type, and no query. */
  readonly isPlain: boolean;
}

/** A send taken apart. */
interface SendView {
  readonly aspects: readonly Aspect[];
  readonly required: { readonly clause: ClauseId; readonly part: string };
  readonly draft: Draft | undefined;
}

/** From here on the size of a content is what is special about it. */
const largeBytes = 1_000;

/** What a send is to be answered with, from the bytes of its body and its headers. */
export function viewSend(request: SentRequest, facts: SendFacts): SendView {
  const headers = [...headerAspects(request.headers), lengthAspect(request.body)];
  const body = readSentBody(request);
  const required = { clause: 'send.idempotency-key-accepted', part: 'taken' } as const;
  switch (body.kind) {
    case 'disputed':
      return { aspects: [open], required, draft: undefined };
    case 'cut-short':
      return {
        aspects: [...headers, reject('errors.refusals-are-4xx', 'no whole JSON')],
        required,
        draft: undefined,
      };
    case 'value':
      return {
        aspects: [...headers, reject('send.content.required', 'no object')],
        required,
        draft: undefined,
      };
    default:
      return viewFields(body.fields, { request, headers }, facts);
  }
}

function viewFields(
  fields: JsonRecord,
  { request, headers }: { readonly request: SentRequest; readonly headers: readonly Aspect[] },
  facts: SendFacts,
): SendView {
  const isPlain =
    queryText(request.query) === '' &&
    /^application\/json\s*(?:;|$)/.test(request.headers['content-type'] ?? '');
  const { content } = fields;
  const text = typeof content === 'string' ? textFactsOf(content) : undefined;
  const session = sessionOf(fields, facts);
  const aspects = [
    ...headers,
    ...(text === undefined ? [contentOfAnotherType(fields)] : contentAspects(text)),
    contentTypeAspect(fields['content_type']),
    ...Object.entries(fields).map(([name, value]) => fieldAspect(name, value, facts)),
    ...(session === undefined ? [] : [sourceSessionAspect(session)]),
  ];
  return {
    aspects,
    required:
      request.headers['content-type'] === jsonInUtf8
        ? { clause: 'send.charset-utf-8-accepted', part: 'charset' }
        : requiredTo(text, session),
    draft:
      typeof content === 'string'
        ? { content, fields, isPlain: isPlain && hasPlainFields(fields, facts.bindings) }
        : undefined,
  };
}

/** Whether all fields of a body are those that the contract speaks of, in the types that it gives them. */
function hasPlainFields(fields: JsonRecord, bindings: SendBindings): boolean {
  const isEach: Readonly<Record<string, (value: unknown) => boolean>> = {
    content: isString,
    content_type: isString,
    // Of a target or a file in another spelling a server may make the right one.
    [bindings.mentions]: (value) =>
      Array.isArray(value) && value.every((each) => isTarget(each) && isUuid(each.id)),
    [bindings.attachments]: (value) =>
      Array.isArray(value) && value.every((each) => typeof each === 'string' && isUuid(each)),
    [bindings.sourceSession]: isRecord,
    [bindings.agentHost]: isString,
  };
  // Names may be any text, those that every object has among them.
  return Object.entries(fields).every(
    ([name, value]) => Object.hasOwn(isEach, name) && isEach[name]?.(value) === true,
  );
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

/** JSON as it is sent anyway, by a client that says so. */
const jsonInUtf8 = 'application/json; charset=utf-8';

/** Only what clients are shown to send is sure to be taken. */
function headerAspects(headers: Readonly<Record<string, string>>): readonly Aspect[] {
  const isJson = ['application/json', jsonInUtf8].includes(headers['content-type'] ?? '');
  const isKnown = isJson && isUuid(headers['idempotency-key'] ?? '');
  return isKnown ? [accept] : [open];
}

/** How long a body may be is not shown, only how long a content. */
function lengthAspect(body: SentRequest['body']): Aspect {
  return mayBeTooLong({ body }) ? refusable : accept;
}

function contentOfAnotherType(fields: JsonRecord): Aspect {
  return Object.hasOwn(fields, 'content')
    ? reject(isCompound(fields['content']) ? 'send.content.type' : 'send.content.scalars-refused', 'content')
    : reject('send.content.required', 'content');
}

function isCompound(value: unknown): boolean {
  return Array.isArray(value) || isRecord(value);
}

function contentAspects({ sizeBytes, hasLoneSurrogate, hasNul }: TextFacts): readonly Aspect[] {
  return [
    sizeBytes === 0 ? reject('send.content-not-empty', 'content') : accept,
    sizeBytes > maxContentBytes ? reject('send.content-bytes', 'content') : accept,
    hasLoneSurrogate ? reject('send.lone-surrogates-refused', 'content') : accept,
    hasNul ? reject('send.nul-refused', 'content') : accept,
  ];
}

function contentTypeAspect(contentType: unknown): Aspect {
  if (contentType === undefined || contentType === 'text/plain') return accept;
  // Null may stand for an absent value.
  return typeof contentType === 'string' || contentType === null
    ? open
    : reject('send.content-type.type', 'content_type');
}

function fieldAspect(name: string, value: unknown, { bindings, provedFields }: SendFacts): Aspect {
  if (name === 'content' || name === 'content_type') return accept;
  if (!provedFields.has(name)) return open;
  switch (name) {
    case bindings.sourceSession:
      return accept;
    case bindings.agentHost:
      return agentHostAspect(value);
    case bindings.mentions:
      return mentionsAspect(value);
    default:
      return open;
  }
}

/** The session of a send, in the contract's words, when the field is known to work. */
function sessionOf(fields: JsonRecord, { bindings, names, provedFields }: SendFacts): unknown {
  if (!provedFields.has(bindings.sourceSession) || !Object.hasOwn(fields, bindings.sourceSession))
    return undefined;
  const session = fields[bindings.sourceSession];
  if (!isRecord(session)) return session;
  return inNeutralWords(session, names);
}

function requiredTo(text: TextFacts | undefined, session: unknown): SendView['required'] {
  if (isRecord(session)) return requiredToSession(session);
  if (text === undefined) return { clause: 'send.idempotency-key-accepted', part: 'taken' };
  if (text.isBlank) return { clause: 'send.blank-content-accepted', part: 'blank' };
  if (text.sizeBytes === 1 && text.isPlain) return { clause: 'send.content-not-empty', part: 'one byte' };
  // Of a long text, too, somebody may have a reason to refuse what is no character of a text.
  if (text.sizeBytes >= largeBytes && !text.hasOtherThanText)
    return { clause: 'send.content-bytes', part: 'within the limit' };
  return text.isPlain
    ? { clause: 'send.idempotency-key-accepted', part: 'taken' }
    : { clause: 'send.other-text-accepted', part: 'text' };
}

/** A session with a plain id is refused for its surface; another one for what is special about it. */
function requiredToSession({ provider, surface, session_id: id }: JsonRecord): SendView['required'] {
  const isPlain = typeof id === 'string' && /^[a-z0-9]{4,20}$/i.test(id) && !/^new/i.test(id);
  return isPlain && provider === 'provider_b'
    ? { clause: 'source-session.provider-b-surface', part: asText(surface) }
    : { clause: 'source-session.valid-is-accepted', part: `${asText(provider)} on ${asText(surface)}` };
}

const mostHostCharacters = 80;

/** Printable ASCII without blanks at its ends: as long however one counts. */
const plainHost = /^[!-~](?:[ -~]*[!-~])?$/;

/** Whether a host is within its bounds; that one has to be taken is not said. */
function agentHostAspect(host: unknown): Aspect {
  const isOut =
    host === '' || (typeof host === 'string' && plainHost.test(host) && host.length > mostHostCharacters);
  return isOut ? reject('author.agent-host.out-of-range-refused', 'length') : open;
}

/** Names, addresses and UUIDs with a digit too many or too few: no spelling of an id. */
const noId =
  /^(?:|@?[a-z]+(?:-one)?|[a-z]+@[a-z]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-(?:[0-9a-f]{11}|[0-9a-f]{13}))$/;

/** Whether there are too many mention targets, or one is invalid; the contract does not require that any is accepted. */
function mentionsAspect(targets: unknown): Aspect {
  if (!Array.isArray(targets)) return open;
  const extended = targets.find((each) => isRecord(each) && !isTarget(each) && isTarget(namedIn(each)));
  if (extended !== undefined) return reject('mention-target.extra-fields-are-refused', 'extra field');
  if (!targets.every((each) => isTarget(each))) return open;
  // Of those that are named twice a server may keep one.
  const different = new Set(targets.map(({ kind, id }) => `${kind} ${id.toLowerCase()}`));
  if (targets.length > maxTargets && different.size <= maxTargets) return open;
  if (different.size > maxTargets) return reject('send.mentions-over-limit', 'more than 20');
  const isNone = targets.some(({ id }) => noId.test(id));
  return isNone ? reject('message.mentions.validated', 'no UUID') : open;
}

/** What of a target the contract knows. */
function namedIn({ kind, id }: JsonRecord): JsonRecord {
  return { kind, id };
}

/** A mention target as the contract shows it, whatever its id is. */
function isTarget(value: unknown): value is NamedTarget {
  if (!isRecord(value) || Object.keys(value).length !== 2) return false;
  const { kind, id } = value;
  return (kind === 'agent' || kind === 'user' || kind === 'machine') && typeof id === 'string';
}
