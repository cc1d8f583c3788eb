import { sendBodySpace } from '../../../generators/spaces/body/send-body-space.ts';
import { type SendBodyInput, type SendWorld, bodyTextOf } from '../../../generators/spaces/body/send-body.ts';
import { contentSpace } from '../../../generators/spaces/content/content-space.ts';
import {
  type IdempotencyKeyInput,
  idempotencyKeySpace,
} from '../../../generators/spaces/request/idempotency-key-space.ts';
import { sendChannelIdSpace } from '../../../generators/spaces/request/path-id-spaces.ts';
import { sourceSessionSpace } from '../../../generators/spaces/session/session-space.ts';
import { wireBodySpace } from '../../../generators/spaces/wire/wire-body-space.ts';
import { type WireBody, wireBytesOf } from '../../../generators/spaces/wire/wire-body.ts';
import { type Run, type Text, countsOf, textOf } from '../../../generators/texts/text.ts';
import { markerPlace, markerLength, type CaseRequest } from '../case-request.ts';
import { sendMessage } from '../../../spec/calls/index.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import { goodRequests, sendOf, spokenBy } from '../baseline-requests.ts';
import { injectionPoint, type InjectionPoint } from '../injection-point.ts';
import { derivedFrom } from './reads.ts';
import { maxContentBytes } from '../../../spec/index.ts';

const largeBytes = 20_000;

const marker: Run = { unit: markerPlace, count: 1 };

/** Contents of every kind, whole bodies around them, and the keys they are sent under. */
export function sendInjectionPoints(
  world: SendWorld,
  roles: ReadonlySet<RoleName>,
): readonly InjectionPoint[] {
  // What the peer sends are plans, that nothing of its own comes between their steps.
  const senders = (['author', 'reader', 'api-key'] as const).filter((role) => roles.has(role));
  const ways = (['{channel}', '{second-channel}'] as const).flatMap((channel) =>
    senders.map((role) => ({ role, channel })),
  );
  return [
    injectionPoint(
      'send',
      'content',
      { ...contentSpace, boundaries: cheapFirst },
      markings,
      (text, marking) => sendOf({ content: markedString(text, marking) }),
      // What is expensive to send is sent once.
      (text) => (isLarge(text) ? [1] : [0, 1]),
    ),
    injectionPoint(
      'send',
      'body',
      {
        ...sendBodySpace,
        boundaries: sendBodySpace.boundaries.filter(({ value }) => !isOwnInjectionPoints(value)),
      },
      ['none', 'start'] as const,
      (body, marking) => sendOf(bodyTextOf(withMarker(body, marking), world)),
      () => [1],
    ),
    injectionPoint(
      'send',
      'sender',
      { boundaries: richBodies(world), arbitrary: sendBodySpace.arbitrary },
      ways,
      (body, { role, channel }) =>
        spokenBy(role, sendMessage(channel, bodyTextOf(withMarker(body, 'start'), world), '{key}')),
      () => [...ways.keys()],
    ),
    injectionPoint('send', 'idempotency-key', idempotencyKeySpace, [''], withKey),
    injectionPoint('send', 'channel-id', sendChannelIdSpace, [''], (id) =>
      sendOf({ content: markerPlace }, derivedFrom('channel', id)),
    ),
  ];
}

/** Bodies that name each principal by itself, and those that have all that a message can carry. */
function richBodies({
  principals,
}: SendWorld): readonly { readonly label: string; readonly value: SendBodyInput }[] {
  const everybody = (['agent', 'user', 'machine'] as const).flatMap((kind) =>
    principals[kind].map((_name, index) => ({ kind, index })),
  );
  const fields = {
    agent_host: 'fuzzer',
    content_type: 'text/plain',
    source_session: { provider: 'provider_b', surface: 'cloud', session_id: 'session-1' },
  };
  const content = [{ unit: 'a', count: 1 }];
  return [
    { label: 'send-body/all-at-once', value: { content, fields, mentions: everybody } },
    { label: 'send-body/all-in-reverse', value: { content, fields, mentions: everybody.toReversed() } },
    ...everybody.map((target) => ({
      label: `send-body/names-${target.kind}-${target.index}`,
      value: { content, fields: {}, mentions: [target] },
    })),
    ...Object.entries(textsInTypes).map(([type, [before, behind]]) => ({
      label: `send-body/what-${type.replace('/', '-')}-says`,
      value: {
        content: [{ unit: before, count: 1 }, marker, { unit: behind, count: 1 }],
        fields: { content_type: type },
      },
    })),
  ];
}

