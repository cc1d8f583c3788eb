import type { SentRequest } from '../../calls/index.ts';
import { isUuid } from '../../spec/index.ts';
import type { ReceivedResponse } from '../client/exchange.ts';

/** What a router writes where there is nothing, or not by that method. */
const ofRouters: readonly number[] = [404, 405];

/**
 * Whether an answer may come from below every handler of the service, so that its form is open: that of a router to an
 * address that only this suite asks for, since no id is in it.
 */
export function isFormOpen({ path }: SentRequest, { status }: ReceivedResponse): boolean {
  return ofRouters.includes(status) && !isAddressOfContract(path);
}

/** Whether a UUID stands where a path of the contract asks for one. */
function isAddressOfContract(path: string): boolean {
  const [, id] = /^\/v(?:0\/channels|1\/human\/workspaces)\/([^/]*)/.exec(path) ?? [];
  return id === undefined || isUuid(id);
}
