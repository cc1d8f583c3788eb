import type { ClientClauseId } from '../../spec/index.ts';

/** One anomaly of a client: what it is, and the clauses that it may break. */
interface Row {
  readonly what: string;
  readonly clauses: readonly [ClientClauseId, ...ClientClauseId[]];
}

/** Every anomaly that the judges of clients may name. */
export const clientCatalogue = {
  'invalid-request': {
    what: 'a request breaks a rule of its call, whatever it is answered with',
    clauses: [
      'client.requests.carry-a-credential',
      'client.requests.keep-their-form',
      'client.requests.mentions-parameters',
      'client.requests.after-in-range',
      'client.requests.limit-in-range',
      'client.send.content-is-text',
      'client.send.content-bytes',
      'client.send.content-characters',
      'client.send.targets-by-id',
      'client.send.at-most-20-targets',
      'client.send.source-session',
    ],
  },
  'cursor-of-an-item': {
    what: 'a read starts at the sequence of an item whose page gave another cursor',
    clauses: ['client.cursor.from-next-after'],
  },
  'cursor-of-another-stream': {
    what: 'a read of the mentions starts at a cursor of a channel, or the other way round',
    clauses: ['client.cursor.of-its-stream'],
  },
  'more-left': {
    what: 'a page announces more, and the client reads on without ever asking for that',
    clauses: ['client.pages.reads-on'],
  },
  'limit-ignored': {
    what: 'a request that met a limit is made again and again within its `Retry-After`',
    clauses: ['client.limits.retry-after'],
  },
  'key-reused': {
    what: 'one idempotency key goes with two messages',
    clauses: ['client.keys.one-message'],
  },
  'fresh-key': {
    what: 'a send without an answer is made again under another key',
    clauses: ['client.keys.kept-for-retries'],
  },
  'read-loop': {
    what: 'a client asks the same again and again without a pause',
    clauses: ['client.read.pauses'],
  },
  'unseen-receipt': {
    what: 'a client reports a message as retrieved that no answer had shown it',
    clauses: ['client.receipts.only-what-was-shown'],
  },
} as const satisfies Readonly<Record<string, Row>>;

/** What needs to know what a client is for, or all that it ever asked, or that the server has the field. */
const beyondTraffic = new Set<ClientClauseId>([
  'client.send.source-session',
  'client.pages.reads-on',
  'client.receipts.only-what-was-shown',
]);

/** The clauses that requests of a client are held against, each by itself and all of them together. */
export const askedClauses: readonly ClientClauseId[] = Object.values<Row>(clientCatalogue).flatMap(
  ({ clauses }) => clauses,
);

/** The clauses that live traffic decides. */
export const trafficClauses: readonly ClientClauseId[] = askedClauses.filter(
  (clause) => !beyondTraffic.has(clause),
);

/** What the catalogue calls an anomaly of a client. */
export type ClientAnomalyName = keyof typeof clientCatalogue;
