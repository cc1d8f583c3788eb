import { remembered } from '../groups.ts';

/** Where each call is, from the base URL on. */
export const pathTemplates = {
  mentions: '/v0/mentions',
  overview: '/v1/human/workspaces/{workspace_id}',
  send: '/v0/channels/{channel_id}/messages',
  'channel-read': '/v0/channels/{channel_id}/messages',
  'channels-list': '/v0/channels',
  'receipts-list': '/v0/channels/{channel_id}/receipts',
} as const;

/** A call whose path the contract shows. */
export type KnownCall = keyof typeof pathTemplates;

/** The calls of the contract, as far as an answer's shape depends on them. */
export type CallName = KnownCall | 'other';

const knownCalls = Object.keys(pathTemplates) as KnownCall[];
const place = /\{[a-z_]+\}/;

/** The path of a call; `id` is of the channel or the workspace that it asks for. */
export function pathOf(call: KnownCall, id = ''): string {
  return pathTemplates[call].replace(place, () => id);
}

/** The id in the path of a call, be it one or not; `undefined` for another path, empty for a call without one. */
export function idIn(call: KnownCall, path: string): string | undefined {
  return idAt(pathTemplates[call], path);
}

/** The same of a template that shows the place of an id in braces, or none. */
export function idAt(template: string, path: string): string | undefined {
  const [before = '', after] = halvesOf(template);
  if (after === undefined) return path === before ? '' : undefined;
  if (!path.startsWith(before) || !path.slice(before.length).endsWith(after)) return undefined;
  const id = path.slice(before.length, path.length - after.length);
  return id.includes('/') ? undefined : id;
}

/** The call that a request was, by its method and path; `other` for what the contract says nothing of. */
export function callOf(method: string, path: string): CallName {
  if (method !== 'GET' && method !== 'POST') return 'other';
  const isSend = method === 'POST';
  return knownCalls.find((call) => (call === 'send') === isSend && idIn(call, path) !== undefined) ?? 'other';
}

/** An id from a path as a router reads it: its escapes decoded, in lower case. */
export function plainId(id: string): string {
  return decoded(id).toLowerCase();
}

/** A text with its escapes decoded; as it is where one is wrong. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const halves = new Map<string, readonly string[]>();

/** What stands before and after the id. */
function halvesOf(template: string): readonly string[] {
  return remembered(halves, template, () => template.split(place));
}
