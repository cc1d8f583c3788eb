import type { TargetShape } from '../harness/config/target-shape.ts';
import type { ResultEvent } from '../harness/results/generated/events.ts';
import type { RunSoFar } from './run-so-far.ts';

/** What the maintainers of the suite need to know about a run, in one file that a person can read before giving it away. */
export interface Bundle {
  readonly bundle: 1;
  readonly versions: {
    /** Of what made the bundle; that of the run is in the header of the stream. */
    readonly suite: string;
    readonly node: string;
    readonly platform: string;
  };
  /** Null where nobody named a target file. */
  readonly target: TargetShape | null;
  /** Header first and footer last; each is a line of a result stream. */
  readonly stream: readonly ResultEvent[];
}

/** The bundle on a run. */
export function bundleOf(
  { header, preflight, checks, findings, observations, footer }: RunSoFar,
  about: Omit<Bundle, 'bundle' | 'stream'>,
): Bundle {
  const stream = [header, preflight, ...checks, ...findings, ...observations, footer];
  return {
    bundle: 1,
    ...about,
    stream: stream.filter((event) => event !== undefined).map(withoutCredentials),
  };
}

/** What carries a credential, whoever's it is. */
const credentials =
  /\b(?:bearer|basic)(?:\s|%20|\+)+[\w.~+/=-]{6,}|\beyJ[\w-]{8,}\.[\w-]+\.?[\w-]*|(?<=\bcookie["']?\s*[:=]\s*["']?)[^"'\s;,][^"'\n]*/gi;

/**
 * A value of JSON without anything that looks like a credential: a bundle is for strangers, and a run knows its own secrets alone,
 * not those that a server hands to others.
 */
function withoutCredentials<T>(value: T): T {
  return cleaned(value, '') as T;
}

function cleaned(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return /^(?:set-)?cookie$/i.test(name) ? '<redacted>' : value.replace(credentials, '<redacted>');
  if (Array.isArray(value)) return value.map((each) => cleaned(each, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, each]) => [
      inner.replace(credentials, '<redacted>'),
      cleaned(each, inner),
    ]),
  );
}
