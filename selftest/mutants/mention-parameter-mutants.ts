import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { inStream, readingAfter, replacing, zeroHasNoLimit, zeroIsNone } from './base/changed-rules.ts';
import { breaking, type Mutant } from './base/mutant.ts';
import {
  type Answering,
  itemsOf,
  type JsonObject,
  objectOf,
  refusalAs,
  sequenceOf,
  spoilBody,
  spoilList,
  successAs,
} from './base/spoil-answer.ts';

/** Parameters of the call. */
export const mentionParameterMutants: readonly Mutant[] = breaking({
  'mentions.after.optional': {
    'after-is-needed': { requiresAfter: (route) => route === 'mentions' },
    'ten-without-a-cursor-are-refused': successAs(
      400,
      'mentions',
      ({ query }) => query['after'] === undefined && query['limit'] === '10',
    ),
  },
  'mentions.after.type': {
    'after-may-be-a-word': readingAfter('mentions', /^(?!-?\d+$)/),
    'after-may-be-a-fraction: a fraction as a cursor is rounded down': readingAfter(
      'mentions',
      /^\d+\.\d+$/,
      Number,
    ),
    'after-may-end-in-letters: letters after the digits of a cursor are not looked at': readingAfter(
      'mentions',
      /^\d+[a-z]+$/i,
      firstNumber,
    ),
    'after-of-null-is-zero': readingAfter('mentions', /^null$/),
    'after-ends-at-a-comma: of several cursors the first is taken': readingAfter(
      'mentions',
      /^\d+,/,
      firstNumber,
    ),
  },
  'mentions.after.min': {
    'far-negative-after-turns-over: a cursor below -2^31 loses its sign': readingAfter(
      'mentions',
      /^-\d{10,}$/,
      (text) => BigInt.asUintN(31, BigInt(text)),
    ),
    'after-may-be-negative': readingAfter('mentions', /^-\d+$/),
    'after-starts-at-one': {
      readAfter: (text, route) =>
        route === 'mentions' && text === '0' ? undefined : contractRules.readAfter(text, route),
    },
    'after-may-be-minus-one': readingAfter('mentions', /^-1$/),
  },
  'mentions.limit.type': {
    'limit-may-be-a-word': readingLimit(/^(?!-?\d+$)/, () => 50),
    'limit-may-be-a-fraction: a fraction as a limit is rounded down': readingLimit(/^\d+\.\d+$/, firstNumber),
    'limit-may-end-in-letters: letters after the digits of a limit are not looked at': readingLimit(
      /^\d+[a-z]+$/i,
      firstNumber,
    ),
    'limit-of-null-is-none': readingLimit(/^null$/, () => 50),
    'limit-of-true-is-one': readingLimit(/^true$/, () => 1),
    'limit-ends-at-a-comma: of several limits the first is taken': readingLimit(/^\d+,/, firstNumber),
  },
  'mentions.limit.min': {
    'limit-of-minus-two-is-none': readingLimit(/^-2$/, () => 50),
    'limit-may-be-zero': readingLimit(/^0$/, () => 50),
    'limit-may-be-negative': readingLimit(/^-\d+$/, () => 50),
    'limit-starts-at-two': { minLimit: (route) => (route === 'mentions' ? 2 : 1) },
    'one-from-the-oldest-is-refused': successAs(
      400,
      'mentions',
      ({ query }) => query['after'] === '0' && query['limit'] === '1',
    ),
  },
  'mentions.limit.max': {
    'limit-ends-at-99': { maxLimit: (route) => (route === 'mentions' ? 99 : 100) },
    'of-two-limits-none-is-looked-at: where two limits are given, the last counts, however high': () => {
      let areTwo = false;
      return {
        acceptsRepeatedParameter: (route, name) => (areTwo = route === 'mentions' && name === 'limit'),
        readLimit: (text, ...rest) => {
          const limit = areTwo ? Number(text) : contractRules.readLimit(text, ...rest);
          areTwo = false;
          return limit;
        },
      };
    },
    'limit-ends-at-101': { maxLimit: (route) => (route === 'mentions' ? 101 : 100) },
    'limit-is-clamped': readingLimit(/^\d{3,}$/, () => 100),
    'limit-of-200-is-clamped': readingLimit(/^200$/, () => 100),
    'limit-beyond-64-bits-is-none': readingLimit(/^\d{20,}$/, () => 50),
    'far-limit-is-clamped': readingLimit(/^\d{4,}$/, () => 100),
  },
  'mentions.limit.default': {
    ...replacing('defaultLimit', {
      'default-limit-is-49: without a limit 49 are listed': defaultLimitOf(49),
      'default-limit-is-51: without a limit 51 are listed': defaultLimitOf(51),
      'default-limit-is-20: without a limit 20 are listed': defaultLimitOf(20),
      'first-look-lists-20: with neither limit nor cursor 20 are listed': (route, after) =>
        route === 'mentions' && after === undefined ? 20 : 50,
      'default-limit-is-100: without a limit 100 are listed': defaultLimitOf(100),
    }),
    'newest-page-has-100: without a cursor a page of 50 has up to 100': {
      pageRead: ({ after, limit }) => ({ after, limit: after === undefined && limit === 50 ? 100 : limit }),
    },
  },
  'mentions.limit.respected': {
    'limit-is-one-more: a listing has one more than its limit': changingLimit((limit) => limit + 1),
    'limit-100-is-101: a listing with the largest limit has one more': changingLimit((limit) =>
      limit === 100 ? 101 : limit,
    ),
    'small-limits-are-ten: a limit below ten counts as ten': changingLimit((limit) => Math.max(limit, 10)),
    'limit-needs-a-cursor: without a cursor the limit is not looked at': inStream(
      'mentions',
      ({ after, limit }) => ({ after, limit: after === undefined ? 100 : limit }),
    ),
    'limit-needs-no-zero: with a cursor of 0 the limit is not looked at': inStream(
      'mentions',
      zeroHasNoLimit,
    ),
  },
  'mentions.after.zero-is-oldest': {
    'zero-is-like-none: a cursor of 0 counts as none': inStream('mentions', zeroIsNone),
    'zero-skips-the-oldest: with a cursor of 0 the oldest mention is left out': spoilList(
      'mentions',
      (items, { query }) => (query['after'] === '0' && items.length > 1 ? items.slice(1) : items),
    ),
  },
  'mentions.issued-cursor-is-no-conflict': {
    'cursor-at-the-watermark-is-a-conflict: a cursor at the end of the history is a conflict': {
      conflictsWithWatermark: ({ after, streamEnd }) => after > 0n && after >= streamEnd,
    },
    'cursor-0-is-a-conflict: a cursor of 0 is a conflict': successAs(
      409,
      'mentions',
      ({ query }) => query['after'] === '0',
    ),
  },
  'mentions.limit.optional': {
    'limit-is-needed: a listing without a limit is refused': successAs(
      400,
      'mentions',
      ({ query }) => query['limit'] === undefined,
    ),
  },
});

