import { registerDigest } from '../../spec/index.ts';
import { targetDigest } from '../config/target-digest.ts';
import type { Target } from '../config/target.ts';
import type { HeaderEvent, Profile } from '../results/generated/events.ts';
import { contractVersion, suiteVersion } from '../results/suite-version.ts';

/** The header of the stream of a command that begins now, at a target or about a file, as `file:history.ndjson`. */
export function streamHeader(
  tested: Target | string,
  profile: Profile,
  {
    command,
    ...what
  }: Pick<HeaderEvent, 'checks' | 'campaign' | 'orderSeed'> & {
    readonly command?: readonly string[] | undefined;
  },
): HeaderEvent {
  return {
    type: 'header',
    format: 1,
    suiteVersion: suiteVersion(),
    contractVersion,
    registerDigest: registerDigest(),
    baseUrl: typeof tested === 'string' ? tested : tested.baseUrl,
    ...(command === undefined ? {} : { command }),
    ...(typeof tested === 'string' ? {} : { targetDigest: targetDigest(tested) }),
    profile,
    ...what,
    startedAt: new Date().toISOString(),
  };
}
