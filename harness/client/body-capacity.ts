import { surelyTakenBodyBytes } from '../../spec/index.ts';
import type { Exchange, SentRequest } from './exchange.ts';

/** Whether a body is longer than any that is sure to be taken: a server may have less room for it. */
export function mayBeTooLong({ body }: Pick<SentRequest, 'body'>): boolean {
  return body !== undefined && Buffer.byteLength(body) > surelyTakenBodyBytes;
}

/** Whether a refusal may be about the length of the body, whatever it says; a 401 is about the credential. */
export function isRefusedForLength({ request, response, fault }: Exchange): boolean {
  const status = fault === undefined ? response?.status : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 401 && mayBeTooLong(request);
}
