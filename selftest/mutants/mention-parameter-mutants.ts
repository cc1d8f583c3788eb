import type { PageRequest } from '../../reference/model/page-facts.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { mutant, ruleMutants, type Mutant } from './base/mutant.ts';
import { refusal, spoilList, spoilRefusals, spoilSuccess } from './base/spoil-answer.ts';

/** Parameters of the call. */
export const mentionParameterMutants: readonly Mutant[] = [
  ...ruleMutants([
    [
      'after-is-needed',
      'mentions.after.optional',
      'a listing without a cursor is refused',
      { requiresAfter: (route) => route === 'mentions' },
    ],
    [
      'after-may-be-a-word',
      'mentions.after.type',
      'a cursor that is no number counts as 0',
      { readAfter: readingAfter((text) => (/^-?\d+$/.test(text) ? undefined : 0n)) },
    ],
    [
      'after-may-be-a-fraction',
      'mentions.after.type',
      'a fraction as a cursor is rounded down',
      {
        readAfter: readingAfter((text) =>
          /^\d+\.\d+$/.test(text) ? BigInt(Math.floor(Number(text))) : undefined,
        ),
      },
    ],
    [
      'after-may-end-in-letters',
      'mentions.after.type',
      'letters after the digits of a cursor are not looked at',
      {
        readAfter: readingAfter((text) =>
          /^\d+[a-z]+$/i.test(text) ? BigInt(Number.parseInt(text, 10)) : undefined,
        ),
      },
    ],
    [
      'after-may-be-negative',
      'mentions.after.min',
      'a negative cursor counts as 0',
      { readAfter: readingAfter((text) => (/^-\d+$/.test(text) ? 0n : undefined)) },
    ],
    [
      'after-may-be-minus-one',
      'mentions.after.min',
      'a cursor of -1 counts as 0',
      { readAfter: readingAfter((text) => (text === '-1' ? 0n : undefined)) },
    ],
    [
      'limit-may-be-a-word',
      'mentions.limit.type',
      'a limit that is no number counts as 50',
      { readLimit: readingLimit((text) => (/^-?\d+$/.test(text) ? undefined : 50)) },
    ],
    [
      'limit-may-be-a-fraction',
      'mentions.limit.type',
      'a fraction as a limit is rounded down',
      { readLimit: readingLimit((text) => (/^\d+\.\d+$/.test(text) ? Math.floor(Number(text)) : undefined)) },
    ],
    [
      'limit-may-end-in-letters',
      'mentions.limit.type',
      'letters after the digits of a limit are not looked at',
      {
        readLimit: readingLimit((text) =>
          /^\d+[a-z]+$/i.test(text) ? Number.parseInt(text, 10) : undefined,
        ),
      },
    ],
    [
      'limit-may-be-zero',
      'mentions.limit.min',
      'a limit of 0 counts as 50',
      { readLimit: readingLimit((text) => (text === '0' ? 50 : undefined)) },
    ],
    [
      'limit-may-be-negative',
      'mentions.limit.min',
      'a negative limit counts as 50',
      { readLimit: readingLimit((text) => (/^-\d+$/.test(text) ? 50 : undefined)) },
    ],
    [
      'limit-starts-at-two',
      'mentions.limit.min',
      'a limit of 1 is refused',
      { minLimit: (route) => (route === 'mentions' ? 2 : 1) },
    ],
    [
      'limit-ends-at-99',
      'mentions.limit.max',
      'a limit of 100 is refused',
      { maxLimit: (route) => (route === 'mentions' ? 99 : 100) },
    ],
    [
      'limit-ends-at-101',
      'mentions.limit.max',
      'a limit of 101 is taken',
      { maxLimit: (route) => (route === 'mentions' ? 101 : 100) },
    ],
    [
      'limit-is-clamped',
      'mentions.limit.max',
      'a limit over 100 counts as 100',
      { readLimit: readingLimit((text) => (/^\d{3,}$/.test(text) ? 100 : undefined)) },
    ],
    [
      'far-limit-is-clamped',
      'mentions.limit.max',
      'a limit of 1,000 or more counts as 100',
      { readLimit: readingLimit((text) => (/^\d{4,}$/.test(text) ? 100 : undefined)) },
    ],
    [
      'default-limit-is-49',
      'mentions.limit.default',
      'without a limit 49 are listed',
      { defaultLimit: defaultOf(49) },
    ],
    [
      'default-limit-is-51',
      'mentions.limit.default',
      'without a limit 51 are listed',
      { defaultLimit: defaultOf(51) },
    ],
    [
      'default-limit-is-20',
      'mentions.limit.default',
      'without a limit 20 are listed',
      { defaultLimit: defaultOf(20) },
    ],
    [
      'default-limit-is-100',
      'mentions.limit.default',
      'without a limit 100 are listed',
      { defaultLimit: defaultOf(100) },
    ],
    [
      'limit-is-one-more',
      'mentions.limit.respected',
      'a listing has one more than its limit',
      {
        readLimit: (text, min, max, route) =>
          plus(contractRules.readLimit(text, min, max, route), route === 'mentions' ? 1 : 0),
      },
    ],
    [
      'limit-100-is-101',
      'mentions.limit.respected',
      'a listing with the largest limit has one more',
      {
        readLimit: (text, min, max, route) =>
          plus(
            contractRules.readLimit(text, min, max, route),
            route === 'mentions' && text === '100' ? 1 : 0,
          ),
      },
    ],
    [
      'small-limits-are-ten',
      'mentions.limit.respected',
      'a limit below ten counts as ten',
      {
        readLimit: (text, min, max, route) =>
          atLeast(contractRules.readLimit(text, min, max, route), route === 'mentions' ? 10 : 0),
      },
    ],
    [
      'zero-is-like-none',
      'mentions.after.zero-is-oldest',
      'a cursor of 0 counts as none',
      { pageRead: inMentions(({ after, limit }) => ({ after: after === 0n ? undefined : after, limit })) },
    ],
    [
      'limit-needs-a-cursor',
      'mentions.limit.respected',
      'without a cursor the limit is not looked at',
      { pageRead: inMentions(({ after, limit }) => ({ after, limit: after === undefined ? 100 : limit })) },
    ],
    [
      'limit-needs-no-zero',
      'mentions.limit.respected',
      'with a cursor of 0 the limit is not looked at',
      { pageRead: inMentions(({ after, limit }) => ({ after, limit: after === 0n ? 100 : limit })) },
    ],
    [
      'cursor-at-the-watermark-is-a-conflict',
      'mentions.issued-cursor-is-no-conflict',
      'a cursor at the end of the history is a conflict',
      { conflictsWithWatermark: ({ after, streamEnd }) => after > 0n && after >= streamEnd },
    ],
  ]),
  mutant('cursor-0-is-a-conflict', 'mentions.issued-cursor-is-no-conflict', 'a cursor of 0 is a conflict', {
    answer: spoilSuccess('mentions', (answer, { query }) => (query['after'] === '0' ? refusal(409) : answer)),
  }),
  mutant('limit-is-needed', 'mentions.limit.optional', 'a listing without a limit is refused', {
    answer: spoilSuccess('mentions', (answer, { query }) =>
      query['limit'] === undefined ? refusal(400) : answer,
    ),
  }),
  mutant(
    'zero-skips-the-oldest',
    'mentions.after.zero-is-oldest',
    'with a cursor of 0 the oldest mention is left out',
    {
      answer: spoilList('mentions', (items, { query }) =>
        query['after'] === '0' && items.length > 1 ? items.slice(1) : items,
      ),
    },
  ),
];

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

