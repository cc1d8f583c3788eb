/** What is left to tidy up at once if the process ends now; what came last is tidied first. */
const pending = new Set<() => void>();

/**
 * Tidies up if the process ends before the returned function is called, by whatever way ends it that runs listeners: a second Ctrl-C
 * does not wait for anything else. `tidy` is synchronous; what it throws is nobody's concern any more.
 */
export function atExit(tidy: () => void): () => void {
  const own = (): void => tidy();
  if (pending.size === 0) process.on('exit', tidyAll);
  pending.add(own);
  return () => {
    pending.delete(own);
    if (pending.size === 0) process.off('exit', tidyAll);
  };
}

function tidyAll(): void {
  for (const tidy of [...pending].toReversed()) {
    try {
      tidy();
    } catch {
      // The rest is tidied all the same.
    }
  }
  pending.clear();
}
