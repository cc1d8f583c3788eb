import type { DegenerateServer } from './degenerate-server.ts';
import { degenerateJson, startAnswering } from './http-answers.ts';
import {
  agentIdHeader,
  apiError,
  emptyPage,
  plausibleMentionsPage,
  someAgentId,
  uuidOf,
} from './plausible-bodies.ts';

/** `bare` answers `{}` and no header of the contract; `plausible` has a valid body and the headers that go with it. */
type ConstantFlavour = 'bare' | 'plausible';

/** Gives every request the same answer. */
export async function startConstant(status: number, flavour: ConstantFlavour): Promise<DegenerateServer> {
  const answer = flavour === 'bare' ? degenerateJson(status, {}) : plausibleAnswer(status);
  return startAnswering(`constant-${status}-${flavour}`, () => answer);
}

function plausibleAnswer(status: number): ReturnType<typeof degenerateJson> {
  if (status < 300) return degenerateJson(status, plausibleMentionsPage(), { [agentIdHeader]: someAgentId });
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return degenerateJson(status, apiError('refused', 'The request was refused.'), headers);
}

/** `mentions` has exactly the fields of the mentions call; `any` holds the items of every read at once. */
type EmptyPageFlavour = 'mentions' | 'any';

/** Answers everything with a valid page of nothing and an agent id that is constant for each credential. */
export async function startEmptyPage(flavour: EmptyPageFlavour): Promise<DegenerateServer> {
  const items = flavour === 'mentions' ? { mentions: [] } : { mentions: [], messages: [] };
  return startAnswering(`empty-page-${flavour}`, ({ headers }) =>
    degenerateJson(
      200,
      { ...items, page: emptyPage },
      { [agentIdHeader]: uuidOf(headers.authorization ?? '') },
    ),
  );
}

/**
 * Answers 200 with the fields of the request's own JSON object, and its method, path and headers beside them: what
 * was sent seems to come back, and so does the credential.
 */
export async function startEcho(): Promise<DegenerateServer> {
  return startAnswering('echo', ({ method, path, headers, body }) =>
    degenerateJson(200, { ...ownFields(body), method, path, headers }),
  );
}

function ownFields(body: Buffer): object {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const welcomeHtml =
  '<!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>';

/** A web server that knows nothing of the service: 200 and a page of HTML, as behind a wrong base URL. */
export async function startItWorks(): Promise<DegenerateServer> {
  const answer = { status: 200, headers: { 'content-type': 'text/html' }, body: welcomeHtml };
  return startAnswering('it-works', () => answer);
}

/** A gateway with nothing behind it: 503 in plain text. */
export async function startUnavailable(): Promise<DegenerateServer> {
  const answer = { status: 503, headers: { 'content-type': 'text/plain' }, body: 'no healthy upstream' };
  return startAnswering('unavailable', () => answer);
}

/** Sends every request to another path of its own, without end. */
export async function startRedirect(): Promise<DegenerateServer> {
  return startAnswering('redirect', ({ path }) => ({
    status: 302,
    headers: { location: `/moved${path}` },
    body: '',
  }));
}

const depth = 1_000_000;

/** A mentions page whose list holds a list that holds a list, a million deep: well-formed, and too deep to recurse into. */
export async function startDeepNesting(): Promise<DegenerateServer> {
  const mentions = '['.repeat(depth) + ']'.repeat(depth);
  const body = Buffer.from(`{"mentions":${mentions},"page":${JSON.stringify(emptyPage)}}`);
  const headers = { 'content-type': 'application/json', [agentIdHeader]: someAgentId };
  return startAnswering('deep-nesting', () => ({ status: 200, headers, body }));
}
