import { readdirSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { front, json, raw } from '../../fixtures/front.ts';
import { oneCheck, rows } from '../frame/row.ts';

/** Writes the same bytes again and again until the reader is gone. */
function endless(head: Buffer, chunk: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(head);
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
  };
}

let madeHugeError: Buffer | undefined;

/** An error of 5 MB, made once: a run asks for it dozens of times. */
function hugeError(): Buffer {
  madeHugeError ??= json(
    '500 Internal Server Error',
    JSON.stringify({ error: { code: 'x'.repeat(5e6), message: 'm' } }),
  );
  return madeHugeError;
}

/** Answers whose size is what is wrong with them. */
export const sizeRows = rows({
  'endless headers are cut off': {
    server: front({
      instead: () => endless(raw('200 OK', []).subarray(0, -2), `X-More: ${'x'.repeat(8_000)}\r\n`),
    }),
    expected: { exit: 3, says: 'got no proper answer' },
  },
  'an error body of 5 MB is kept out of the report': {
    server: front({
      instead: ({ call }) => (call === 'mentions' ? hugeError() : undefined),
    }),
    args: [...oneCheck, '--out', 'out.ndjson'],
    expected: {
      exit: [1, 3],
      says: '(exit',
      never: /x{2000}/,
      leaves: (room) => largerThan(room.folder, 200_000),
    },
  },
});

/** Others of them, every night. */
export const otherSizeRows = rows({
  'an endless line of status is cut off': {
    server: front({ instead: () => endless(Buffer.from('HTTP/1.1 200 '), 'x'.repeat(8_000)) }),
    expected: { exit: 3, says: 'preflight error', budgetS: 6 },
  },
  'thirty thousand headers are no answer': {
    server: front({
      instead: () =>
        json(
          '200 OK',
          '{}',
          Array.from({ length: 30_000 }, (_, index) => `X-${index}: ${index}`),
        ),
    }),
    expected: { exit: 3, says: 'got no proper answer' },
  },
  'an empty answer of status 200 is no page of mentions': {
    server: front({ instead: ({ call }) => (call === 'mentions' ? json('200 OK', '') : undefined) }),
    expected: { exit: 1, says: 'does not conform' },
  },
});

function largerThan(folder: string, bytes: number): readonly string[] {
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).size > bytes)
    .map((name) => `${name} is larger than ${bytes} bytes`);
}
