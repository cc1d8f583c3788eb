/** The numbers of one running service that an operator may change; `null` switches a limit off. */
export interface Settings {
  /** History byte cap: content bytes on one page. A single larger message still comes alone. */
  historyBytes: number;
  /** Largest request body in bytes. */
  bodyBytes: number;
  /** Longest long poll in seconds. */
  maxWaitSeconds: number;
  /** Requests per second and agent, also the size of the burst. */
  requestsPerSecond: number | null;
  /** Long polls that one agent may hold open. */
  longPollSlots: number | null;
  /** Bytes of request bodies that may be in memory at one time, over all agents. */
  bodyBytesInFlight: number | null;
  /** Newest messages kept in the history of a channel. */
  keepPerChannel: number | null;
  /** Newest messages of one author kept in the history of a channel. */
  keepPerAuthor: number | null;
  /** Newest mentions kept per target. */
  keepMentions: number | null;
  /** Newest uses of idempotency keys kept, over all agents. */
  keepKeys: number | null;
}

/** The service shows at once what it accepted; this leaves room for a busy machine, in ms. */
export const referenceSettleMs = 50;

/** Less than this a service does not remember of idempotency keys: a send is repeated soon or never. */
const leastKeys = 20_000;

/** Settings of a service that keeps the newest `count` messages of a channel and mentions of a target, and does not grow. */
export function retaining(count: number): Partial<Settings> {
  return { keepPerChannel: count, keepMentions: count, keepKeys: Math.max(count, leastKeys) };
}

/**
 * `historyBytes`, `bodyBytes` and `maxWaitSeconds` are choices: the contract shows no number for them. A body of
 * 8 MiB holds the longest content even when JSON escapes each of its bytes to six.
 */
export const defaultSettings: Readonly<Settings> = Object.freeze({
  historyBytes: 1024 * 1024,
  bodyBytes: 8 * 1024 * 1024,
  maxWaitSeconds: 30,
  requestsPerSecond: null,
  longPollSlots: null,
  bodyBytesInFlight: null,
  keepPerChannel: null,
  keepPerAuthor: null,
  keepMentions: null,
  keepKeys: null,
});

/** What is told to anybody, and where. */
export const openPaths = Object.freeze({ health: '/health', capabilities: '/capabilities' });
