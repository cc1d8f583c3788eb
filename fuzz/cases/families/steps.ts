import * as fc from 'fast-check';
import { type SendWorld, bodyTextOf } from '../../../generators/spaces/body/send-body.ts';
import type { JsonValue } from '../../../generators/texts/json-values.ts';
import {
  listChannels,
  listMentions,
  listReceipts,
  readChannel,
  sendMessage,
  type CallRequest,
} from '../../../spec/calls/index.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import { spokenBy } from '../baseline-requests.ts';
import { markerPlace, reportOf, sharedKey, type OperatorStep, type RequestStep } from '../case-request.ts';

/** Whoever does it, as an index into the roles that a case may speak as; beside the step before, or after it. */
interface Spoken {
  readonly by: number;
  readonly isBeside: boolean;
  readonly channel: '{channel}' | '{second-channel}';
}

/** A send: under which key, and what is in it beside its content. */
export interface SendStep extends Spoken {
  readonly what: 'send';
  readonly key: '{key}' | typeof sharedKey;
  /** Stands after the marker: what differs here is another message. */
  readonly text: '' | ' again';
  readonly fields: Readonly<Record<string, JsonValue>>;
  /** Principals by kind and role, as `agent:reader`; those that nobody knows are left out. */
  readonly mentions: readonly string[];
}

/** A look of somebody at a view. */
export interface ReadStep extends Spoken {
  readonly what: 'channel' | 'feed';
  readonly query: string;
}

/** A look of somebody at a list: of all channels, or of who has retrieved what of one. */
export interface ListStep extends Spoken {
  readonly what: 'channels' | 'receipts';
}

/** A report of the newest message that the case was shown. */
export interface ReportStep extends Spoken {
  readonly what: 'report';
}

export type Step = SendStep | ReadStep | ListStep | ReportStep;

/** A message of the author to the channel, under the key that a case shares, with nothing more. */
export const plainSend: SendStep = {
  what: 'send',
  by: 0,
  isBeside: false,
  channel: '{channel}',
  key: sharedKey,
  text: '',
  fields: {},
  mentions: [],
};

/** What a send may have that the one before it has not. */
export const changes: Readonly<Record<string, Partial<SendStep>>> = {
  nothing: {},
  content: { text: ' again' },
  host: { fields: { agent_host: 'another' } },
  session: {
    fields: {
      source_session: {
        provider: 'provider_a',
        surface: 'cli',
        session_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
      },
    },
  },
  'content-type': { fields: { content_type: 'text/plain' } },
  mention: { mentions: ['agent:author'] },
  mentions: { mentions: ['agent:author', 'user:author', 'machine:author'] },
  channel: { channel: '{second-channel}' },
  'content-and-channel': { text: ' again', channel: '{second-channel}' },
  key: { key: '{key}' },
};

const usualQueries = ['after=0&limit=100', 'limit=1', 'limit=100', 'after=0&limit=7', 'after=0&limit=2'];
/** From where an earlier page of the case ended. */
const heldQueries = [
  'after={cursor:first}&limit=100',
  'after={cursor:last}&limit=100',
  'after={cursor:last}&limit=1',
];

const somebody = fc.nat({ max: 3 });
const someChannel = fc.constantFrom('{channel}', '{second-channel}');

/** Whether a step goes out beside the one before it: seldom, and then several in a row. */
const beside = fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, { arbitrary: fc.boolean(), weight: 1 });

export const anySend: fc.Arbitrary<SendStep> = fc
  .record({
    by: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, { arbitrary: somebody, weight: 2 }),
    isBeside: beside,
    change: fc.constantFrom(...Object.keys(changes)),
    more: fc.constantFrom(...Object.keys(changes)),
  })
  .map(({ by, isBeside, change, more }) => ({
    ...plainSend,
    ...changes[change],
    ...changes[more],
    by,
    isBeside,
  }));

export const anyRead: fc.Arbitrary<ReadStep> = fc.record({
  what: fc.constantFrom('channel', 'feed'),
  by: somebody,
  isBeside: beside,
  channel: someChannel,
  query: fc.constantFrom(...usualQueries, ...heldQueries),
});

export const anyList: fc.Arbitrary<ListStep> = fc.record({
  what: fc.constantFrom('channels', 'receipts'),
  by: somebody,
  isBeside: beside,
  channel: someChannel,
});

export const anyReport: fc.Arbitrary<ReportStep> = fc.record({
  what: fc.constant('report'),
  by: somebody,
  isBeside: fc.constant(false),
  channel: someChannel,
});

/** Who speaks in a case, and whom its messages may name. */
export interface Speakers {
  readonly world: SendWorld;
  readonly senders: readonly RoleName[];
}

/** The request that a step stands for. */
export function requestOf(step: Step, speakers: Speakers): RequestStep {
  const request = spokenBy(speakerOf(step, speakers), callOf(step, speakers));
  return step.isBeside ? { ...request, isBeside: true } : request;
}

function callOf(step: Step, { world }: Speakers): CallRequest {
  switch (step.what) {
    case 'report':
      return reportOf(step.channel);
    case 'channels':
      return listChannels();
    case 'receipts':
      return listReceipts(step.channel);
    case 'feed':
      return listMentions(step.query);
    case 'channel':
      return readChannel(step.channel, step.query);
    case 'send': {
      const { text, fields } = step;
      const mentions = step.mentions.flatMap((name) => {
        const kind = name.slice(0, name.indexOf(':')) as 'agent';
        const index = world.principals[kind].indexOf(`{${name}}`);
        return index < 0 ? [] : [{ kind, index }];
      });
      const content = [{ unit: markerPlace + text, count: 1 }];
      const body = { content, fields, ...(mentions.length === 0 ? {} : { mentions }) };
      return sendMessage(step.channel, bodyTextOf(body, world), step.key);
    }
  }
}

function speakerOf({ by }: Spoken, { senders }: Pick<Speakers, 'senders'>): RoleName {
  return senders[by % senders.length] ?? 'author';
}

/** A step in a few words, for people. */
export function wordsOf(step: Step | OperatorStep, speakers: Pick<Speakers, 'senders'>): string {
  if ('act' in step) return `${step.of} ${actWords[step.act]}`;
  const place = step.channel === '{channel}' ? '' : ' of the second channel';
  const words = step.isBeside ? `beside that ${speakerOf(step, speakers)}` : speakerOf(step, speakers);
  switch (step.what) {
    case 'channels':
    case 'receipts':
      return `${words} lists ${step.what}${place}`;
    case 'report':
      return `${words} reports what it was shown${place}`;
    case 'send': {
      const parts = [...Object.keys(step.fields), ...step.mentions].join(', ');
      const key = step.key === sharedKey ? ' under the shared key' : '';
      return `${words} sends${step.text}${key}${place && ' to the second channel'}${parts && ` with ${parts}`}`;
    }
    default:
      return `${words} reads its ${step.what}${place} (${step.query})`;
  }
}

const actWords = {
  rename: 'is renamed',
  leave: 'leaves',
  return: 'returns',
  revoke: 'is revoked',
  expire: 'expires',
  upload: 'is uploaded',
  delete: 'is deleted',
} as const satisfies Readonly<Record<OperatorStep['act'], string>>;
