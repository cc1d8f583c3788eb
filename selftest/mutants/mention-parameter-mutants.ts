import type { PageRequest } from '../../reference/model/page-facts.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { breaking, mutant, what, type Mutant } from './base/mutant.ts';
import { refusal, spoilList, spoilRefusals, spoilSuccess } from './base/spoil-answer.ts';

/** Parameters of the call. */
export const mentionParameterMutants: readonly Mutant[] = breaking({
  'mentions.after.optional': {
    'after-is-needed': { requiresAfter: (route) => route === 'mentions' },
    'ten-without-a-cursor-are-refused': {
      answer: spoilSuccess('mentions', (answer, { query }) =>
        query['after'] === undefined && query['limit'] === '10' ? refusal(400) : answer,
      ),
    },
  },
  'mentions.after.type': {
    'after-may-be-a-word': { readAfter: readingAfter((text) => (/^-?\d+$/.test(text) ? undefined : 0n)) },
    'after-may-be-a-fraction': what('a fraction as a cursor is rounded down', {
      readAfter: readingAfter((text) =>
        /^\d+\.\d+$/.test(text) ? BigInt(Math.floor(Number(text))) : undefined,
      ),
    }),
    'after-may-end-in-letters': what('letters after the digits of a cursor are not looked at', {
      readAfter: readingAfter((text) =>
        /^\d+[a-z]+$/i.test(text) ? BigInt(Number.parseInt(text, 10)) : undefined,
      ),
    }),
    'after-of-null-is-zero': { readAfter: readingAfter((text) => (text === 'null' ? 0n : undefined)) },
    'after-ends-at-a-comma': what('of several cursors the first is taken', {
      readAfter: readingAfter((text) => (/^\d+,/.test(text) ? BigInt(text.split(',')[0] ?? 0) : undefined)),
    }),
  },
  'mentions.after.min': {
    'far-negative-after-turns-over': what('a cursor below -2^31 loses its sign', {
      readAfter: readingAfter((text) =>
        /^-\d{10,}$/.test(text) ? BigInt.asUintN(31, BigInt(text)) : undefined,
      ),
    }),
    'after-may-be-negative': { readAfter: readingAfter((text) => (/^-\d+$/.test(text) ? 0n : undefined)) },
    'after-starts-at-one': {
      readAfter: (text, route) =>
        route === 'mentions' && text === '0' ? undefined : contractRules.readAfter(text, route),
    },
    'after-may-be-minus-one': { readAfter: readingAfter((text) => (text === '-1' ? 0n : undefined)) },
  },
  'mentions.limit.type': {
    'limit-may-be-a-word': { readLimit: readingLimit((text) => (/^-?\d+$/.test(text) ? undefined : 50)) },
    'limit-may-be-a-fraction': what('a fraction as a limit is rounded down', {
      readLimit: readingLimit((text) => (/^\d+\.\d+$/.test(text) ? Math.floor(Number(text)) : undefined)),
    }),
    'limit-may-end-in-letters': what('letters after the digits of a limit are not looked at', {
      readLimit: readingLimit((text) => (/^\d+[a-z]+$/i.test(text) ? Number.parseInt(text, 10) : undefined)),
    }),
    'limit-of-null-is-none': { readLimit: readingLimit((text) => (text === 'null' ? 50 : undefined)) },
    'limit-of-true-is-one': { readLimit: readingLimit((text) => (text === 'true' ? 1 : undefined)) },
    'limit-ends-at-a-comma': what('of several limits the first is taken', {
      readLimit: readingLimit((text) => (/^\d+,/.test(text) ? Number.parseInt(text, 10) : undefined)),
    }),
  },
  'mentions.limit.min': {
    'limit-of-minus-two-is-none': { readLimit: readingLimit((text) => (text === '-2' ? 50 : undefined)) },
    'limit-may-be-zero': { readLimit: readingLimit((text) => (text === '0' ? 50 : undefined)) },
    'limit-may-be-negative': { readLimit: readingLimit((text) => (/^-\d+$/.test(text) ? 50 : undefined)) },
    'limit-starts-at-two': { minLimit: (route) => (route === 'mentions' ? 2 : 1) },
    'one-from-the-oldest-is-refused': {
      answer: spoilSuccess('mentions', (answer, { query }) =>
        query['after'] === '0' && query['limit'] === '1' ? refusal(400) : answer,
      ),
    },
  },
  'mentions.limit.max': {
    'limit-ends-at-99': { maxLimit: (route) => (route === 'mentions' ? 99 : 100) },
    'of-two-limits-none-is-looked-at': what(
      'where two limits are given, the last counts, however high',
      () => {
        let areTwo = false;
        return {
          acceptsRepeatedParameter: (route, name) => (areTwo = route === 'mentions' && name === 'limit'),
          readLimit: (text, min, max, route) => {
            const limit = areTwo ? Number(text) : contractRules.readLimit(text, min, max, route);
            areTwo = false;
            return limit;
          },
        };
      },
    ),
    'limit-ends-at-101': { maxLimit: (route) => (route === 'mentions' ? 101 : 100) },
    'limit-is-clamped': { readLimit: readingLimit((text) => (/^\d{3,}$/.test(text) ? 100 : undefined)) },
    'limit-of-200-is-clamped': { readLimit: readingLimit((text) => (text === '200' ? 100 : undefined)) },
    'limit-beyond-64-bits-is-none': {
      readLimit: readingLimit((text) => (/^\d{20,}$/.test(text) ? 50 : undefined)),
    },
    'far-limit-is-clamped': { readLimit: readingLimit((text) => (/^\d{4,}$/.test(text) ? 100 : undefined)) },
  },
  'mentions.limit.default': {
    'default-limit-is-49': what('without a limit 49 are listed', { defaultLimit: defaultLimitOf(49) }),
    'default-limit-is-51': what('without a limit 51 are listed', { defaultLimit: defaultLimitOf(51) }),
    'newest-page-has-100': what('without a cursor a page of 50 has up to 100', {
      pageRead: ({ after, limit }) => ({ after, limit: after === undefined && limit === 50 ? 100 : limit }),
    }),
    'default-limit-is-20': what('without a limit 20 are listed', { defaultLimit: defaultLimitOf(20) }),
    'first-look-lists-20': what('with neither limit nor cursor 20 are listed', {
      defaultLimit: (route, after) => (route === 'mentions' && after === undefined ? 20 : 50),
    }),
    'default-limit-is-100': what('without a limit 100 are listed', { defaultLimit: defaultLimitOf(100) }),
  },
  'mentions.limit.respected': {
    'limit-is-one-more': what('a listing has one more than its limit', {
      readLimit: (text, min, max, route) =>
        plus(contractRules.readLimit(text, min, max, route), route === 'mentions' ? 1 : 0),
    }),
    'limit-100-is-101': what('a listing with the largest limit has one more', {
      readLimit: (text, min, max, route) =>
        plus(contractRules.readLimit(text, min, max, route), route === 'mentions' && text === '100' ? 1 : 0),
    }),
    'small-limits-are-ten': what('a limit below ten counts as ten', {
      readLimit: (text, min, max, route) =>
        atLeast(contractRules.readLimit(text, min, max, route), route === 'mentions' ? 10 : 0),
    }),
    'limit-needs-a-cursor': what('without a cursor the limit is not looked at', {
      pageRead: inMentions(({ after, limit }) => ({ after, limit: after === undefined ? 100 : limit })),
    }),
    'limit-needs-no-zero': what('with a cursor of 0 the limit is not looked at', {
      pageRead: inMentions(({ after, limit }) => ({ after, limit: after === 0n ? 100 : limit })),
    }),
  },
  'mentions.after.zero-is-oldest': {
    'zero-is-like-none': what('a cursor of 0 counts as none', {
      pageRead: inMentions(({ after, limit }) => ({ after: after === 0n ? undefined : after, limit })),
    }),
    'zero-skips-the-oldest': what('with a cursor of 0 the oldest mention is left out', {
      answer: spoilList('mentions', (items, { query }) =>
        query['after'] === '0' && items.length > 1 ? items.slice(1) : items,
      ),
    }),
  },
  'mentions.issued-cursor-is-no-conflict': {
    'cursor-at-the-watermark-is-a-conflict': what('a cursor at the end of the history is a conflict', {
      conflictsWithWatermark: ({ after, streamEnd }) => after > 0n && after >= streamEnd,
    }),
    'cursor-0-is-a-conflict': what('a cursor of 0 is a conflict', {
      answer: spoilSuccess('mentions', (answer, { query }) =>
        query['after'] === '0' ? refusal(409) : answer,
      ),
    }),
  },
  'mentions.limit.optional': {
    'limit-is-needed': what('a listing without a limit is refused', {
      answer: spoilSuccess('mentions', (answer, { query }) =>
        query['limit'] === undefined ? refusal(400) : answer,
      ),
    }),
  },
});