function defaultOf(limit: number): Rules['defaultLimit'] {
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
  ...ruleMutants([
    [
      'ignores-overrides',
      'mentions.override-is-400',
      'a parameter that would choose the recipient is ignored',
      {
        acceptsParameter: (_route, name, isKnown) =>
          isKnown || /agent|user|recipient|workspace|human|machine/.test(name),
      },
    ],
    [
      'ignores-unknown-parameters',
      'errors.unsupported-parameter-is-400',
      'a parameter that the call does not have is ignored',
      { acceptsParameter: () => true },
    ],
  ]),
  mutant(
    'override-is-403',
    'mentions.override-is-400',
    'a parameter that would choose the recipient is forbidden',
    {
      answer: spoilRefusals(
        (answer, { query }) =>
          Object.keys(query).some((name) => /agent|user|recipient|workspace|human|machine/.test(name))
            ? { ...answer, status: 403 }
            : answer,
        ['mentions'],
      ),
    },
  ),
  mutant(
    'unsupported-parameter-is-403',
    'errors.unsupported-parameter-is-400',
    'a parameter that the call does not have is forbidden',
    {
      answer: spoilRefusals(
        (answer, { query }) =>
          Object.keys(query).some((name) => name !== 'after' && name !== 'limit') && answer.status === 400
            ? { ...answer, status: 403 }
            : answer,
        ['mentions'],
      ),
    },
  ),
];
