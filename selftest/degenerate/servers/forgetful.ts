import type { DegenerateServer } from '../answers/degenerate-server.ts';
import { forgetfulAnswers, type KnownWorkspace } from '../answers/forgetful-answers.ts';
import { startAnswering } from '../answers/http-answers.ts';

/** Refuses what must be refused, accepts every send with 201, and has nothing in it afterwards. */
export async function startForgetful(known: KnownWorkspace): Promise<DegenerateServer> {
  return startAnswering('forgetful', forgetfulAnswers(known));
}
