/** Asks a server with a token as a simple client does: reads, or posts a body under a fresh key. */
export function askAs(
  baseUrl: string,
  token: string,
  path: string,
  { body, signal = null }: { readonly body?: object; readonly signal?: AbortSignal | null } = {},
): Promise<Response> {
  const authorization = `Bearer ${token}`;
  const posted = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
  return fetch(baseUrl + path, {
    headers: { authorization, ...(body && posted) },
    signal,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
}
