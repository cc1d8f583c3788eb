import { isUuid } from '../../../spec/index.ts';

/** The name of a header that holds a UUID and is called like an agent's id: perhaps the server's own name for that header. */
export function similarAgentIdHeader(
  headers: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  return Object.entries(headers).find(
    ([name, [value]]) => /agent-?id/.test(name) && value !== undefined && isUuid(value),
  )?.[0];
}
