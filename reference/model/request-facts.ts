import type { RouteName } from './routes.ts';

/** What rules about access may ask of a request; all of it is looked up only when they do. */
export interface RequestFacts {
  readonly route: RouteName;
  readonly authorization: string | undefined;
  /** A header by its name in small letters. */
  readonly header: (name: string) => string | undefined;
  /** What it came on: the same for all requests of one connection. */
  readonly connection: object;
  /** Decoded query parameters. */
  readonly query: Readonly<Record<string, string>>;
  readonly channelId: string | undefined;
  /** Whether it names a channel beside the default one. */
  readonly isOfOtherChannel: () => boolean;
  /** Whether nothing lies after its cursor; false without one. */
  readonly isPageEmpty: () => boolean;
  /** Whether its idempotency key was used before, by anybody. */
  readonly repeatsKey: () => boolean;
  /** The JSON object that it carries. */
  readonly body: () => Promise<Readonly<Record<string, unknown>>>;
  /** Whether its token let somebody in while it was good. */
  readonly hasWorked: () => boolean;
  /** Every token that was ever issued. */
  readonly tokens: () => readonly string[];
}
