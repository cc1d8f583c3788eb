import type { CallRequest, SentRequest } from '../../calls/index.ts';
import { authorizationOf, segmentOf } from '../../generators/index.ts';
import type { RoleName } from '../../harness/config/roles.ts';

/**
 * A request as it is generated, kept and replayed: concrete but for what belongs to one run. Placeholders stand for the
 * ids of the target (`{channel}`, `{second-channel}`, `{workspace}`), what is made of one (`{workspace:neighbour}`), a
 * credential (`{token:author}`) or one that looks like it (`{look-alike:author}`), a fresh
 * idempotency key (`{key}`), the one that all requests of a case share (`{key:shared}`), a principal that a message may mention (`{agent:author}`) and the marker of the message ({@link markerPlace}), so that it holds no secret and can be sent
 * again.
 */
export interface CaseRequest extends CallRequest {
  /** What is sent before it: the steps of a case in several. */
  readonly earlier?: readonly CallRequest[];
  /** True where nobody waits for the answers to those: all are sent at one time. */
  readonly isTogether?: boolean;
}

/** The place of the key that all requests of a case share. */
export const sharedKey = '{key:shared}';

/** Stands where the marker of a message goes; as long as the marker itself, so that sizes stay what they are. */
export const markerPlace = '{the-mark-of-it}';

/** Length of a marker, in ASCII characters. */
export const markerLength = markerPlace.length;

/** What the placeholders of a request stand for. */
export interface Places {
  readonly channelId: string | undefined;
  readonly secondChannelId: string | undefined;
  readonly workspaceId: string | undefined;
  readonly tokenOf: (role: RoleName) => string | undefined;
  readonly freshKey: () => string;
  /** The key that the requests of one case share. */
  readonly sharedKey?: string;
  /** The id of a principal by its kind and the role it belongs to, as far as it was learned. */
  readonly principalOf: (name: string) => string | undefined;
}

/** A request with every placeholder filled in. */
interface Resolved {
  readonly sent: SentRequest;
  /** The marker that its body carries; `undefined` when there is no room for one. */
  readonly marker: string | undefined;
}

const places =
  /\{(channel|second-channel|workspace|key|key:shared|(?:token|look-alike|workspace|channel):([a-z-]+))\}/g;
const principals = /\{((?:agent|user|machine):[a-z-]+)\}/g;
/** Longer bodies name nobody: to look through them would cost more than to send them. */
const longestNaming = 20_000;

/**
 * Fills in the placeholders of a request; `undefined` when the target lacks what one stands for. The last function is called only
 * for a body with a place for it.
 */
export function resolve(request: CallRequest, known: Places, marker: () => string): Resolved | undefined {
  let isComplete = true;
  const filled = (text: string): string =>
    text.includes('{')
      ? text.replaceAll(places, (_whole, name: string, detail: string | undefined) => {
          const value = valueOf(name, detail, known);
          if (value === undefined) isComplete = false;
          return value ?? '';
        })
      : text;
  const headers: Record<string, string> = {};
  for (const name of Object.keys(request.headers)) headers[name] = filled(request.headers[name] ?? '');
  const path = filled(request.path);
  const query = typeof request.query === 'string' ? filled(request.query) : request.query;
  const named = (text: string): string =>
    text.replaceAll(principals, (_whole, name: string) => {
      const id = known.principalOf(name);
      if (id === undefined) isComplete = false;
      return id ?? '';
    });
  const { body } = request;
  const isNaming = typeof body === 'string' && body.length <= longestNaming;
  const marked = withMarker(isNaming ? named(body) : body, marker);
  if (!isComplete) return undefined;
  return {
    sent: {
      call: request.call,
      method: request.method,
      path,
      query,
      headers,
      body: marked.body,
      ...(request.headers['idempotency-key'] === '{key}' ? { hasFreshKey: true } : {}),
    },
    marker: marked.marker,
  };
}

function valueOf(name: string, detail: string | undefined, known: Places): string | undefined {
  if (detail !== undefined) return derived(name, detail, known);
  switch (name) {
    case 'channel':
      return known.channelId;
    case 'second-channel':
      return known.secondChannelId;
    case 'workspace':
      return known.workspaceId;
    case 'key:shared':
      return known.sharedKey;
    default:
      return known.freshKey();
  }
}

/** What is made of a token or an id: `{look-alike:author}` of a token, `{workspace:its-beginning}` of an id. */
function derived(
  name: string,
  detail: string,
  { channelId, workspaceId, tokenOf }: Places,
): string | undefined {
  const segment = `{${detail}}`;
  if (name.startsWith('workspace:'))
    return workspaceId === undefined ? undefined : segmentOf({ segment }, workspaceId);
  if (name.startsWith('channel:'))
    return channelId === undefined ? undefined : segmentOf({ segment }, channelId);
  const token = tokenOf(detail as RoleName);
  if (token === undefined || !name.startsWith('look-alike:')) return token;
  return authorizationOf({ authorization: '{look-alike}' }, token);
}

function withMarker(
  body: CaseRequest['body'],
  marker: () => string,
): { readonly body: CaseRequest['body']; readonly marker: string | undefined } {
  if (typeof body === 'string') {
    const at = body.indexOf(markerPlace);
    if (at < 0) return { body, marker: undefined };
    const made = marker();
    return { body: body.slice(0, at) + made + body.slice(at + markerLength), marker: made };
  }
  const at =
    body === undefined ? -1 : Buffer.from(body.buffer, body.byteOffset, body.length).indexOf(markerPlace);
  if (body === undefined || at < 0) return { body, marker: undefined };
  const made = marker();
  const bytes = Buffer.from(body);
  bytes.write(made, at, 'latin1');
  return { body: bytes, marker: made };
}

/** The role whose credential a request is sent with; `anonymous` when it names none. */
export function speakerOf({ headers }: CallRequest): string {
  return /\{token:([a-z-]+)\}/.exec(headers['authorization'] ?? '')?.[1] ?? 'anonymous';
}
