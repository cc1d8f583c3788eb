// `npm run pin`: pins the ids of new checks and clauses, and adds the checks to the requirement sets that are not frozen.
// `npm run pin -- --drop` also lets go of ids that are no longer there.
import { existsSync, writeFileSync } from 'node:fs';
import { packageFile } from '../../spec/index.ts';
import { currentIds, missingFrom, pinnedIdsPath, readPinnedIds } from './pinned-ids.ts';
import type { PinnedIds } from './pinned-ids.ts';
import { readRequirementSet, requirementPath, requirementSetNames } from './requirement-sets.ts';

const current = currentIds();
const earlier: PinnedIds = existsSync(packageFile(pinnedIdsPath))
  ? readPinnedIds()
  : { checks: [], clauses: [] };
const gone = missingFrom(current, earlier);

if (gone.checks.length + gone.clauses.length > 0 && !process.argv.includes('--drop')) {
  const listed = [...gone.checks, ...gone.clauses].map((id) => `  ${id}\n`).join('');
  process.stderr.write(`pinned ids are gone; ids are never renamed (--drop lets go of them):\n${listed}`);
  process.exitCode = 1;
} else {
  pin();
}

function pin(): void {
  writeFileSync(packageFile(pinnedIdsPath), `${JSON.stringify(current, null, 2)}\n`);
  for (const name of requirementSetNames()) {
    if (!readRequirementSet(name).isFrozen)
      writeFileSync(packageFile(requirementPath(name)), requirementText(name));
  }
  const fresh = missingFrom(earlier, current);
  const added = [...fresh.checks, ...fresh.clauses].map((id) => `  + ${id}\n`).join('');
  process.stdout.write(
    `${current.checks.length} checks and ${current.clauses.length} clauses are pinned\n${added}`,
  );
}

function requirementText(name: string): string {
  const head = `# The checks that decide conformance to version ${name} of the contract. While \`frozen\` is false, \`npm run pin\` adds every
# new check; once it is true the list never changes, and later checks run without being scored.
contract: ${name}
frozen: false
checks:
`;
  return head + current.checks.map((id) => `  - ${id}\n`).join('');
}
