import { idIn, plainId } from '../../calls/index.ts';
import type { Query, SentRequest } from '../../calls/index.ts';
import type { Read } from '../../history/operation.ts';
import { sequenceOfText } from '../../history/sequence.ts';

/** What a history keeps of the request for a page. */
type ReadParts = Pick<Read, 'kind' | 'call' | 'stream' | 'after' | 'limit' | 'wait' | 'isBaseline'>;

const whole = /^(?:0|[1-9][0-9]*)$/;

/** What was asked for; `undefined` for a request that asks for no page. `agent` is whose mentions they are. */
export function readPartsOf(request: SentRequest, agent: string): ReadParts | undefined {
  const { call, method, path, query, body } = request;
  if (method !== 'GET' || (call !== 'channel-read' && call !== 'mentions')) return undefined;
  const id = idIn(call, path);
  if (id === undefined) return undefined;
  const asked = parametersOf(query);
  return {
    kind: 'read',
    call,
    stream: call === 'mentions' ? `feed ${agent}` : `channel ${plainId(id)}`,
    after: sequenceOfText(asked?.get('after')),
    limit: numberOf(asked?.get('limit')),
    wait: numberOf(asked?.get('wait')),
    isBaseline: asked !== undefined && isPlain(asked, call) && body === undefined,
  };
}

/** The parameters of a query without surprises; `undefined` for one that names something twice, or is spelled by hand. */
function parametersOf(query: Query | undefined): ReadonlyMap<string, string> | undefined {
  if (query === undefined || query === '') return new Map();
  if (typeof query === 'string') return undefined;
  const parameters = new Map(query);
  return parameters.size === query.length ? parameters : undefined;
}

function isPlain(asked: ReadonlyMap<string, string>, call: Read['call']): boolean {
  const names = call === 'mentions' ? ['after', 'limit'] : ['after', 'limit', 'wait'];
  return [...asked].every(
    ([name, value]) => names.includes(name) && whole.test(value) && isInRange(name, value),
  );
}

function isInRange(name: string, value: string): boolean {
  return name !== 'limit' || (value.length <= 3 && Number(value) >= 1 && Number(value) <= 100);
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && whole.test(text) ? Number(text) : undefined;
}
