import type { DegenerateServer } from '../degenerate-server.ts';
import { forgetfulAnswers, type KnownWorkspace } from '../forgetful-answers.ts';
import { startAnswering } from '../http-answers.ts';

/** Refuses what must be refused, accepts every send with 201, and has nothing in it afterwards. */
export async function startForgetful(known: KnownWorkspace): Promise<DegenerateServer> {
  return startAnswering('forgetful', forgetfulAnswers(known));
}
