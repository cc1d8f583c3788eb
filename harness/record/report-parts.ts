import { isRecord } from '../../calls/index.ts';
import type { SentRequest } from '../../calls/index.ts';
import type { Report } from '../../history/operation.ts';
import type { Bindings } from '../config/target.ts';
import { idOf } from './seen-message.ts';

const placeOfChannel = '{channel_id}';

/** What a report of retrieved messages says; `undefined` for another request. */
export function reportPartsOf(
  { method, path, body }: SentRequest,
  { reportReceipt, reportReceiptField }: Pick<Bindings, 'reportReceipt' | 'reportReceiptField'>,
): Pick<Report, 'kind' | 'channel' | 'messages'> | undefined {
  if (method !== 'POST' || typeof body !== 'string') return undefined;
  const [before = '', after] = reportReceipt.split(placeOfChannel);
  if (after === undefined ? path !== before : !path.startsWith(before) || !path.endsWith(after))
    return undefined;
  const channel = after === undefined ? '' : path.slice(before.length, path.length - after.length);
  return { kind: 'report', channel: channel.toLowerCase(), messages: messagesIn(body, reportReceiptField) };
}

function messagesIn(body: string, field: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(body);
    const list = isRecord(value) ? value[field] : undefined;
    return Array.isArray(list) ? list.flatMap((each) => idOf(each) ?? []) : [];
  } catch {
    return [];
  }
}
