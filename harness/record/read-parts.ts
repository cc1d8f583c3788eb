import { idIn, plainId } from '../../calls/index.ts';
import type { SentRequest } from '../../calls/index.ts';
import type { Read } from '../../history/operation.ts';
import { sequenceOf } from '../../history/sequence.ts';
import { expectationOf } from '../../oracles/requests/expectation.ts';
import type { ExpectedOutcome, OracleFacts } from '../../oracles/requests/expectation.ts';

/** What a history keeps of the request for a page. */
type ReadParts = Pick<
  Read,
  'kind' | 'call' | 'stream' | 'after' | 'limit' | 'wait' | 'expected' | 'isBaseline'
>;

/** What was asked for; `undefined` for a request that asks for no page. `agent` is whose mentions they are. */
export function readPartsOf(
  request: SentRequest,
  {
    agent,
    facts,
    outcome,
  }: {
    readonly agent: string;
    readonly facts: OracleFacts;
    readonly outcome?: ExpectedOutcome | undefined;
  },
): ReadParts | undefined {
  const { call, method, path } = request;
  if (method !== 'GET' || (call !== 'channel-read' && call !== 'mentions')) return undefined;
  const id = idIn(call, path);
  if (id === undefined) return undefined;
  const { expected, asking } = outcome ?? expectationOf(request, facts);
  return {
    kind: 'read',
    call,
    stream: call === 'mentions' ? `feed ${agent}` : `channel ${plainId(id)}`,
    after: sequenceOf(asking?.after),
    limit: numberOf(asking?.limit),
    wait: numberOf(asking?.wait),
    expected: expected.kind,
    isBaseline: asking !== undefined,
  };
}

function numberOf(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
