import { idIn, partsOfAddress } from '../../calls/index.ts';
import type { KnownCall } from '../../calls/index.ts';
import type { KeptStep } from './failure-file.ts';

/** What stands in a path in place of an id: a part of a URL that names one thing, and places for ids of the target. */
const segment = /^[A-Za-z0-9\-._~!$&'()*+,;=:@%{}]{0,25000}$/;
const queryText = /^[\x21\x22\x24-\x7e]*$/;
/** A place that a credential goes to. */
const credential = /\{(?:token|look-alike):/;
/** A long body, however few characters of a file it takes. */
const mostUnits = 16_000_000;

/**
 * What keeps a request of a file from being sent with somebody's credentials: it has to be a call of the contract, at its own place under the
 * base URL. `undefined` when nothing does; else the field and what is wrong with it.
 */
export function refusalOf(request: KeptStep): string | undefined {
  const { call, method, path: address } = request;
  if (method !== (call === 'send' ? 'POST' : 'GET'))
    return `\`request.method\` ${method} is not that of ${call}`;
  const { path, query } = partsOfAddress(address);
  const id = idIn(call as KnownCall, path);
  if (id === undefined || !isOneSegment(id)) return `\`request.path\` is not that of ${call}`;
  if (!queryText.test(query) || credential.test(address)) return '`request.path` has a query that no URL has';
  if (method === 'GET' && request.body !== undefined) return `\`request.body\` is not for ${method}`;
  return unitsOf(request) > mostUnits ? `\`request.body\` has more than ${mostUnits} characters` : undefined;
}

/** Whether nothing on the way can take it for more than one segment, however often escapes are undone. */
function isOneSegment(id: string): boolean {
  if (!segment.test(id)) return false;
  const plain = id.replaceAll(/%(?:25)*2e/gi, '.');
  return plain !== '.' && plain !== '..' && !/%(?:25)*(?:2f|5c)/i.test(id);
}

function unitsOf({ body }: KeptStep): number {
  if (body === undefined) return 0;
  if ('base64' in body) return body.base64.length;
  return body.runs.reduce((sum, [text, times]) => sum + text.length * times, 0);
}