/** What each media type has a server read the text as, around the marker. */
const textsInTypes: Readonly<Record<string, readonly [string, string]>> = {
  'application/json': ['{ "text" : "', '" }\n'],
  'text/html': ['<p onclick="x">', '</p><script>1</script>&amp;'],
  'text/markdown': ['# ', '  \n\n* one\n'],
  'text/csv': ['"a","', '"\r\n1,2\r\n'],
  'application/x-www-form-urlencoded': ['a=%41+', '&b=%zz'],
};

/** The limit itself and what is short come first, all that is expensive to send after it. */
const cheapFirst = contentSpace.boundaries.toSorted((one, other) => rankOf(one) - rankOf(other));

function rankOf({ label, value }: (typeof contentSpace.boundaries)[number]): number {
  return isLarge(value) && !label.endsWith('1-byte-chars') ? 1 : 0;
}

function isLarge(text: Text): boolean {
  return countsOf(text).sizeBytes > largeBytes;
}

/** A body of nothing but a content, or with a source session: those have injection points of their own. */
function isOwnInjectionPoints({ content, fields, mentions, attachments, instead }: SendBodyInput): boolean {
  if ('source_session' in fields) return true;
  const isContentAlone =
    Object.keys(fields).length === 0 && (mentions ?? attachments ?? instead) === undefined;
  return isContentAlone && content !== undefined && content.length > 0;
}

/** Source sessions, each with a message of its own. */
export function sourceSessionInjectionPoints(world: SendWorld): readonly InjectionPoint[] {
  return [
    injectionPoint('source-session', 'source-session', sourceSessionSpace, [''], (session) =>
      sendOf(
        bodyTextOf(
          { content: [{ unit: markerPlace, count: 1 }], fields: { source_session: session } },
          world,
        ),
      ),
    ),
  ];
}

/** Bodies below JSON. */
export const wireInjectionPoints: readonly InjectionPoint[] = [
  injectionPoint('wire', 'wire-body', wireBodySpace, [''], wireRequest),
];

function wireRequest(body: WireBody): CaseRequest {
  const { 'content-type': _usual, ...headers } = sendOf('').headers as Readonly<Record<string, string>>;
  return {
    ...sendOf(wireBytesOf(body, markerPlace)),
    headers: {
      ...headers,
      ...(body.contentType === null ? {} : { 'content-type': body.contentType }),
      ...(body.contentEncoding === null ? {} : { 'content-encoding': body.contentEncoding }),
    },
  };
}

function withMarker(body: SendBodyInput, marking: 'none' | 'start'): SendBodyInput {
  return body.content === undefined ? body : { ...body, content: markedText(body.content, marking) };
}

function withKey({ key }: IdempotencyKeyInput): CaseRequest {
  const good = goodRequests.send;
  const { 'idempotency-key': _usual, ...headers } = good.headers as Readonly<Record<string, string>>;
  const name = 'idempotency-key';
  return {
    ...good,
    headers: key === null ? headers : { ...headers, [name]: key.replaceAll('{fresh}', '{key}') },
  };
}

/** Where a content carries the marker that it is told by. */
const markings = ['none', 'start', 'end', 'inside'] as const;
type Marking = (typeof markings)[number];

/**
 * The text with the marker in it. What is close to the limit of contents, or beyond it, keeps its size: there the marker takes
 * the place of characters. A text that has no room for it comes back as it is.
 */
function markedText(text: Text, marking: Marking): Text {
  if (marking === 'none' || text.length === 0 || text.includes(marker)) return text;
  const { sizeBytes } = countsOf(text);
  if (sizeBytes + markerLength > maxContentBytes) return inPlaceOf(text);
  if (marking === 'start') return [marker, ...text];
  if (marking === 'end') return [...text, marker];
  const [first, ...rest] = text;
  if (first === undefined) return text;
  const before = Math.ceil(first.count / 2);
  return [
    { ...first, count: before },
    marker,
    ...(first.count > before ? [{ ...first, count: first.count - before }] : []),
    ...rest,
  ];
}

/** The marker instead of some characters of the longest run. */
function inPlaceOf(text: Text): Text {
  const longest = text.reduce((best, run, index) => (run.count > (text[best]?.count ?? 0) ? index : best), 0);
  const run = text[longest];
  if (run === undefined) return text;
  const unitBytes = Buffer.byteLength(run.unit);
  const taken = Math.ceil(markerLength / unitBytes);
  if (taken > run.count) return text;
  const filler = { unit: 'a', count: taken * unitBytes - markerLength };
  return [
    ...text.slice(0, longest),
    marker,
    ...(filler.count > 0 ? [filler] : []),
    { ...run, count: run.count - taken },
    ...text.slice(longest + 1),
  ].filter(({ count }) => count > 0);
}

/** The text written out, with the place of the marker in it. */
function markedString(text: Text, marking: Marking): string {
  return textOf(markedText(text, marking));
}
