import type { DegenerateServer } from '../answers/degenerate-server.ts';
import { jsonAnswer, startAnswering } from '../answers/http-answers.ts';

/**
 * Answers 200 with the fields of the request's own JSON object, and its method, path and headers beside them: what
 * was sent seems to come back, and so does the credential.
 */
export async function startEcho(): Promise<DegenerateServer> {
  return startAnswering('echo', ({ method, path, headers, body }) =>
    jsonAnswer(200, { ...ownFields(body), method, path, headers }),
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