/** The number that a text begins with. */
function firstNumber(text: string): number {
  return Number.parseInt(text, 10);
}

/** Limits of a listing are taken in one more form. */
function readingLimit(form: RegExp, read: (text: string) => number): Partial<Rules> {
  return {
    readLimit: (text, min, max, route) =>
      contractRules.readLimit(text, min, max, route) ??
      (route === 'mentions' && form.test(text) ? read(text) : undefined),
  };
}

/** What becomes of the limit of a listing. */
function changingLimit(change: (limit: number) => number): Partial<Rules> {
  return {
    readLimit: (text, min, max, route) => {
      const limit = contractRules.readLimit(text, min, max, route);
      return limit === undefined || route !== 'mentions' ? limit : change(limit);
    },
  };
}

function defaultLimitOf(limit: number): Rules['defaultLimit'] {
  return (route) => (route === 'mentions' ? limit : 50);
}

/** Parameters that the call does not have, and that are followed all the same. */
export const mentionOverrideMutants: readonly Mutant[] = breaking({
  'mentions.no-recipient-override': {
    ...obeying(
      'chooses whose mentions are listed',
      recipientIn,
      'agent_id agent recipient recipient_id user_id human_user_id target_id as for mentioned',
    ),
    'obeys-machine-id-behind-empty-pages: the parameter machine_id chooses whose mentions are listed, and each page without a cursor is cut before its first item':
      {
        rules: obeyed('machine_id', recipientIn),
        ...spoilBody('mentions', (body, { query }) => {
          const [first] = itemsOf(body, 'mentions');
          const isCut = first !== undefined && query['after'] === undefined;
          const page = {
            ...objectOf(body['page']),
            has_more: true,
            next_after: isCut ? Number(sequenceOf(first)) - 1 : 0,
          };
          return isCut ? { ...body, mentions: [], page } : body;
        }),
      },
    'obeys-user-id-but-for-its-own-machine: the parameter user_id chooses whose mentions are listed, but for those from the machine of who asks':
      {
        rules: obeyed('user_id', recipientIn),
        ...spoilList('mentions', (items, { query, actor }) =>
          query['user_id'] === undefined
            ? items
            : items.filter(({ message }) => machineOf(objectOf(message)) !== actor?.machineId),
        ),
      },
  },
  'mentions.no-workspace-override': obeying(
    'chooses the workspace',
    (value, agentId, agentsOf) => agentsOf(value ?? '')[0]?.id ?? agentId,
    'workspace_id workspace tenant_id team_id org_id',
  ),
  'mentions.override-is-400': {
    'ignores-overrides: a parameter that would choose the recipient is ignored': {
      acceptsParameter: (_route, name, isKnown) => isKnown || override.test(name),
    },
    'own-overrides-are-ignored: a parameter that chooses the agent that asks is ignored': {
      rules: { acceptsParameter: (_route, name, isKnown) => isKnown || name.startsWith('agent') },
      ...successAs(400, 'mentions', ({ query, actor }) =>
        Object.entries(query).some(([name, value]) => name.startsWith('agent') && value !== actor?.agentId),
      ),
    },
    'override-is-403: a parameter that would choose the recipient is forbidden': refusalAs(
      403,
      ({ query }) => Object.keys(query).some((name) => override.test(name)),
      'mentions',
    ),
  },
  'errors.unsupported-parameter-is-400': {
    'ignores-unknown-parameters': { acceptsParameter: () => true },
    'unsupported-parameter-is-403: a parameter that the call does not have is forbidden': unsupportedAs(403),
    'unsupported-parameter-is-422: an unsupported parameter is answered with 422': unsupportedAs(422),
  },
});

