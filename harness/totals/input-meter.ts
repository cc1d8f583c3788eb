import { isRecord, parameterOf, type SentRequest } from '../../calls/index.ts';
import { readInteger } from '../../oracles/requests/expect-query.ts';
import type { SendBindings } from '../../oracles/requests/expect-send.ts';
import { readSentBody } from '../../oracles/requests/sent-body.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { BoundReached } from '../results/generated/events.ts';

/** An input with bounds: the last values that are allowed, and the first that are not. */
interface BoundedInput {
  readonly of: string;
  readonly bounds: readonly Bound[];
}

type Bound = readonly [value: number, side: 'allowed' | 'forbidden', clause: ClauseId];

const inputs = {
  limit: {
    of: 'limit of mentions',
    bounds: [
      [0, 'forbidden', 'mentions.limit.min'],
      [1, 'allowed', 'mentions.limit.min'],
      [100, 'allowed', 'mentions.limit.max'],
      [101, 'forbidden', 'mentions.limit.max'],
    ],
  },
  after: {
    of: 'after of mentions',
    bounds: [
      [-1, 'forbidden', 'mentions.after.min'],
      [0, 'allowed', 'mentions.after.min'],
    ],
  },
  content: {
    of: 'bytes of content',
    bounds: [
      [0, 'forbidden', 'send.content-not-empty'],
      [1, 'allowed', 'send.content-not-empty'],
      [500_000, 'allowed', 'send.content-bytes'],
      [500_001, 'forbidden', 'send.content-bytes'],
    ],
  },
  attachments: {
    of: 'attachments of a send',
    bounds: [
      [20, 'allowed', 'send.attachments-over-limit'],
      [21, 'forbidden', 'send.attachments-over-limit'],
    ],
  },
  mentions: {
    of: 'mention targets of a send',
    bounds: [
      [20, 'allowed', 'send.mentions-over-limit'],
      [21, 'forbidden', 'send.mentions-over-limit'],
    ],
  },
  agentHost: {
    of: 'characters of agent_host',
    bounds: [
      [0, 'forbidden', 'author.agent-host.out-of-range-refused'],
      [1, 'allowed', 'author.agent-host.out-of-range-refused'],
      [80, 'allowed', 'author.agent-host.out-of-range-refused'],
      [81, 'forbidden', 'author.agent-host.out-of-range-refused'],
    ],
  },
  sessionId: {
    of: 'characters of session_id',
    bounds: [
      [128, 'allowed', 'source-session.session-id.max-length'],
      [129, 'forbidden', 'source-session.session-id.max-length'],
    ],
  },
} as const satisfies Readonly<Record<string, BoundedInput>>;

type Input = keyof typeof inputs;

/** Counts requests that ask with a value at a bound of the contract. */
export class InputMeter {
  readonly #bindings: SendBindings;
  readonly #times = new Map<Input, Map<number, number>>();

  constructor(bindings: SendBindings) {
    this.#bindings = bindings;
  }

  /** Looks at a request. */
  add(request: SentRequest): void {
    if (request.call === 'mentions') this.#addListing(request);
    if (request.call === 'send') this.#addSend(request);
  }

  /** Every bound, those that no request reached included. */
  get bounds(): readonly BoundReached[] {
    return (Object.keys(inputs) as Input[]).flatMap((input) => {
      const { of, bounds } = inputs[input];
      return bounds.map(([value, side, clause]) => ({
        of,
        at: value.toLocaleString('en'),
        side,
        clause,
        times: this.#times.get(input)?.get(value) ?? 0,
      }));
    });
  }

  #addListing({ query }: SentRequest): void {
    this.#note('limit', integerOf(parameterOf(query, 'limit')));
    this.#note('after', integerOf(parameterOf(query, 'after')));
  }

  #addSend(request: SentRequest): void {
    const body = readSentBody(request);
    if (body.kind !== 'object') return;
    const { fields } = body;
    const { content } = fields;
    if (typeof content === 'string') this.#note('content', Buffer.byteLength(content));
    const { mentions, attachments, sourceSession, agentHost } = this.#bindings;
    this.#note('mentions', elementsIn(fields[mentions]));
    this.#note('attachments', elementsIn(fields[attachments]));
    this.#note('agentHost', charactersIn(fields[agentHost]));
    const session = fields[sourceSession];
    if (isRecord(session)) this.#note('sessionId', charactersIn(session['session_id']));
  }

  #note(input: Input, value: number | undefined): void {
    if (value === undefined) return;
    const times = this.#times.get(input) ?? new Map<number, number>();
    this.#times.set(input, times);
    if (inputs[input].bounds.some(([bound]) => bound === value))
      times.set(value, (times.get(value) ?? 0) + 1);
  }
}

function integerOf(text = ''): number | undefined {
  const value = readInteger(text);
  return value.kind === 'integer' ? Number(value.value) : undefined;
}

function elementsIn(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function charactersIn(value: unknown): number | undefined {
  return typeof value === 'string' ? Array.from(value).length : undefined;
}
