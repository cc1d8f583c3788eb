import { isRecord, pathOfPointer } from '../../spec/calls/index.ts';
import { inNeutralWords } from '../../spec/oracles/requests/session-faults.ts';
import type { ReceivedResponse } from '../client/exchange.ts';
import { recordsAlong } from '../client/json-path.ts';
import { defaultNames, providerNames, type Names } from '../config/target.ts';

/**
 * Whether an answer shows one of the four providers, by its neutral word or the one that the target maps: then the
 * server's words are known, and any other is a wrong one.
 */
export function showsKnownProvider({ bytes, json }: ReceivedResponse, names: Names): boolean {
  // Most answers have no session: their bytes say so at less cost than a walk through their JSON, unless names are spelled in escapes.
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!body.includes('source_session') && !body.includes('\\u')) return false;
  const known = new Set<unknown>(providerNames.map((name) => names.providers[name]));
  return hasSession(json, ({ provider }) => known.has(provider));
}

/** Whether the target maps all four providers, so that no word of the server's is left to be learned. */
export function mapsEveryProvider({ providers }: Names): boolean {
  return providerNames.every((name) => providers[name] !== defaultNames.providers[name]);
}

/** Whether the place that a JSON Pointer of a broken rule leads to lies in a message that this run has sent. */
export function isInOurMessage(value: unknown, pointer: string, runId: string): boolean {
  return recordsAlong(value, pathOfPointer(pointer).slice(0, -1)).some(
    ({ record: { content } }) => typeof content === 'string' && content.includes(runId),
  );
}

function hasSession(
  value: unknown,
  isMeant: (session: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  if (Array.isArray(value)) return value.some((each) => hasSession(each, isMeant));
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([key, inner]) =>
    key === 'source_session' && isRecord(inner) ? isMeant(inner) : hasSession(inner, isMeant),
  );
}

/**
 * An answer with the server's own provider words replaced by the contract's neutral ones, where the target maps them.
 * Only the `provider` of a `source_session` is touched; without a mapping the value itself comes back.
 */
export function withNeutralNames(value: unknown, names: Names): unknown {
  const isMapped = providerNames.some((name) => names.providers[name] !== name);
  return isMapped ? renamed(value, names) : value;
}

function renamed(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((inner) => renamed(inner, names));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'source_session' && isRecord(inner) ? inNeutralWords(inner, names) : renamed(inner, names),
    ]),
  );
}
