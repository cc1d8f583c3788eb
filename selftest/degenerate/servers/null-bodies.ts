import type { DegenerateServer } from '../answers/degenerate-server.ts';
import { forgetfulAnswers, type KnownWorkspace } from '../answers/forgetful-answers.ts';
import { startAnswering } from '../answers/http-answers.ts';

/** Has the right status and headers for every request, and the body `null`. */
export async function startNullBodies(known: KnownWorkspace): Promise<DegenerateServer> {
  const answer = forgetfulAnswers(known);
  return startAnswering('null-bodies', (request) => ({ ...answer(request), body: 'null' }));
}
