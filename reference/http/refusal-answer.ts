import type { Answer } from '../model/answer.ts';
import { Refusal } from '../model/refusal.ts';
import type { Rules } from '../rules/rules.ts';
import type { RouteName } from '../model/routes.ts';

/** The answer to a request that failed: an ApiError, whatever was thrown. */
export function refusalAnswer(rules: Rules, error: unknown, route: RouteName | null): Answer {
  const refusal = error instanceof Refusal ? error : internal(error);
  return {
    status: rules.statusOfRefusal(refusal.kind, route),
    headers: headersOf(rules, refusal),
    body: rules.errorBody(rules.codeOfRefusal(refusal.kind), refusal.message, refusal.extras.details),
  };
}

function headersOf(rules: Rules, { extras }: Refusal): Record<string, string> {
  const challenge = extras.credentialProblem ? rules.challenge(extras.credentialProblem) : null;
  const retryAfter =
    extras.retryAfterSeconds === undefined ? null : rules.retryAfter(extras.retryAfterSeconds);
  return {
    ...(challenge !== null && { 'www-authenticate': challenge }),
    ...(retryAfter !== null && { 'retry-after': retryAfter }),
    ...(extras.allow && { allow: extras.allow.join(', ') }),
  };
}

/** A fault of our own: the client learns that there was one, the operator what it was. */
function internal(error: unknown): Refusal {
  console.error(error);
  return new Refusal('internal', 'the service failed; the fault is its own');
}
