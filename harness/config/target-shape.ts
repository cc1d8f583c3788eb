import type { Hook, Target } from './target.ts';

/** What a target has, and how it names things: no address, id, token or value of a header is in it. */
export type TargetShape = ReturnType<typeof targetShape>;

/** The shape of a target. */
export function targetShape(target: Target) {
  const { roles, names, bindings, hooks, limits, connection, settleMs, budgetMs } = target;
  return {
    isSecure: target.baseUrl.startsWith('https:'),
    hasPathPrefix: new URL(target.baseUrl).pathname !== '/',
    roles: Object.keys(roles),
    hasWorkspace: target.workspaceId !== undefined,
    hasChannel: target.channelId !== undefined,
    hasSecondChannel: target.secondChannelId !== undefined,
    files: target.files.length,
    without: target.without ?? [],
    names,
    bindings,
    hooks: Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, formOf(hook)])),
    limits,
    settleMs,
    budgetMs,
    headers: Object.keys(connection.headers),
    ownAuthority: connection.ca !== undefined,
    clientCertificate: connection.cert !== undefined,
  };
}

function formOf(hook: Hook): string {
  if ('call' in hook) return 'function';
  if ('url' in hook) return 'url';
  return hook.stays === true ? 'process' : 'command';
}
