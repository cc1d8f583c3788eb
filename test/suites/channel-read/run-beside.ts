import { targetOfReference } from '../../../embedded/embedded-reference.ts';
import type { Check } from '../../../harness/check/check.ts';
import type { Target } from '../../../harness/config/target.ts';
import { startReference } from '../../../reference/index.ts';
import type { Reference } from '../../../reference/index.ts';
import { channelReadChecks as everyChannelReadCheck } from '../../../suites/channel-read/index.ts';
import { pageChecks } from '../../../suites/page/index.ts';
import { withoutOperator } from '../operator-checks.ts';
import { runOn } from '../run-suite.ts';
import type { ReferenceOptions, SuiteRun } from '../run-suite.ts';

/** One waits for a second, the other sends contents of the largest size. */
const longest = ['channel-read.waiting-read-wakes', 'page.byte-cap-loses-nothing'];

/** The checks of channel reads and of their pages. */
export const channelReadChecks: readonly Check[] = [...withoutOperator(everyChannelReadCheck), ...pageChecks];

/** The checks of channel reads but for those that take longest. */
export const shortChecks: readonly Check[] = channelReadChecks.filter(({ id }) => !longest.includes(id));

/** Runs checks against a reference while somebody else sends `foreign` to the channel, with the author's token. */
export async function runBeside(
  foreign: string | undefined,
  checks: readonly Check[],
  options: ReferenceOptions,
  adjusted: Partial<Target> = {},
): Promise<SuiteRun> {
  const reference = await startReference(options);
  const timer = setInterval(() => void send(reference, foreign), 4);
  try {
    return await runOn(checks, { ...targetOfReference(reference), ...adjusted });
  } finally {
    clearInterval(timer);
    await reference.close();
  }
}

async function send({ baseUrl, world }: Reference, content: string | undefined): Promise<void> {
  if (content === undefined) return;
  await fetch(`${baseUrl}/v0/channels/${world.channelId}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.roles.author.token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ content }),
  }).catch(() => undefined);
}
