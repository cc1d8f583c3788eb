import { write, type CallRequest, type SentRequest } from '../../spec/calls/index.ts';
import { authorizationOf } from '../../generators/spaces/request/credential-space.ts';
import { segmentOf } from '../../generators/spaces/request/path-id-spaces.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import type { Target } from '../../harness/config/target.ts';

/**
 * A request as it is generated, kept and replayed: concrete but for what belongs to one run. Placeholders stand for the
 * ids of the target (`{channel}`, `{second-channel}`, `{workspace}`), what is made of one (`{workspace:neighbour}`), a
 * credential (`{token:author}`) or one that looks like it (`{look-alike:author}`), a fresh
 * idempotency key (`{key}`), the one that all requests of a case share (`{key:shared}`), a principal that a message may mention
 * (`{agent:author}`), a file that was uploaded for the case (`{file:first}`), the cursor that a page of the case ended with (`{cursor:first}`, `{cursor:last}`), the newest message that the
 * case was shown (`{message}`) and the marker of the message ({@link markerPlace}), so that it holds no secret and can be sent
 * again.
 */
export interface CaseRequest extends RequestStep {
  /** What comes before it: the steps of a case in several. */
  readonly earlier?: readonly CaseStep[];
  /** True where all of it takes place in a workspace of its own, or at least in a chapter of its own. */
  readonly isApart?: boolean;
}

/** One request of a case. */
export interface RequestStep extends CallRequest {
  /** True where it goes out beside the request before it, whose answer nobody waits for. */
  readonly isBeside?: boolean;
}

/** What the operator may do to whom or what an act is about: a principal or a file as in a placeholder, or the token of a role. */
export const operatorActs = ['rename', 'leave', 'return', 'revoke', 'expire', 'upload', 'delete'] as const;

/** Something that the operator does between requests. */
export interface OperatorStep {
  readonly act: (typeof operatorActs)[number];
  /** `agent:author`, `token:peer`, `file:first`. */
  readonly of: string;
}

export type CaseStep = RequestStep | OperatorStep;

/** Every step of a case, in order. */
export function stepsOf(request: CaseRequest): readonly CaseStep[] {
  return [...(request.earlier ?? []), request];
}

/** Whether a step is the operator's. */
export function isOperators(step: CaseStep): step is OperatorStep {
  return 'act' in step;
}

/** How a report of the newest message that a case was shown is written, by its channel: where reports go, the target says. */
export const reportPaths = {
  '{channel}': '{report}',
  '{second-channel}': '{report:second-channel}',
} as const;

/** A report that its sender retrieved the newest message that the case was shown. */
export function reportOf(channel: keyof typeof reportPaths): CallRequest {
  return write('other', reportPaths[channel], { '{report-field}': ['{message}'] }, '{key}');
}

/** The place of the key that all requests of a case share. */
export const sharedKey = '{key:shared}';

/** Stands where the marker of a message goes; as long as the marker itself, so that sizes stay what they are. */
export const markerPlace = '{the-mark-of-it}';

/** Length of a marker, in ASCII characters. */
export const markerLength = markerPlace.length;

/** What the placeholders of a request stand for. */
export interface Places extends Pick<Target, 'channelId' | 'secondChannelId' | 'workspaceId'> {
  readonly tokenOf: (role: RoleName) => string | undefined;
  readonly freshKey: () => string;
  /** The key that the requests of one case share. */
  readonly sharedKey?: string;
  /** The id of a principal by its kind and the role it belongs to, or of a file, as far as it is known. */
  readonly principalOf: (name: string) => string | undefined;
  /** Where retrievals are reported, with a place for the channel, and the field that says of what. */
  readonly report?: { readonly path: string; readonly field: string };
  /** Where the first page, or the last, ended that the case was shown of what it asks for now; the beginning before that. */
  readonly cursor?: (which: string, request: CallRequest) => string;
  /** The newest message of its own that the case was shown. */
  readonly shownMessage?: () => string | undefined;
}

/** A request with every placeholder filled in. */
interface Resolved {
  readonly sent: SentRequest;
  /** The marker that its body carries; `undefined` when there is no room for one. */
  readonly marker: string | undefined;
}

const places =
  /\{(channel|second-channel|workspace|key|key:shared|(?:token|look-alike|workspace|channel|cursor):([a-z-]+))\}/g;
const principals = /\{((?:agent|user|machine|file):[a-z-]+|message|report-field)\}/g;
/** Longer bodies name nobody: to look through them would cost more than to send them. */
const longestNaming = 20_000;

/**
 * Fills in the placeholders of a request; `undefined` when the target lacks what one stands for. The last function is called only
 * for a body with a place for it.
 */
export function resolve(given: CallRequest, known: Places, marker: () => string): Resolved | undefined {
  const request = { ...given, path: reportPathOf(given.path, known) };
  let isComplete = true;
  const filled = (text: string): string =>
    text.includes('{')
      ? text.replaceAll(places, (_whole, name: string, detail: string | undefined) => {
          const value = name.startsWith('cursor:')
            ? known.cursor?.(name.slice('cursor:'.length), given)
            : valueOf(name, detail, known);
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
      const id = namedIn(name, known);
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

/** Where a report goes; any other path as it is. */
function reportPathOf(path: string, { report }: Places): string {
  const [channel] = Object.entries(reportPaths).find(([, place]) => place === path) ?? [];
  return channel === undefined || report === undefined
    ? path
    : report.path.replaceAll('{channel_id}', channel);
}

function namedIn(name: string, { principalOf, report, shownMessage }: Places): string | undefined {
  if (name === 'message') return shownMessage?.();
  return name === 'report-field' ? report?.field : principalOf(name);
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
