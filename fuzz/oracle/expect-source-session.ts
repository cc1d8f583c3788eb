import { isRecord } from '../../harness/client/json/json-record.ts';
import { validate } from '../../spec/index.ts';
import { fault, fine, open } from './expected.ts';
import type { Aspect } from './expected.ts';

/** A date of provider_d of which the contract does not say whether it exists. */
const disputedTime = /^(?:0000[0-9]{4}_[0-9]{6}|[0-9]{8}_24[0-9]{4}|[0-9]{8}_[0-9]{4}60)_/;

/** What becomes of a source session, in the contract's own words for the providers. */
export function sourceSessionAspect(session: unknown): Aspect {
  if (session === null || session === undefined) return open;
  if (!isRecord(session)) return fault('source-session.invalid-is-refused', 'no object');
  const problems = validate('source-session', session);
  if (isDisputed(session)) return open;
  const [first] = problems;
  if (first === undefined) return fine;
  const keywords = new Set(problems.map(({ keyword }) => keyword));
  if (keywords.size > 1) return fault('source-session.invalid-is-refused', 'several rules');
  if (first.keyword === 'additionalProperties') return ofExtraField(session);
  if (first.keyword === 'not') return fault('source-session.cloud-new-is-refused', 'cloud-new');
  if (/^https?:\/\//.test(String(session['session_id'])))
    return fault('source-session.urls-are-refused', 'session_id');
  return fault('source-session.invalid-is-refused', first.pointer);
}

function isDisputed({ provider, session_id: id }: Readonly<Record<string, unknown>>): boolean {
  return provider === 'provider_d' && typeof id === 'string' && disputedTime.test(id);
}

function ofExtraField(session: Readonly<Record<string, unknown>>): Aspect {
  const isUrl = Object.values(session).some(
    (value) => typeof value === 'string' && /^https?:\/\//.test(value),
  );
  return isUrl
    ? fault('source-session.urls-are-refused', 'extra field')
    : fault('source-session.extra-fields-are-refused', 'extra field');
}
