import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { didYouMean } from '../../harness/gate/names-meant.ts';
import type { RequirementSet } from '../../harness/gate/scoring.ts';
import { InvalidTarget, SuiteBug } from '../../harness/errors.ts';
import { packageFile } from '../../spec/index.ts';

/** A requirement set as its file holds it. */
export interface RequirementFile extends RequirementSet {
  /** False while checks are still added to it; from the suite's release for that version on it never changes. */
  readonly isFrozen: boolean;
}

const folder = 'suites/release/requirements';

/** Names of the sets, one a version of the contract, oldest first. */
export function requirementSetNames(): readonly string[] {
  const files = readdirSync(packageFile(folder)).filter((file) => file.endsWith('.yaml'));
  const names = files.map((file) => file.slice(0, -'.yaml'.length));
  return names.toSorted(new Intl.Collator('en', { numeric: true }).compare);
}

/** The set of the newest version. */
export function newestRequirementSet(): RequirementFile {
  return readRequirementSet(requirementSetNames().at(-1) ?? '');
}

/**
 * The set of one version of the contract.
 * @throws InvalidTarget when there is none of that name
 */
export function readRequirementSet(name: string): RequirementFile {
  const names = requirementSetNames();
  if (!names.includes(name)) {
    const known = [...names, 'none'];
    throw new InvalidTarget(
      `there is no requirement set ${JSON.stringify(name)}${didYouMean(name, known) || `; there are ${known.join(', ')}`}`,
    );
  }
  return requirementsIn(readFileSync(packageFile(requirementPath(name)), 'utf8'), name);
}

/** From the package root. */
export function requirementPath(name: string): string {
  return `${folder}/${name}.yaml`;
}

function requirementsIn(text: string, name: string): RequirementFile {
  const content: unknown = parse(text);
  const fields = typeof content === 'object' && content !== null ? (content as Record<string, unknown>) : {};
  const { contract, frozen, checks } = fields;
  const isSound =
    Object.keys(fields).length === 3 &&
    contract === name &&
    typeof frozen === 'boolean' &&
    Array.isArray(checks) &&
    checks.every((id) => typeof id === 'string');
  if (!isSound)
    throw new SuiteBug(`${requirementPath(name)} needs contract: ${name}, frozen and a list of checks`);
  return { name, isFrozen: frozen, checks: new Set(checks as string[]) };
}
