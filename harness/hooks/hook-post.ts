import { type Dispatcher, request } from 'undici';
import { errnoOf, maxOutputBytes } from './hook-process.ts';

/** One POST to a URL of the operator's. */
interface PostOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly dispatcher: Dispatcher;
}

/** How it ended; `bytes` is the whole body of the answer. */
export type PostEnd =
  | { readonly kind: 'answered'; readonly status: number; readonly bytes: Uint8Array }
  | { readonly kind: 'unreachable'; readonly code: string }
  | { readonly kind: 'timed-out' | 'aborted' | 'flooded' };

/** Posts JSON and reads the answer to its end, at most {@link maxOutputBytes}. Redirects are not followed; never throws. */
export async function post(options: PostOptions): Promise<PostEnd> {
  const { url, headers, body, timeoutMs, dispatcher } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal,
      dispatcher,
      // Calls are minutes apart: a connection that is kept may be closed by the other side just as it is used again.
      reset: true,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxOutputBytes) return { kind: 'flooded' };
      chunks.push(chunk);
    }
    return { kind: 'answered', status: answer.statusCode, bytes: Buffer.concat(chunks) };
  } catch (error) {
    if (options.signal.aborted) return { kind: 'aborted' };
    if (timeout.aborted) return { kind: 'timed-out' };
    return { kind: 'unreachable', code: errnoOf(error) };
  }
}
