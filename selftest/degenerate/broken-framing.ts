import { answering, type DegenerateRow, hangUp, provesNothing, whole } from './degenerate-server.ts';
import { agentIdHeader, plausibleMentionsPage, someAgentId } from './plausible-bodies.ts';

const framedPage = JSON.stringify(plausibleMentionsPage());
const headers = { 'content-type': 'application/json', [agentIdHeader]: someAgentId };

/** The head of an answer whose body is whatever comes. */
function headOf(more: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`;
}

/** Servers whose answers are never whole, or no HTTP, by name. */
export const brokenFraming: Readonly<Record<string, DegenerateRow>> = {
  // Takes connections and everything that is said on them, and never says a word.
  silence: answering(provesNothing, () => () => undefined),
  // Closes each connection without a word.
  'hang-up': answering(provesNothing, () => hangUp),
  // Resets it.
  'hang-up-after-request': answering(provesNothing, () => (socket) => void socket.resetAndDestroy()),
  // Announces 64 bytes more than it sends and closes; what does arrive is a valid page.
  'cut-short': answering(
    provesNothing,
    () => headOf({ 'content-length': `${Buffer.byteLength(framedPage) + 64}` }) + framedPage,
  ),
  // Sends the headers at once, then a body of one byte per 100 ms for hours; it would be a valid page at its end.
  'slow-drip': answering(provesNothing, () => (socket) => {
    const body = Buffer.from(' '.repeat(100_000) + framedPage);
    socket.write(headOf({ 'content-length': `${body.length}` }));
    let sent = 0;
    const timer = setInterval(() => {
      socket.write(body.subarray(sent, sent + 1));
      sent += 1;
    }, 100);
    socket.once('close', () => clearInterval(timer));
  }),
  // Answers with bytes that are no HTTP at all and closes.
  'not-http': answering(provesNothing, () => Buffer.from('SSH-2.0-Open\0\xff\xfe\r\n\r\n', 'latin1')),
  // Calls a valid page gzip that is not compressed at all.
  'invalid-gzip': answering(provesNothing, () =>
    whole(200, { ...headers, 'content-encoding': 'gzip' }, framedPage),
  ),
  // Sends a JSON array that never ends, as fast as the client takes it.
  'endless-body': answering(provesNothing, () => (socket) => {
    const more = chunkOf('{},'.repeat(20_000));
    const fill = (): void => {
      while (!socket.destroyed && socket.write(more));
    };
    socket.write(headOf({ 'transfer-encoding': 'chunked' }) + chunkOf('{"mentions":['));
    socket.on('drain', fill);
    fill();
  }),
};

function chunkOf(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
