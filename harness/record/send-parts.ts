import { idIn, isRecord, plainId } from '../../calls/index.ts';
import type { SentRequest, JsonRecord } from '../../calls/index.ts';
import type { Intern } from '../../history/intern.ts';
import type { Send } from '../../history/operation.ts';
import type { Bindings } from '../config/target.ts';
import { filesOf, sessionOf, stringOf, targetsOf } from './seen-message.ts';

/** What a history keeps of the request of a send. */
type SendParts = Omit<
  Send,
  'index' | 'client' | 'agent' | 'startedMs' | 'endedMs' | 'outcome' | 'status' | 'shown'
>;

/** The parts of a send, read from its body; `undefined` for another request. */
export function sendPartsOf(
  request: SentRequest,
  { intern, bindings }: { readonly intern: Intern; readonly bindings: SendBindings },
): SendParts | undefined {
  const channel = request.method === 'POST' ? idIn('send', request.path) : undefined;
  if (channel === undefined) return undefined;
  const fields = fieldsOf(request.body);
  const content = fields?.['content'];
  return {
    kind: 'send',
    channel: plainId(channel),
    key: request.headers['idempotency-key'],
    content: typeof content === 'string' ? intern.text(content) : undefined,
    contentType: stringOf(fields?.['content_type']),
    targets: targetsOf(fields?.[bindings.mentions]),
    files: filesOf(fields?.[bindings.attachments]),
    session: sessionOf(fields?.[bindings.sourceSession]),
    host: stringOf(fields?.[bindings.agentHost]),
    isBaseline: fields !== undefined && isBaseline(request, fields, bindings),
  };
}

/** The fields of a send that the contract leaves to the server. */
type SendBindings = Pick<Bindings, 'mentions' | 'attachments' | 'sourceSession' | 'agentHost'>;

/** A body that one parser may read otherwise than another is nobody's message. */
function fieldsOf(body: SentRequest['body']): JsonRecord | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isBaseline(
  { headers, query = '' }: SentRequest,
  fields: JsonRecord,
  bindings: SendBindings,
): boolean {
  const isEach: Readonly<Record<string, (value: unknown) => boolean>> = {
    content: isString,
    content_type: isString,
    [bindings.mentions]: (value) =>
      Array.isArray(value) && value.every((each) => isRecord(each) && isString(each['id'])),
    [bindings.attachments]: (value) => Array.isArray(value) && value.every(isString),
    [bindings.sourceSession]: isRecord,
    [bindings.agentHost]: isString,
  };
  return (
    /^application\/json\s*(?:;|$)/.test(headers['content-type'] ?? '') &&
    query.length === 0 &&
    isString(fields['content']) &&
    Object.entries(fields).every(([name, value]) => isEach[name]?.(value) === true)
  );
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}
