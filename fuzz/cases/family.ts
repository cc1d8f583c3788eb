import type { CallName } from '../../spec/calls/index.ts';

/** The families of cases, of single requests one for each area of the contract, and sequences of changes and looks; with the call that they deviate from. */
export const callOfFamily = {
  send: 'send',
  read: 'channel-read',
  mentions: 'mentions',
  overview: 'overview',
  authentication: 'mentions',
  'source-session': 'send',
  wire: 'send',
  sequence: 'send',
} as const satisfies Readonly<Record<string, CallName>>;

export type FamilyName = keyof typeof callOfFamily;

export const familyNames = Object.keys(callOfFamily) as readonly FamilyName[];
