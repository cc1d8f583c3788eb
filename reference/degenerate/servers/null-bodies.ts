import type { DegenerateServer } from '../degenerate-server.ts';
import { forgetfulAnswers, type KnownWorkspace } from '../forgetful-answers.ts';
import { startAnswering } from '../http-answers.ts';

/** Has the right status and headers for every request, and the body `null`. */
export async function startNullBodies(known: KnownWorkspace): Promise<DegenerateServer> {
  const answer = forgetfulAnswers(known);
  return startAnswering('null-bodies', (request) => ({ ...answer(request), body: 'null' }));
}