function machineOf({ author }: JsonObject): unknown {
  return objectOf(objectOf(author)['machine'])['id'];
}

const override = /agent|user|recipient|workspace|human|machine/;

function unsupportedAs(status: number): Answering {
  const isSupported = (name: string): boolean => name === 'after' || name === 'limit';
  return refusalAs(
    status,
    ({ query }, answer) => answer.status === 400 && !Object.keys(query).every(isSupported),
    'mentions',
  );
}

type AgentsOf = Parameters<Rules['readerId']>[2];

/** A row for each of some parameters by which a listing is that of another agent. */
function obeying(what: string, readerId: ReaderId, names: string): Readonly<Record<string, Partial<Rules>>> {
  return Object.fromEntries(
    names
      .split(' ')
      .map((name) => [
        `obeys-${name.replaceAll('_', '-')}: the parameter ${name} ${what}`,
        obeyed(name, readerId),
      ]),
  );
}

function obeyed(name: string, readerId: ReaderId): Partial<Rules> {
  return {
    acceptsParameter: (_route, each, isKnown) => isKnown || each === name,
    readerId: (agentId, query, agentsOf) => readerId(query[name], agentId, agentsOf),
  };
}

type ReaderId = (value: string | undefined, agentId: string, agentsOf: AgentsOf) => string;

function recipientIn(value: string | undefined, agentId: string): string {
  return value ?? agentId;
}
