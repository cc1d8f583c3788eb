// `npm run pin`: adds the ids of new checks to the requirement sets that are not frozen. `npm run pin -- --drop` also lets
// these sets go of ids that are no longer there.
import { writeFileSync } from 'node:fs';
import { packageFile } from '../../spec/index.ts';
import { checkIds, goneFrom, unpinnedIn } from './check-ids.ts';
import {
  readRequirementSet,
  requirementPath,
  requirementSetNames,
  type RequirementFile,
} from './requirement-sets.ts';

const current = checkIds();
const mayDrop = process.argv.includes('--drop');
for (const name of requirementSetNames()) pin(readRequirementSet(name));

function pin(set: RequirementFile): void {
  const gone = goneFrom(set, current);
  if (gone.length > 0 && (set.isFrozen || !mayDrop)) {
    const way = set.isFrozen ? '' : ' (--drop lets go of them)';
    process.stderr.write(
      `${set.name}: pinned ids are gone; ids are never renamed${way}:\n${lines(gone, ' ')}`,
    );
    process.exitCode = 1;
    return;
  }
  if (set.isFrozen) return;
  writeFileSync(packageFile(requirementPath(set.name)), requirementText(set.name));
  process.stdout.write(
    `${set.name}: ${current.length} checks are pinned\n${lines(unpinnedIn(set, current), '+')}`,
  );
}

function lines(ids: readonly string[], sign: string): string {
  return ids.map((id) => `  ${sign} ${id}\n`).join('');
}

function requirementText(name: string): string {
  const head = `# The checks that decide conformance to version ${name} of the contract. While \`frozen\` is false, \`npm run pin\` adds every
# new check; once it is true the list never changes, and later checks run without being scored.
contract: ${name}
frozen: false
checks:
`;
  return head + current.map((id) => `  - ${id}\n`).join('');
}
