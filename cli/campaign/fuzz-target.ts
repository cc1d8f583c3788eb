import { InvalidTarget } from '../../harness/errors.ts';
import { isLoopback } from '../../harness/config/base-url.ts';
import type { Target } from '../../harness/config/target.ts';
import { retaining } from '../../reference/model/settings.ts';
import { openTarget } from '../shared/open-target.ts';
import type { TargetOptions } from '../shared/target-options.ts';

/** What a campaign may write to a server of one's own, in bytes. */
const loopbackBytes = 16 * 1024 ** 3;
/** Messages that the embedded reference keeps, so that a long campaign leaves its memory as it is. */
const keptMessages = 20_000;

/** Options of a target that a campaign understands beside those of every command. */
interface FuzzTargetOptions extends TargetOptions {
  /** Requests a second at most. */
  readonly rate?: number;
}

/**
 * The server to fuzz. A campaign writes a lot: off loopback somebody has to say how much it may.
 * @throws InvalidTarget when nobody has
 */
export async function fuzzTarget(
  options: FuzzTargetOptions,
  what = 'fuzzing',
): Promise<{ readonly target: Target; readonly close: () => Promise<void> }> {
  const { target, close } = await openTarget(options, {
    settings: retaining(keptMessages),
  });
  if (!isLoopback(target.baseUrl) && options.maxBytes === undefined && !target.limits.isReadOnly) {
    await close();
    throw new InvalidTarget(
      `${what} writes messages that cannot be deleted: set a limit with --max-bytes, or write nothing with --read-only`,
    );
  }
  const maxBytes = options.maxBytes ?? loopbackBytes;
  const ratePerSecond = options.rate ?? target.limits.ratePerSecond;
  return { target: { ...target, limits: { ...target.limits, maxBytes, ratePerSecond } }, close };
}
