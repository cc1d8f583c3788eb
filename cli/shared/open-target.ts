import { openReferenceThread } from '../../embedded/reference-thread.ts';
import type { EmbeddedOptions } from '../../embedded/reference-worker.ts';
import { proxiesFor } from '../../harness/client/dispatcher.ts';
import { usualTargetFile } from '../../harness/config/reading/target-source.ts';
import { secretsOf } from '../../harness/config/target-digest.ts';
import type { Target } from '../../harness/config/target.ts';
import { err, out, secrets } from './output.ts';
import { ownCommand } from './own-command.ts';
import { foundInWords, sourceOf, type TargetOptions } from './target-options.ts';
import { targetOf } from './target-of.ts';

/** A target that is being opened. */
export interface StartedTarget {
  /**
   * What was opened, once it is; says on stdout or stderr what its user has to know.
   * @throws InvalidTarget naming what is wrong, where, and what to do
   */
  readonly target: () => Promise<Target>;
  /** Ends an embedded reference, whether or not anybody asked for the target. */
  readonly close: () => Promise<void>;
}

/** Begins to open the server that options and environment name, or an embedded reference where they name none. */
export function startTarget(options: TargetOptions, embeddedAs: EmbeddedOptions = {}): StartedTarget {
  if (sourceOf(options, process.env).from !== 'nothing') {
    return {
      target: async () => {
        const { target, warnings, source } = targetOf(options, process.env);
        proxiesFor(new URL(target.baseUrl), process.env);
        secrets.learn(secretsOf(target));
        if (options.quiet === true) return target;
        for (const warning of warnings) err.say(`warning: ${warning}\n`);
        out.say(foundInWords(source) ?? '');
        return target;
      },
      close: () => Promise.resolve(),
    };
  }
  const opening = openReferenceThread(embeddedAs);
  // Where nobody asks for it, nobody else hears of it.
  opening.catch(() => {});
  return {
    target: async () => {
      const { target } = await opening;
      secrets.learn(secretsOf(target));
      if (options.quiet !== true) out.say(referenceInWords(target, options.reference === true));
      // A verdict alone would read as one of the server that was meant.
      else if (options.reference !== true)
        err.say(
          `warning: no server given, and no ${usualTargetFile} here: this is about the embedded reference\n`,
        );
      return withFlags(target, options);
    },
    // One that did not open has nothing to end, and whoever asked for it has heard why.
    close: () =>
      opening.then(
        ({ close }) => close(),
        () => {},
      ),
  };
}

/** That the reference is tested, and where nobody asked for it what a server of one's own would take. */
function referenceInWords({ baseUrl }: Target, isAsked: boolean): string {
  const tested = `testing the embedded reference at ${baseUrl}\n`;
  if (isAsked) return tested;
  return `no server given, and no ${usualTargetFile} here; ${tested}${[
    'A server of your own takes:',
    '  --base-url https://host.example/prefix   where it is',
    '  --channel ID                             a channel for tests: what is sent stays',
    '  --author-token env:MY_TOKEN              the token of an agent that may write there',
    `or ${usualTargetFile}, which a run finds: ${ownCommand()} init`,
  ]
    .map((line) => `${line}\n`)
    .join('')}`;
}

/**
 * The server that options and environment name, with warnings on stderr; without one an embedded reference, which
 * `close` ends.
 * @throws InvalidTarget naming what is wrong, where, and what to do
 */
export async function openTarget(
  options: TargetOptions,
  embeddedAs: EmbeddedOptions = {},
): Promise<{ target: Target; close: () => Promise<void> }> {
  const opening = startTarget(options, embeddedAs);
  return { target: await opening.target(), close: opening.close };
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
  const { limits } = target;
  return {
    ...target,
    settleMs,
    budgetMs,
    limits: {
      ratePerSecond: ratePerSecond ?? limits.ratePerSecond,
      maxBytes: maxBytes ?? limits.maxBytes,
      isReadOnly: readOnly ?? limits.isReadOnly,
    },
  };
}
