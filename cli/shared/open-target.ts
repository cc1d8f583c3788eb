import type { Target } from '../../harness/config/target.ts';
import { openReferenceThread } from '../../embedded/reference-thread.ts';
import type { EmbeddedOptions } from '../../embedded/reference-worker.ts';
import { namesServer, targetOf } from './target-options.ts';
import type { TargetOptions } from './target-options.ts';

/**
 * The server that options and environment name, with warnings on stderr; without one an embedded reference, which
 * `close` ends.
 * @throws InvalidTarget naming what is wrong, where, and what to do
 */
export async function openTarget(
  options: TargetOptions,
  embeddedAs: EmbeddedOptions = {},
): Promise<{ target: Target; close: () => Promise<void> }> {
  if (namesServer(options, process.env)) {
    const { target, warnings } = targetOf(options, process.env);
    for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
    return { target, close: () => Promise.resolve() };
  }
  const embedded = await openReferenceThread(embeddedAs);
  process.stdout.write(
    `no server named: this is about the embedded reference at ${embedded.target.baseUrl}\n`,
  );
  return { ...embedded, target: withFlags(embedded.target, options) };
}

/** The embedded reference has a target of its own; how it is treated is still for the flags to say. */
function withFlags(target: Target, options: TargetOptions): Target {
  const {
    settleMs = target.settleMs,
    budgetMs = target.budgetMs,
    ratePerSecond,
    maxBytes,
    readOnly,
  } = options;
  const { manners } = target;
  return {
    ...target,
    settleMs,
    budgetMs,
    manners: {
      ratePerSecond: ratePerSecond ?? manners.ratePerSecond,
      maxBytes: maxBytes ?? manners.maxBytes,
      isReadOnly: readOnly ?? manners.isReadOnly,
    },
  };
}
