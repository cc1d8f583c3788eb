import { openPaths } from './settings.ts';

/** Who may call: nobody needs a credential, an agent does, or a machine profile does. */
export type Surface = 'open' | 'agent' | 'machine';

type Call = readonly [method: 'GET' | 'POST', surface: Surface, path: string, ...parameters: string[]];

/** Every call of the service, by the name that rules and the answer hook use for it. */
const calls = {
  health: ['GET', 'open', openPaths.health],
  capabilities: ['GET', 'open', openPaths.capabilities],
  mentions: ['GET', 'agent', '/v0/mentions', 'after', 'limit'],
  channels: ['GET', 'agent', '/v0/channels'],
  send: ['POST', 'agent', '/v0/channels/:channel_id/messages'],
  read: ['GET', 'agent', '/v0/channels/:channel_id/messages', 'after', 'limit', 'wait'],
  receipts: ['GET', 'agent', '/v0/channels/:channel_id/receipts', 'message_id', 'after', 'limit'],
  reportReceipts: ['POST', 'agent', '/v0/channels/:channel_id/receipts'],
  upload: ['POST', 'agent', '/v0/files'],
  file: ['GET', 'agent', '/v0/files/:file_id'],
  fileContent: ['GET', 'agent', '/v0/files/:file_id/content'],
  overview: ['GET', 'machine', '/v1/human/workspaces/:workspace_id'],
} satisfies Readonly<Record<string, Call>>;

export type RouteName = keyof typeof calls;

export interface Route {
  readonly name: RouteName;
  readonly method: Call[0];
  readonly surface: Surface;
  /** Path segments; one that starts with `:` is a parameter. */
  readonly segments: readonly string[];
  /** Query parameters that the call has. */
  readonly parameters: readonly string[];
}

export const routes: readonly Route[] = Object.entries<Call>(calls).map(
  ([name, [method, surface, path, ...parameters]]) => ({
    name: name as RouteName,
    method,
    surface,
    segments: path.slice(1).split('/'),
    parameters,
  }),
);
