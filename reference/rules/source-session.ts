/** What a source session and an agent host may be. */
export const sourceSessionRules = {
  /** A source session has three fields; a URL or any other field is refused. */
  acceptsSessionField: (name: string): boolean => ['provider', 'surface', 'session_id'].includes(name),

  /** What is taken for a session of what a send holds in its place. */
  readSession: (value: unknown): unknown => value,

  /** A part of a session as a string; `undefined` for anything else. */
  readSessionPart: (_name: string, value: unknown): string | undefined =>
    typeof value === 'string' ? value : undefined,

  acceptsProvider: (provider: string): boolean => surfacesByProvider.has(provider),

  /** The neutral word for a provider, by which its rules go. */
  neutralProvider: (provider: string): string => provider,

  /** Each provider has surfaces of its own. */
  acceptsSurface: (provider: string, surface: string): boolean =>
    surfacesByProvider.get(provider)?.includes(surface) ?? false,

  maxSessionIdLength: (): number => 128,

  acceptsProviderASession: (sessionId: string): boolean => lowercaseUuid.test(sessionId),

  acceptsProviderBSession: (sessionId: string): boolean =>
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(sessionId),

  /** In the cloud, `new` is no session of provider_b, however it is written. */
  acceptsProviderBCloudSession: (sessionId: string): boolean => sessionId.toLowerCase() !== 'new',

  acceptsProviderCSession: (sessionId: string): boolean => lowercaseUuid.test(sessionId),

  /** Date, time and 6 or 8 lowercase hexadecimal digits. */
  acceptsProviderDSession: (sessionId: string): boolean =>
    /^[0-9]{8}_[0-9]{6}_[0-9a-f]{6}(?:[0-9a-f]{2})?$/.test(sessionId),

  /** The date of a provider_d session has to be in the calendar. */
  acceptsProviderDDate: (year: number, month: number, day: number): boolean =>
    month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month),

  /** The time of a provider_d session has to be on the clock; a leap second is not. */
  acceptsProviderDTime: (hour: number, minute: number, second: number): boolean =>
    hour <= 23 && minute <= 59 && second <= 59,

  /** The length of an agent host is counted in characters, not in UTF-16 units. */
  agentHostLength: (agentHost: string): number => Array.from(agentHost).length,

  minAgentHostLength: (): number => 1,

  maxAgentHostLength: (): number => 80,
} as const;

const surfacesByProvider: ReadonlyMap<string, readonly string[]> = new Map([
  ['provider_a', ['desktop', 'cli']],
  ['provider_b', ['desktop', 'cli', 'cloud']],
  ['provider_c', ['cli']],
  ['provider_d', ['cli']],
]);

const lowercaseUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
