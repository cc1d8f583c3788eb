import type { SentRequest } from '../../calls/index.ts';
import type { ReceivedResponse } from '../client/exchange.ts';
import type { Bindings } from '../config/target.ts';
import { isLongQuery } from '../../oracles/requests/sent-body.ts';
import { isUuid } from '../../spec/index.ts';

/** What a router writes where there is nothing, or not by that method. */
const ofRouters: readonly number[] = [404, 405];

/** Where the suite uploads a file if no hook does. */
const upload = '/v0/files';

const patterns = new WeakMap<Bindings, readonly RegExp[]>();

/**
 * Whether an answer refuses a call of which only the suite says where it is, for files or reports: then it has the form of
 * every refusal. What a router answers may mean that the server has no such call.
 */
export function isOwnRefusal(
  { call, path }: SentRequest,
  { status }: ReceivedResponse,
  bindings: Bindings | undefined,
): boolean {
  if (call !== 'other' || bindings === undefined || status < 400 || ofRouters.includes(status)) return false;
  const known = patterns.get(bindings) ?? patternsOf(bindings);
  patterns.set(bindings, known);
  return known.some((pattern) => pattern.test(path));
}

function patternsOf({ file, fileContent, reportReceipt }: Bindings): readonly RegExp[] {
  return [upload, file, fileContent, reportReceipt].map(
    (template) =>
      new RegExp(`^${template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  );
}

/**
 * Whether an answer may come from before or below every handler of the service, so that its form is open: a refusal of a query that is
 * long, and that of a router to an address that only this suite asks for, since no id is in it.
 */
export function isFormOpen({ path, query }: SentRequest, { status }: ReceivedResponse): boolean {
  const isOfRouter = ofRouters.includes(status) && !isAddressOfContract(path);
  return isOfRouter || (status >= 400 && status < 500 && isLongQuery(query));
}

/** Whether a UUID stands where a path of the contract asks for one. */
function isAddressOfContract(path: string): boolean {
  const [, id] = /^\/v(?:0\/channels|1\/human\/workspaces)\/([^/]*)/.exec(path) ?? [];
  return id === undefined || isUuid(id);
}
