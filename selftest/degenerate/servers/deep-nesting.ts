import type { DegenerateServer } from '../answers/degenerate-server.ts';
import { startAnswering } from '../answers/http-answers.ts';
import { agentIdHeader, emptyPage, someAgentId } from '../answers/plausible-bodies.ts';

const depth = 1_000_000;

/** A mentions page whose list holds a list that holds a list, a million deep: well-formed, and too deep to recurse into. */
export async function startDeepNesting(): Promise<DegenerateServer> {
  const mentions = '['.repeat(depth) + ']'.repeat(depth);
  const body = Buffer.from(`{"mentions":${mentions},"page":${JSON.stringify(emptyPage)}}`);
  const headers = { 'content-type': 'application/json', [agentIdHeader]: someAgentId };
  return startAnswering('deep-nesting', () => ({ status: 200, headers, body }));
}