function inMentions(read: (asked: PageRequest) => PageRequest): Rules['pageRead'] {
  return (asked, stream) => (stream === 'mentions' ? read(asked) : asked);
}

function readingAfter(read: (text: string) => bigint | undefined): Rules['readAfter'] {
  return (text, route) =>
    contractRules.readAfter(text, route) ?? (route === 'mentions' ? read(text) : undefined);
}

function readingLimit(read: (text: string) => number | undefined): Rules['readLimit'] {
  return (text, min, max, route) =>
    contractRules.readLimit(text, min, max, route) ?? (route === 'mentions' ? read(text) : undefined);
}

function defaultLimitOf(limit: number): Rules['defaultLimit'] {
  return (route) => (route === 'mentions' ? limit : 50);
}

function plus(limit: number | undefined, more: number): number | undefined {
  return limit === undefined ? undefined : limit + more;
}

function atLeast(limit: number | undefined, least: number): number | undefined {
  return limit === undefined ? undefined : Math.max(limit, least);
}

/** Parameters that the call does not have, and that are followed all the same. */
export const mentionOverrideMutants: readonly Mutant[] = [
  ...[
    'agent_id',
    'agent',
    'recipient',
    'recipient_id',
    'user_id',
    'human_user_id',
    'target_id',
    'as',
    'for',
    'mentioned',
  ].map((name) =>
    mutant(
      `obeys-${name.replaceAll('_', '-')}`,
      'mentions.no-recipient-override',
      `the parameter ${name} chooses whose mentions are listed`,
      {
        rules: {
          acceptsParameter: (_route, each, isKnown) => isKnown || each === name,
          readerId: (agentId, query) => query[name] ?? agentId,
        },
      },
    ),
  ),
  ...['workspace_id', 'workspace', 'tenant_id', 'team_id', 'org_id'].map((name) =>
    mutant(
      `obeys-${name.replaceAll('_', '-')}`,
      'mentions.no-workspace-override',
      `the parameter ${name} chooses the workspace`,
      {
        rules: {
          acceptsParameter: (_route, each, isKnown) => isKnown || each === name,
          readerId: (agentId, query, agentsOf) => agentsOf(query[name] ?? '')[0]?.id ?? agentId,
        },
      },
    ),
  ),
  ...breaking({
    'mentions.override-is-400': {
      'ignores-overrides': what('a parameter that would choose the recipient is ignored', {
        acceptsParameter: (_route, name, isKnown) =>
          isKnown || /agent|user|recipient|workspace|human|machine/.test(name),
      }),
      'override-is-403': what('a parameter that would choose the recipient is forbidden', {
        answer: spoilRefusals(
          (answer, { query }) =>
            Object.keys(query).some((name) => /agent|user|recipient|workspace|human|machine/.test(name))
              ? { ...answer, status: 403 }
              : answer,
          ['mentions'],
        ),
      }),
    },
    'errors.unsupported-parameter-is-400': {
      'ignores-unknown-parameters': { acceptsParameter: () => true },
      'unsupported-parameter-is-403': what('a parameter that the call does not have is forbidden', {
        answer: spoilRefusals(
          (answer, { query }) =>
            Object.keys(query).some((name) => name !== 'after' && name !== 'limit') && answer.status === 400
              ? { ...answer, status: 403 }
              : answer,
          ['mentions'],
        ),
      }),
    },
  }),
];
