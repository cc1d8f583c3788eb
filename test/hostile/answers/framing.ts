import { front, json, raw, sockets } from '../../fixtures/front.ts';
import { type Meeting, rows } from '../frame/row.ts';

/** A row whose every answer is these bytes, after which the connection ends. */
function always(bytes: Buffer | string, says: string): Meeting {
  return { server: front({ instead: () => bytes }), expected: { exit: 3, says, budgetS: 8 } };
}

/** Answers whose bytes are not framed as HTTP has it; `client.test.ts` has what the client makes of all of them. */
export const framingRows = rows({
  'a server that says 100 Continue without end is cut off': {
    server: front({
      instead: () => (socket) => {
        const timer = setInterval(() => socket.write(raw('100 Continue', [])), 5);
        socket.on('close', () => clearInterval(timer));
      },
    }),
    expected: { exit: 3, says: 'preflight error', budgetS: 8 },
  },
  'a second answer to one request is not taken for that to the next': {
    server: front({
      instead: ({ call }) =>
        call === 'other'
          ? (socket) => socket.write(Buffer.concat([json('200 OK', '{}'), json('200 OK', '{"a":1}')]))
          : undefined,
    }),
    expected: { exit: 0, says: 'conforms' },
  },
});

/** Others of them, every night. */
export const otherFramingRows = rows({
  'another protocol than HTTP is no answer': always('SSH-2.0-OpenSSH_9.6\r\n', 'preflight error'),
  'bytes before any request pass for an answer at most, and for none of the contract': {
    server: sockets((socket) => void socket.write(json('200 OK', '{}'))),
    expected: { exit: [1, 3], says: '(exit', budgetS: 8 },
  },
  'random bytes are no answer': {
    server: sockets(
      (socket) =>
        void socket.end(Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 167) % 256))),
    ),
    expected: { exit: 3, says: 'preflight error', budgetS: 8 },
  },
});
