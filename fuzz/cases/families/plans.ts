import * as fc from 'fast-check';
import { bodyTextOf, type JsonValue, type SendWorld, type TargetInput } from '../../../generators/index.ts';
import { listMentions, readChannel, sendMessage, type CallRequest } from '../../../calls/index.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import { spokenBy } from '../baseline-requests.ts';
import { type CaseRequest, markerPlace, sharedKey } from '../case-request.ts';
import { injectionPoint, type InjectionPoint } from '../injection-point.ts';

/** A send of a plan: by whom and to where, under which key, and what is in it beside its content. */
interface SendStep {
  readonly what: 'send';
  readonly by: number;
  readonly channel: '{channel}' | '{second-channel}';
  readonly key: '{key}' | typeof sharedKey;
  /** Stands after the marker: what differs here is another message. */
  readonly text: '' | ' again';
  readonly fields: Readonly<Record<string, JsonValue>>;
  readonly mentions?: readonly TargetInput[];
}

/** A look of somebody at a view. */
interface ReadStep {
  readonly what: 'channel' | 'feed';
  readonly by: number;
  readonly channel: SendStep['channel'];
  readonly query: string;
}

/** Requests of one case, one after another or all at one time. */
interface Plan {
  readonly steps: readonly (SendStep | ReadStep)[];
  readonly isTogether: boolean;
}

const mostSteps = 5;
const queries = ['after=0&limit=100', 'limit=1', 'limit=100', 'after=0&limit=7', 'after=0&limit=2'];

const plain: SendStep = {
  what: 'send',
  by: 0,
  channel: '{channel}',
  key: sharedKey,
  text: '',
  fields: {},
};

/** What a repetition may have that the send before it has not. */
const changes: Readonly<Record<string, Partial<SendStep>>> = {
  nothing: {},
  content: { text: ' again' },
  host: { fields: { agent_host: 'another' } },
  session: { fields: { source_session: { provider: 'provider_a', surface: 'cli', session_id: someId() } } },
  'content-type': { fields: { content_type: 'text/plain' } },
  mention: { mentions: [{ kind: 'agent', index: 0 }] },
  mentions: { mentions: ['agent', 'user', 'machine'].map(firstOf) },
  channel: { channel: '{second-channel}' },
  'content-and-channel': { text: ' again', channel: '{second-channel}' },
  key: { key: '{key}' },
};

function someId(): string {
  return '0f8fad5b-d9cb-469f-a165-70867728950e';
}

function firstOf(kind: string): TargetInput {
  return { kind: kind as 'agent', index: 0 };
}

/** Sends under keys that come again, and looks in between: what one request alone does not show. */
export function planInjectionPoints(
  world: SendWorld,
  roles: ReadonlySet<RoleName>,
): readonly InjectionPoint[] {
  const senders = (['peer', 'reader', 'api-key', 'author'] as const).filter((role) => roles.has(role));
  if (senders.length === 0) return [];
  return [
    injectionPoint('send', 'plan', { boundaries, arbitrary: anyPlan.map(labelled) }, [''], (plan) =>
      caseOf(plan, { world, senders }),
    ),
  ];
}

/** Each change alone, by each sender, after the first answer and beside it. */
const boundaries = [0, 1, 2, 3].flatMap((by) =>
  [false, true].flatMap((isTogether) =>
    Object.entries(changes).flatMap(([name, change]) => {
      const first = { ...plain, by };
      const steps = [first, { ...first, ...change }];
      return [
        { label: `plan/${isTogether ? 'beside' : 'after'}-${name}-${by}`, value: { steps, isTogether } },
        ...(isTogether || name === 'nothing'
          ? []
          : [{ label: `plan/back-from-${name}-${by}`, value: { steps: steps.toReversed(), isTogether } }]),
      ];
    }),
  ),
);

const anySend: fc.Arbitrary<SendStep> = fc
  .record({
    by: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: fc.nat({ max: 3 }), weight: 2 }),
    change: fc.constantFrom(...Object.keys(changes)),
    more: fc.constantFrom(...Object.keys(changes)),
  })
  .map(({ by, change, more }) => ({ ...plain, ...changes[change], ...changes[more], by }));

const anyRead: fc.Arbitrary<ReadStep> = fc.record({
  what: fc.constantFrom('channel', 'feed'),
  by: fc.nat({ max: 3 }),
  channel: fc.constantFrom('{channel}', '{second-channel}'),
  query: fc.constantFrom(...queries),
});

const anyPlan: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(fc.oneof({ arbitrary: anySend, weight: 3 }, { arbitrary: anyRead, weight: 1 }), {
    minLength: 2,
    maxLength: mostSteps,
  }),
  isTogether: fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, { arbitrary: fc.boolean(), weight: 1 }),
});

function labelled(value: Plan): { readonly label: string; readonly value: Plan } {
  const names = value.steps.map(({ what }) => what).join(value.isTogether ? '+' : '-');
  return { label: `plan/${names}`, value };
}

interface Place {
  readonly world: SendWorld;
  readonly senders: readonly RoleName[];
}

function caseOf({ steps, isTogether }: Plan, place: Place): CaseRequest {
  const requests = steps.map((step) => requestOf(step, place));
  const [last = requestOf(plain, place), ...others] = requests.toReversed();
  return { ...last, earlier: others.toReversed(), ...(isTogether ? { isTogether } : {}) };
}

function requestOf(step: SendStep | ReadStep, { world, senders }: Place): CallRequest {
  const by = senders[step.by % senders.length] ?? 'author';
  if (step.what !== 'send') {
    const { what, channel, query } = step;
    return spokenBy(by, what === 'feed' ? listMentions(query) : readChannel(channel, query));
  }
  const { text, fields, mentions } = step;
  const content = [{ unit: markerPlace + text, count: 1 }];
  const body = bodyTextOf({ content, fields, ...(mentions === undefined ? {} : { mentions }) }, world);
  return spokenBy(by, sendMessage(step.channel, body, step.key));
}
