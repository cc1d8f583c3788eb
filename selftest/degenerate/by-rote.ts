import type { Instead } from '../../harness/front/hand-back.ts';
import {
  answering,
  degenerateJson,
  type DegenerateRow,
  either,
  foundBroken,
  provesNothing,
  whole,
} from './degenerate-server.ts';
import {
  agentIdHeader,
  apiError,
  emptyPage,
  plausibleMentionsPage,
  someAgentId,
  uuidOf,
} from './plausible-bodies.ts';
import { jsonIn } from '../../spec/calls/index.ts';

const depth = 1_000_000;
const deepList = '['.repeat(depth) + ']'.repeat(depth);
const deepBody = Buffer.from(`{"mentions":${deepList},"page":${JSON.stringify(emptyPage)}}`);

/** Servers that answer whatever is asked, by name. */
export const byRote = {
  // `bare` answers `{}` and no header of the contract; `plausible` has a valid body and the headers that go with it.
  'constant-200-bare': answering(foundBroken, () => degenerateJson(200, {})),
  'constant-200-plausible': answering(foundBroken, () => plausibleAnswer(200)),
  'constant-400-bare': answering(either, () => degenerateJson(400, {})),
  'constant-400-plausible': answering(either, () => plausibleAnswer(400)),
  'constant-401-bare': answering(provesNothing, () => degenerateJson(401, {})),
  'constant-401-plausible': answering(provesNothing, () => plausibleAnswer(401)),
  'constant-404-bare': answering(provesNothing, () => degenerateJson(404, {})),
  'constant-404-plausible': answering(provesNothing, () => plausibleAnswer(404)),
  // A valid page of nothing: with the items of every read at once, or exactly with those of the mentions call.
  'empty-page-any': emptyPages({ mentions: [], messages: [] }),
  'empty-page-mentions': emptyPages({ mentions: [] }),
  // The fields of the request's own JSON object: what was sent seems to come back, and so does the credential.
  echo: answering(foundBroken, ({ method, path, headers, body }) =>
    degenerateJson(200, { ...ownFields(body), method, path, headers }),
  ),
  // A web server that knows nothing of the service, as behind a wrong base URL.
  'it-works': answering(provesNothing, () =>
    whole(
      200,
      { 'content-type': 'text/html' },
      '<!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>',
    ),
  ),
  // A gateway with nothing behind it.
  unavailable: answering(provesNothing, () =>
    whole(503, { 'content-type': 'text/plain' }, 'no healthy upstream'),
  ),
  // Sends every request to another path of its own, without end.
  redirect: answering(provesNothing, ({ path }) => whole(302, { location: `/moved${path}` }, '')),
  // A list that holds a list that holds a list, a million deep: well-formed, and too deep to recurse into.
  'deep-nesting': answering(either, () =>
    whole(200, { 'content-type': 'application/json', [agentIdHeader]: someAgentId }, deepBody),
  ),
} satisfies Readonly<Record<string, DegenerateRow>>;

function plausibleAnswer(status: number): Instead {
  if (status < 300) return degenerateJson(status, plausibleMentionsPage(), { [agentIdHeader]: someAgentId });
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return degenerateJson(status, apiError('refused', 'The request was refused.'), headers);
}

/** The agent id is constant for each credential. */
function emptyPages(items: object): DegenerateRow {
  return answering(foundBroken, ({ headers }) =>
    degenerateJson(
      200,
      { ...items, page: emptyPage },
      { [agentIdHeader]: uuidOf(headers.authorization ?? '') },
    ),
  );
}

function ownFields(body: Buffer): object {
  const value = jsonIn(body.toString());
  return typeof value === 'object' && value !== null ? value : {};
}
