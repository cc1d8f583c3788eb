import { randomBytes, randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { type Asked, front, type Instead, isListing, itself, json, raw } from '../../fixtures/front.ts';
import { listingOf, messageOf } from '../../fixtures/message.ts';
import { type Meeting, type OpenServer, type Row, rows, words } from '../frame/row.ts';

const page = '"page":{"next_after":1,"has_more":false,"high_watermark":1}';
const ofJson = 'Content-Type: application/json';

/** Writes a head and then so many chunks, or chunks without end, as fast as they are taken. */
function pour(head: Buffer, chunk: Buffer, times = Number.POSITIVE_INFINITY): (socket: Socket) => void {
  return (socket) => {
    let left = times;
    const more = (): void => {
      while (!socket.destroyed && left > 0) {
        left -= 1;
        if (!socket.write(chunk)) return;
      }
      if (left === 0) socket.end();
    };
    socket.on('drain', more).write(head);
    more();
  };
}

const megabyte = Buffer.from('1,'.repeat(500_000));

/** Answers some requests with what is made with the first of them: only rows that run take the time and the memory. */
function answering(isMeant: (asked: Asked) => boolean, answerOf: () => Instead): OpenServer {
  let answer: Instead | undefined;
  return front({ instead: (asked) => (isMeant(asked) ? (answer ??= answerOf()) : undefined) });
}

/** Each listing of mentions is this; what comes of it is too large to be an answer. */
function listing(answerOf: () => Instead, says: string): Meeting {
  return {
    server: answering(isListing, answerOf),
    isAlone: true,
    expected: { exit: 3, says, budgetS: 15 },
  };
}

const tooLarge = 'an answer over 52000000 bytes';
const spaces = (): Buffer => Buffer.alloc(100_000_000, ' ');
/** Grows a hundredfold too, and is large before: several would be unpacked at once. */
const largeBefore = (): Buffer => Buffer.concat([randomBytes(600_000), spaces()]);

/** A server that answers well at first; then every fourth answer of some calls grows beyond what is read. */
function growing(pack: (body: Buffer) => Buffer, encoding: string): OpenServer {
  return answering(
    ({ number, request: { url = '' } }) => number > 150 && number % 4 === 0 && /mentions|messages/.test(url),
    () => json('200 OK', pack(largeBefore()), [`Content-Encoding: ${encoding}`]),
  );
}

/** Every read of anything is a large page of its own, so that none is known and all are in flight at once. */
function largeReads(bodyOf: (asked: Asked) => Buffer): OpenServer {
  return front({
    instead: (asked) =>
      asked.request.method === 'GET' && asked.number > 30 ? json('200 OK', bodyOf(asked)) : undefined,
  });
}

/** Strings of other people's, ten megabytes of them. */
function textPage({ number }: Asked): Buffer {
  return Buffer.from(`{"messages":["${String(number).padEnd(10_000_000, 'x')}"],"mentions":[],${page}}`);
}

/** As many values as are looked at, another list each time. */
function valuePage({ number }: Asked): Buffer {
  return Buffer.from(`{"messages":[${number}${',{}'.repeat(240_000)}],"mentions":[],${page}}`);
}

/** A page of some of the largest contents: a hundred is the most. */
function largestPage(count = 100): Buffer {
  // Of a place of its own, where nothing else is known.
  const place = { workspace_id: randomUUID(), channel_id: randomUUID(), content: 'x'.repeat(500_000) };
  const messages = Array.from({ length: count }, (_, index) =>
    messageOf(index + 1, { id: randomUUID(), ...place }, { id: place.workspace_id }),
  );
  const body = count === 100 ? listingOf(...messages) : { ...listingOf(...messages), messages };
  return Buffer.from(JSON.stringify(body));
}

/** A server with a full history: a hundred messages and more of the greatest length, each for the reader of its mentions. */
const fullHistory: OpenServer = async (reference) => {
  const { baseUrl, world } = reference;
  const { author, reader } = world.roles;
  const url = `${baseUrl}/v0/channels/${world.channelId}/messages`;
  for (let index = 0; index < 110; index += 1) {
    const content = String(index).padEnd(500_000, 'é').slice(0, 250_000);
    const { status } = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${author.token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ content, mentions: [{ kind: 'agent', id: reader.agentId }] }),
    });
    if (status !== 201) throw new Error(`a message of the history was answered with ${status}`);
  }
  return itself(reference);
};

