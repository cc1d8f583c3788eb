import type { DegenerateServer } from '../answers/degenerate-server.ts';
import { jsonAnswer, startAnswering } from '../answers/http-answers.ts';
import { agentIdHeader, apiError, plausibleMentionsPage, someAgentId } from '../answers/plausible-bodies.ts';

/** `bare` answers `{}` and no header of the contract; `plausible` has a valid body and the headers that go with it. */
type ConstantFlavour = 'bare' | 'plausible';

/** Gives every request the same answer. */
export async function startConstant(status: number, flavour: ConstantFlavour): Promise<DegenerateServer> {
  const answer = flavour === 'bare' ? jsonAnswer(status, {}) : plausibleAnswer(status);
  return startAnswering(`constant-${status}-${flavour}`, () => answer);
}

function plausibleAnswer(status: number): ReturnType<typeof jsonAnswer> {
  if (status < 300) return jsonAnswer(status, plausibleMentionsPage(), { [agentIdHeader]: someAgentId });
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return jsonAnswer(status, apiError('refused', 'The request was refused.'), headers);
}
