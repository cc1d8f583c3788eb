import { inputSpace } from '../../space/input-space.ts';
import { rankOfJson, simplerJson, type JsonValue } from '../../texts/json-values.ts';
import { accept, open, reject, type Label } from '../../space/labelled.ts';
import { anySession } from './any-session.ts';
import { sessionBoundaries } from './session-boundaries.ts';
import { judgeSession, plainIds, surfacesOf } from '../../../oracles/requests/session-faults.ts';

/** Source sessions of a send: every provider on every surface that it has, and what breaks one rule of one of them. */
export const sourceSessionSpace = inputSpace<JsonValue>({
  name: 'source-session',
  boundaries: sessionBoundaries,
  boundaryPercent: 40,
  values: anySession,
  labelOf,
  simpler,
  rank: rankOfJson,
});

function labelOf(session: JsonValue): Label | undefined {
  // Null may stand for a session that is left out.
  if (session === null) return open('source-session/no-value');
  const { faults, isOddTime } = judgeSession(session);
  if (faults.length > 1) return undefined;
  const [fault] = faults;
  if (fault === undefined)
    return isOddTime ? open('source-session/odd-time') : accept('source-session/valid');
  const { slug, ...breach } = fault;
  return reject(`source-session/${slug}`, breach);
}

/** The plainest sessions first, then whatever is shorter or plainer. */
function* simpler(session: JsonValue): Generator<JsonValue> {
  for (const [provider, id] of Object.entries(plainIds))
    for (const surface of surfacesOf[provider as keyof typeof plainIds])
      yield { provider, surface, session_id: id };
  yield* simplerJson(session);
}
