import type { CallName } from '../../calls/index.ts';

/** The stateless families of requests, one area of the contract each. */
export const familyNames = [
  'send',
  'read',
  'mentions',
  'overview',
  'authentication',
  'source-session',
  'wire',
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
} as const satisfies Readonly<Record<FamilyName, CallName>>;
