import type { CallName } from '../../spec/calls/index.ts';

/** The families of cases: of single requests one for each area of the contract, and sequences of changes and looks. */
export const familyNames = [
  'send',
  'read',
  'mentions',
  'overview',
  'authentication',
  'source-session',
  'wire',
  'sequence',
] as const;
export type FamilyName = (typeof familyNames)[number];

/** The call that the cases of each family deviate from. */
export const callOfFamily = {
  send: 'send',
  read: 'channel-read',
  mentions: 'mentions',
  overview: 'overview',
  authentication: 'mentions',
  'source-session': 'send',
  wire: 'send',
  sequence: 'send',
} as const satisfies Readonly<Record<FamilyName, CallName>>;
