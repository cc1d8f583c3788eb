/** How a long poll waits. */
export const waitingRules = {
  /** A wait is a plain number of seconds up to the maximum; undefined means refused. */
  readWait: (text: string, maxSeconds: number): number | undefined =>
    /^(?:0|[1-9][0-9]{0,5})$/.test(text) && Number(text) <= maxSeconds ? Number(text) : undefined,

  /** A poll that found nothing waits as long as it asked for. */
  waitMs: (seconds: number): number => seconds * 1000,

  /** A new message wakes the polls of its channel. */
  wakesPolls: (_channelId: string): boolean => true,

  /** Channels whose polls a new message wakes: its own. */
  channelsWoken: (channelId: string, _allChannelIds: () => readonly string[]): readonly string[] => [
    channelId,
  ],

  /** Polls are woken as soon as they can see the message: after `hiddenMs`. */
  wakeAfterMs: (hiddenMs: number): number => hiddenMs,

  /** A woken poll returns what it asked for. */
  limitAfterWake: (limit: number): number => limit,

  /** A woken poll that finds nothing it could return goes on waiting. */
  returnsEmptyAfterWake: (): boolean => false,
} as const;
