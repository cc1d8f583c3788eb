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
