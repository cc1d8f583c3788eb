import { registerDigest } from '../../spec/index.ts';
import { targetDigest } from '../config/target-digest.ts';
import type { Target } from '../config/target.ts';
import type { HeaderEvent, Profile } from '../results/generated/events.ts';
import { contractVersion, suiteVersion } from '../results/suite-version.ts';

/** The header of the stream of a run or a campaign that begins now. */
export function streamHeader(
  target: Target,
  profile: Profile,
  {
    command,
    ...what
  }: Pick<HeaderEvent, 'checks' | 'campaign'> & { readonly command?: readonly string[] | undefined },
): HeaderEvent {
  return {
    type: 'header',
    format: 1,
    suiteVersion: suiteVersion(),
    contractVersion,
    registerDigest: registerDigest(),
    baseUrl: target.baseUrl,
    ...(command === undefined ? {} : { command }),
    targetDigest: targetDigest(target),
    profile,
    ...what,
    startedAt: new Date().toISOString(),
  };
}
