import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { describeAnswer, unmet } from '../../harness/verdict/outcome.ts';

/** The four parts of an overview; what is missing or malformed is empty here, and judged on the wire. */
export interface Overview {
  readonly workspace: JsonRecord;
  readonly membership: JsonRecord;
  readonly channels: readonly JsonRecord[];
  readonly members: readonly JsonRecord[];
}

/** Reads an answer as an overview, as far as it can be understood. */
export function overviewIn({ response }: Exchange): Overview {
  const body = isRecord(response?.json) ? response.json : {};
  return {
    workspace: recordIn(body['workspace']),
    membership: recordIn(body['membership']),
    channels: recordsIn(body['channels']),
    members: recordsIn(body['members']),
  };
}

/** The ids that channels or members show. */
export function idsOf(list: readonly JsonRecord[]): readonly string[] {
  return list.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

/** The human behind the machine token, as its own membership says. */
export function humanIn(overview: Exchange): string {
  const { human_user_id: id } = overviewIn(overview).membership;
  if (typeof id === 'string') return id;
  return unmet(`the overview does not say whose membership it shows: ${describeAnswer(overview)}`, overview);
}

/** First and last name of a member, empty ones aside; `undefined` of nobody. */
export function nameOf(member: JsonRecord | undefined): string | undefined {
  return (
    member &&
    [member['first_name'], member['last_name']]
      .flatMap((name) => (typeof name === 'string' && name.trim() !== '' ? name : []))
      .join(' ')
  );
}

function recordIn(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

function recordsIn(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
