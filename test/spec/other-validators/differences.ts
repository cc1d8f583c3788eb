/** Examples on which another validator disagrees with ours for one reason; `accepts` and `refuses` are what it does. */
export interface Difference {
  readonly reason: string;
  readonly does: 'accepts' | 'refuses';
  /** `schema: example` each. */
  readonly examples: readonly string[];
}

const ownTimestamp: Difference = {
  reason: 'it does not know the format provider-d-timestamp; the pattern beside it knows no calendar',
  does: 'accepts',
  examples: [
    'source-session: provider_d 30 February',
    'source-session: provider_d 29 February of a common year',
    'source-session: provider_d month 13',
    'source-session: provider_d second 1 of hour 24',
    'source-session: provider_d minute 60',
  ],
};

const ownText: Difference = {
  reason: 'it does not know the format content-text',
  does: 'accepts',
  examples: [
    'send-request: content is empty',
    'send-request: content has a NUL',
    'send-request: content has a lone high surrogate',
    'send-request: content has a lone low surrogate',
    'send-request: content has a reversed pair',
    'send-request: content has 500,001 bytes',
    'send-request: content has 250,001 characters of two bytes',
  ],
};

/** Of ajv with ajv-formats, our own formats unknown to it. */
export const ofAjv: readonly Difference[] = [
  ownTimestamp,
  ownText,
  {
    reason: 'its uuid takes a URN',
    does: 'accepts',
    examples: [
      'mention-target: id is a URN',
      'membership: workspace_id is a URN',
      'channel: workspace_id is a URN',
    ],
  },
  {
    reason: 'its email wants a dot in the host',
    does: 'refuses',
    examples: ['member: undotted mail host'],
  },
];

/** Of `jsonschema` for Python, our own formats unknown to it. */
export const ofPython: readonly Difference[] = [
  ownTimestamp,
  ownText,
  {
    reason:
      'it checks date-time only beside another package, and does not know the format iso-8601-date-time',
    does: 'accepts',
    examples: [
      'message: created_at has a space and no offset',
      'message: created_at is a week date',
      'workspace-file: created_at names a day that does not exist',
      'workspace-file: created_at has no offset',
      'workspace-file: uploaded_at is a date alone',
      'workspace-file: uploaded_at is in basic form',
      'workspace: created_at names a day that does not exist',
      'workspace: created_at has no offset',
      'workspace: updated_at is a date alone',
      'workspace: updated_at is in basic form',
      'membership: joined_at names a day that does not exist',
      'membership: joined_at has no offset',
      'membership: created_at is a date alone',
      'membership: created_at is in basic form',
      'membership: updated_at is in the form of HTTP dates',
      'membership: updated_at has a comma before the fraction',
      'channel: created_at names a day that does not exist',
      'channel: created_at has no offset',
      'channel: updated_at is a date alone',
      'channel: updated_at is in basic form',
      'member: joined_at names a day that does not exist',
      'member: joined_at has no offset',
      'member: updated_at is a date alone',
      'member: updated_at is in basic form',
    ],
  },
  {
    reason: 'its email wants an @ and nothing else',
    does: 'accepts',
    examples: ['member: email has no host'],
  },
];

/** Of `jsonschema` for Go, our own formats unknown to it. */
export const ofGo: readonly Difference[] = [
  ownTimestamp,
  ownText,
  {
    reason: 'its date-time wants a T before the time',
    does: 'refuses',
    examples: ['message: written with a space'],
  },
];
