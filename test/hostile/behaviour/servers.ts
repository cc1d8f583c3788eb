import { front, type Instead, json, raw, sockets } from '../../fixtures/front.ts';
import type { OpenServer } from '../frame/row.ts';

/** So many requests are answered before a server turns bad: those of the beginning, and some of what follows. */
const answered = 30;

/** After the first few requests this is what each gets. */
function turning(instead: Instead): OpenServer {
  return front({ instead: ({ number }) => (number > answered ? instead : undefined) });
}

/** Takes requests and, after the first few, never answers. */
export const fallingSilent = turning(() => {});

/** A channel and a feed of pages without anything on them, each of which promises more after it. */
export const endlessPages: OpenServer = front({
  changed: (answer, { call, request: { url = '' } }) => {
    if (call !== 'read' && call !== 'mentions') return answer;
    const after = Number(/[?&]after=([0-9]+)/.exec(url)?.[1] ?? 0);
    const page = { next_after: after + 1, has_more: true, high_watermark: 2 ** 40 };
    const items = call === 'read' ? 'messages' : 'mentions';
    return answer.status === 200 ? { ...answer, body: JSON.stringify({ [items]: [], page }) } : answer;
  },
});

/** Sends a byte of each body now and then, after the first few. */
export const trickling = turning((socket) => {
  socket.write(raw('200 OK', ['Content-Type: application/json', 'Content-Length: 100000']));
  const timer = setInterval(() => socket.write(' '), 200);
  socket.on('close', () => clearInterval(timer));
});

/** Takes connections, and neither reads nor writes. */
export const deaf: OpenServer = sockets((socket) => void socket.pause());

/** Refuses everything for a limit, and does not say for how long. */
export const limitedForEver = turning(
  json('429 Too Many Requests', '{"error":{"code":"limited","message":"later"}}'),
);

/** Answers everything with an error of its own, after the first few. */
export const broken = turning(
  json('500 Internal Server Error', '{"error":{"code":"broken","message":"sorry"}}'),
);

/** Cuts every connection in the middle of the answer, after the first few. */
export const cutting = turning(
  (socket) =>
    void socket.end(raw('200 OK', ['Content-Type: application/json', 'Content-Length: 100'], '{"men')),
);

/** Answers each request after two seconds. */
export const slow: OpenServer = front({ delayMs: ({ number }) => (number > answered ? 2_000 : 0) });
