import { idIn, plainId } from '../../calls/index.ts';
import type { SentRequest } from '../../calls/index.ts';
import type { Intern } from '../../history/intern.ts';
import type { Send } from '../../history/operation.ts';
import type { TextDigest } from '../../history/seen-message.ts';
import { expectationOf } from '../../oracles/requests/expectation.ts';
import type { ExpectedOutcome, OracleFacts } from '../../oracles/requests/expectation.ts';
import { filesOf, sessionOf, stringOf, targetsOf } from './seen-message.ts';

/** What a history keeps of the request of a send. */
type SendParts = Omit<
  Send,
  'index' | 'client' | 'agent' | 'startedMs' | 'endedMs' | 'outcome' | 'status' | 'shown'
>;

/** The parts of a send, read from its body; `undefined` for another request. */
export function sendPartsOf(
  request: SentRequest,
  {
    intern,
    facts,
    outcome,
  }: {
    readonly intern: Intern;
    readonly facts: OracleFacts;
    readonly outcome?: ExpectedOutcome | undefined;
  },
): SendParts | undefined {
  const channel = request.method === 'POST' ? idIn('send', request.path) : undefined;
  if (channel === undefined) return undefined;
  const isSend = request.call === 'send';
  const { expected, draft } =
    (isSend ? outcome : undefined) ?? expectationOf(isSend ? request : { ...request, call: 'send' }, facts);
  const { bindings } = facts;
  const fields = draft?.fields;
  return {
    kind: 'send',
    channel: plainId(channel),
    key: request.headers['idempotency-key'],
    content: draft === undefined ? markedBody(request, intern) : intern.text(draft.content),
    contentType: stringOf(fields?.['content_type']),
    targets: targetsOf(fields?.[bindings.mentions]),
    files: filesOf(fields?.[bindings.attachments]),
    session: sessionOf(fields?.[bindings.sourceSession]),
    host: stringOf(fields?.[bindings.agentHost]),
    expected: expected.kind,
    stores: draft === undefined || expected.kind === 'reject' ? 'nothing' : draft.isPlain ? 'all' : 'content',
  };
}

/** What nobody reads alike is known by the marker in it, wherever that stands. */
function markedBody({ body }: SentRequest, intern: Intern): TextDigest | undefined {
  return intern.marked(typeof body === 'string' ? body : Buffer.from(body ?? '').toString());
}
