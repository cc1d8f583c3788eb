import { openPaths } from './settings.ts';

/** Every call of the service, by the name that rules and the answer hook use for it. */
export type RouteName =
  | 'health'
  | 'capabilities'
  | 'mentions'
  | 'channels'
  | 'send'
  | 'read'
  | 'receipts'
  | 'reportReceipts'
  | 'upload'
  | 'file'
  | 'fileContent'
  | 'overview';

/** Who may call: nobody needs a credential, an agent does, or a machine profile does. */
export type Surface = 'open' | 'agent' | 'machine';

export interface Route {
  readonly name: RouteName;
  readonly method: 'GET' | 'POST';
  readonly surface: Surface;
  /** Path segments; one that starts with `:` is a parameter. */
  readonly segments: readonly string[];
  /** Query parameters that the call has. */
  readonly parameters: readonly string[];
}

export const routes: readonly Route[] = [
  route('health', 'GET', 'open', openPaths.health),
  route('capabilities', 'GET', 'open', openPaths.capabilities),
  route('mentions', 'GET', 'agent', '/v0/mentions', 'after', 'limit'),
  route('channels', 'GET', 'agent', '/v0/channels'),
  route('send', 'POST', 'agent', '/v0/channels/:channel_id/messages'),
  route('read', 'GET', 'agent', '/v0/channels/:channel_id/messages', 'after', 'limit', 'wait'),
  route('receipts', 'GET', 'agent', '/v0/channels/:channel_id/receipts', 'message_id', 'after', 'limit'),
  route('reportReceipts', 'POST', 'agent', '/v0/channels/:channel_id/receipts'),
  route('upload', 'POST', 'agent', '/v0/files'),
  route('file', 'GET', 'agent', '/v0/files/:file_id'),
  route('fileContent', 'GET', 'agent', '/v0/files/:file_id/content'),
  route('overview', 'GET', 'machine', '/v1/human/workspaces/:workspace_id'),
];

function route(
  name: RouteName,
  method: Route['method'],
  surface: Surface,
  path: string,
  ...parameters: string[]
): Route {
  return { name, method, surface, segments: path.slice(1).split('/'), parameters };
}