/** Answers that take memory: by their size, by what they become, or by how many there are. */
export const memoryRows = rows({
  'a body that grows a thousandfold in gzip is cut off': listing(
    () => json('200 OK', gzipSync(spaces()), ['Content-Encoding: gzip']),
    `${tooLarge} once it is decompressed`,
  ),
  'large answers are read one after another, however many are asked for at once': {
    server: largeReads(textPage),
    args: words('--target conform.yaml --only channel-read mentions --budget-ms 4000'),
    isAlone: true,
    expected: { exit: [1, 3], says: '(exit', budgetS: 8 },
  },
});

/** Others of them, and the same in each command, among many answers and in mid-run: each takes all of a core for up to ten seconds. */
export const longMemoryRows: readonly Row[] = [
  ...rows({
    'an answer of a gigabyte is cut off': listing(
      () => pour(raw('200 OK', [ofJson, 'Content-Length: 1000000000']), megabyte, 1_000),
      tooLarge,
    ),
    'an answer without an end is cut off': listing(
      () =>
        pour(
          raw('200 OK', [ofJson, 'Transfer-Encoding: chunked']),
          Buffer.concat([Buffer.from('f4240\r\n'), megabyte, Buffer.from('\r\n')]),
        ),
      tooLarge,
    ),
    'JSON of twenty million numbers is not parsed': listing(
      () => json('200 OK', `{"mentions":[${'1,'.repeat(20_000_000)}1]}`),
      'JSON with over 500000 values',
    ),
    'the largest page that the contract knows is read': {
      server: answering(
        (asked) => isListing(asked) && asked.number > 25,
        () => json('200 OK', largestPage()),
      ),
      isAlone: true,
      expected: { exit: 0, says: 'conforms', budgetS: 20 },
    },
    'what JSON becomes is bounded in sum': {
      server: largeReads(valuePage),
      args: words('--target conform.yaml --only channel-read mentions --budget-ms 12000'),
      isAlone: true,
      expected: { exit: [1, 3], says: '(exit', budgetS: 18 },
    },
    'large answers within the limits of the contract are waited for, and never too large': {
      server: largeReads(() => largestPage(10)),
      args: words('--target conform.yaml --only channel-read mentions --budget-ms 20000'),
      isAlone: true,
      // Every page is five megabytes, and many wait for one another: 409 to 487 MB on a quiet machine.
      expected: { exit: [1, 3], says: '(exit', never: /too large|beside others/, budgetS: 26, peakMb: 550 },
    },
  }),
  ...['--only channel-read mentions', 'stress --time 8s --clients 32 --seed 1'].map((command): Row => ({
    name: `${command.split(' ')[0]} of a server with a full history waits for itself, and ends with a verdict`,
    server: fullHistory,
    args: [...words(command), '--target', 'conform.yaml'],
    isAlone: true,
    expected: { exit: 0, says: /./, never: /too large|oversize/, budgetS: 60 },
  })),
  ...(
    [
      ['--budget-ms 10000', (body) => gzipSync(body, { level: 1 }), 'gzip'],
      ['fuzz --time 6s --seed 1', (body) => deflateSync(body, { level: 1 }), 'deflate'],
      ['stress --time 6s --clients 32', (body) => gzipSync(gzipSync(body, { level: 1 })), 'gzip, gzip'],
    ] satisfies [string, (body: Buffer) => Buffer, string][]
  ).map(([command, pack, encoding]): Row => ({
    name: `answers that grow in mid-run, in ${encoding}, take no more of ${command}`,
    server: growing(pack, encoding),
    args: [...words(command), '--target', 'conform.yaml'],
    isAlone: true,
    expected: { exit: [0, 1, 3], says: /./, budgetS: 25 },
  })),
  ...['fuzz --time 8s --seed 1', 'stress --time 8s --clients 32', 'doctor --budget-ms 12000'].map(
    (command): Row => ({
      name: `${command.split(' ')[0]} is bounded too`,
      server: largeReads(textPage),
      args: [...words(command), '--target', 'conform.yaml'],
      isAlone: true,
      expected: { exit: [0, 1, 3], says: /./, budgetS: 25 },
    }),
  ),
];
