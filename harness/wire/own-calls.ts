import { idAt, isRecord, type SentRequest } from '../../spec/calls/index.ts';
import { isRedirection, notThere, type ReceivedResponse } from '../client/exchange.ts';
import type { Bindings } from '../config/target.ts';
import { isWellFormed } from '../../spec/oracles/requests/contract-request.ts';
import { mayBeTooLong } from '../../spec/oracles/requests/sent-body.ts';
import { isUuid } from '../../spec/index.ts';

/** Where the suite uploads a file if no hook does. */
const upload = '/v0/files';

/** Whether an answer refuses a call of which only the suite says where it is, for files or reports: then it has the form of every refusal. */
export function isOwnRefusal(
  { call, path }: SentRequest,
  { status }: ReceivedResponse,
  bindings: Bindings | undefined,
): boolean {
  if (call !== 'other' || bindings === undefined || status < 400) return false;
  const { file, fileContent, reportReceipt } = bindings;
  return [upload, file, fileContent, reportReceipt].some(
    (template) => template === path || (idAt(template, path) ?? '') !== '',
  );
}

/**
 * Whether an answer may come from before or below every handler of the service, so that its form is open: a redirect; where it is not in the
 * words of the service, a refusal of what need not get through to it, and that of a router where nothing has to be.
 */
export function isFormOpen(request: SentRequest, { status, json }: ReceivedResponse): boolean {
  if (isRedirection(status)) return true;
  if (isRecord(json) && isRecord(json['error'])) return false;
  if (status < 400) return false;
  const { call, headers, path } = request;
  // Where files and reports are only this suite says: a router, or a gateway, may know nothing of it. Of a file that is there it knows.
  if (call === 'other' && path === upload) return status < 500 || status === 501;
  if (call === 'other') return [404, 405, 501].includes(status) || (status === 403 && isRecord(json));
  // The list of receipts is absent on older servers.
  if (notThere.includes(status) && (call === 'receipts-list' || !isAddressOfContract(path))) return true;
  // A 401 speaks of who asks.
  if (status >= 500 || status === 401) return false;
  const isWithoutLength = status === 411 && headers['transfer-encoding'] !== undefined;
  return mayBeTooLong(request) || !isWellFormed(request) || isWithoutLength;
}

/** Whether a UUID stands where a path of the contract asks for one. */
function isAddressOfContract(path: string): boolean {
  const [, id] = /^\/v(?:0\/channels|1\/human\/workspaces)\/([^/]*)/.exec(path) ?? [];
  return id === undefined || isUuid(id);
}
