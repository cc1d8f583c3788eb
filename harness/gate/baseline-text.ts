import { stringify } from 'yaml';
import type { CheckEvent, ClauseVerdict } from '../results/generated/events.ts';

const baselineHead = `# Known failures: they do not fail a run, and an entry that no longer fails is an error. Each needs a reason;
# \`expires: 2026-01-31\` is the last day on which it is valid. \`check\` alone means all its clauses, \`clause\` alone
# every check and every finding, \`finding\` what a campaign found.
`;

/**
 * A file of known failures for what a run found broken, one entry per check and clause, sorted; what was known keeps its
 * reason, the others need one before the file can be read. A list without entries when nothing is broken.
 */
export function baselineText(events: readonly CheckEvent[], { isStrict }: { isStrict: boolean }): string {
  const isBroken = ({ verdict }: ClauseVerdict): boolean =>
    verdict === 'failed' || (isStrict && verdict === 'warned');
  const entries = events
    .filter(({ isScored }) => isScored !== false)
    .flatMap(({ check, clauses }) =>
      clauses.filter(isBroken).map(({ clause, known = '' }) => ({ check, clause, reason: known })),
    );
  return baselineHead + stringify(entries.toSorted(byCheckAndClause), { lineWidth: 0 });
}

/** The same for what a campaign found, one entry for each root; of what its whole history shows the root is the clause. */
export function findingsText(
  found: readonly { readonly root: string; readonly known?: string | undefined }[],
): string {
  const entries = found.map(({ root, known = '' }) => ({
    root,
    entry: { ...(root.includes(' | ') ? { finding: root } : { clause: root }), reason: known },
  }));
  return (
    baselineHead +
    stringify(
      entries.toSorted((a, b) => (a.root < b.root ? -1 : 1)).map(({ entry }) => entry),
      { lineWidth: 0 },
    )
  );
}

interface NamedPart {
  readonly check: string;
  readonly clause: string;
}

function byCheckAndClause(a: NamedPart, b: NamedPart): number {
  const [first, second] = [`${a.check} ${a.clause}`, `${b.check} ${b.clause}`];
  return first < second ? -1 : first > second ? 1 : 0;
}
