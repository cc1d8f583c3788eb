import { isRecord, type SentRequest } from '../../spec/calls/index.ts';
import { integerParameter } from '../../spec/oracles/requests/expect-query.ts';
import type { SendBindings } from '../../spec/oracles/requests/expect-send.ts';
import { readSentBody } from '../../spec/oracles/requests/sent-body.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { BoundReached } from '../results/generated/events.ts';

/** The last value that is allowed on a side, and the clause that says so. */
type Bound = readonly [value: number, clause: ClauseId];

/** An input with bounds. */
interface BoundedInput {
  readonly of: string;
  readonly least?: Bound;
  readonly most?: Bound;
}

const inputs = {
  limit: {
    of: 'limit of mentions',
    least: [1, 'mentions.limit.min'],
    most: [100, 'mentions.limit.max'],
  },
  after: { of: 'after of mentions', least: [0, 'mentions.after.min'] },
  content: {
    of: 'bytes of content',
    least: [1, 'send.content-not-empty'],
    most: [500_000, 'send.content-bytes'],
  },
  attachments: { of: 'attachments of a send', most: [20, 'send.attachments-over-limit'] },
  mentions: { of: 'mention targets of a send', most: [20, 'send.mentions-over-limit'] },
  agentHost: {
    of: 'characters of agent_host',
    least: [1, 'author.agent-host.out-of-range-refused'],
    most: [80, 'author.agent-host.out-of-range-refused'],
  },
  sessionId: {
    of: 'characters of session_id',
    most: [128, 'source-session.session-id.max-length'],
  },
} as const satisfies Readonly<Record<string, BoundedInput>>;

type Input = keyof typeof inputs;

/** The last values that are allowed and the first that are not, from the lowest on. */
function boundsOf({ least, most }: BoundedInput): readonly (Omit<BoundReached, 'of' | 'times' | 'at'> & {
  readonly value: number;
})[] {
  const at = (value: number, side: 'allowed' | 'forbidden', clause: ClauseId) => ({ value, side, clause });
  return [
    ...(least ? [at(least[0] - 1, 'forbidden', least[1]), at(least[0], 'allowed', least[1])] : []),
    ...(most ? [at(most[0], 'allowed', most[1]), at(most[0] + 1, 'forbidden', most[1])] : []),
  ];
}

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
    return (Object.keys(inputs) as Input[]).flatMap((input) =>
      boundsOf(inputs[input]).map(({ value, ...bound }) => ({
        of: inputs[input].of,
        at: value.toLocaleString('en'),
        ...bound,
        times: this.#times.get(input)?.get(value) ?? 0,
      })),
    );
  }

  #addListing({ query }: SentRequest): void {
    for (const name of ['limit', 'after'] as const) {
      const value = integerParameter(query, name);
      if (value !== undefined) this.#note(name, Number(value));
    }
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
    if (boundsOf(inputs[input]).some((bound) => bound.value === value))
      this.#times.set(input, times.set(value, (times.get(value) ?? 0) + 1));
  }
}

function elementsIn(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function charactersIn(value: unknown): number | undefined {
  return typeof value === 'string' ? Array.from(value).length : undefined;
}
