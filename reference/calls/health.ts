import { jsonAnswer, type Answer } from '../model/answer.ts';

/** Says that the service is there; nobody needs a credential to ask. */
export function health(): Answer {
  return jsonAnswer(200, { status: 'ok' });
}
