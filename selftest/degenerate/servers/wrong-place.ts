import type { DegenerateServer } from '../answers/degenerate-server.ts';
import { startAnswering } from '../answers/http-answers.ts';

const html = '<!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>';

/** A web server that knows nothing of the service: 200 and a page of HTML, as behind a wrong base URL. */
export async function startItWorks(): Promise<DegenerateServer> {
  const answer = { status: 200, headers: { 'content-type': 'text/html' }, body: html };
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
