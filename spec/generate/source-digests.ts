import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { clauses } from '../clauses.ts';
import { isAt, type Place, placesOf, statesSomething } from './contract-places.ts';
import { packageFile } from '../package-file.ts';

/** A place of the contract without its words. */
export interface SourceDigest extends Omit<Place, 'text'> {
  /** False for labels and introductions, whose coming and going says nothing. */
  readonly isStatement: boolean;
  /** sha256 in hex of its text, runs of blanks and the number of an item aside. */
  readonly sha256: string;
}

/** From the package root. */
export const sourceDigestsPath = 'spec/generated/source-digests.json';

/** Every place of a contract's text as a digest, in its order. */
export function digestsOf(contract: string): readonly SourceDigest[] {
  return placesOf(contract).map((place) => {
    const { text, ...where } = place;
    // An item's number is its place, not its words.
    const normal = text.replace(/^\d+\. /, '').replace(/\s+/g, ' ');
    return {
      ...where,
      isStatement: statesSomething(place),
      sha256: createHash('sha256').update(normal).digest('hex'),
    };
  });
}

/** The places of the text that the register was written from. */
export function readSourceDigests(): readonly SourceDigest[] {
  const text = readFileSync(packageFile(sourceDigestsPath), 'utf8');
  return (JSON.parse(text) as { places: readonly SourceDigest[] }).places;
}

/** The text of `spec/generated/source-digests.json`, one place a line: those that state something or have a clause. */
export function generateSourceDigests(contract: string): string {
  const origin = 'Generated from the text of the contract by `CONTRACT=path npm run generate`; do not edit.';
  const kept = digestsOf(contract).filter(
    (digest) => digest.isStatement || clauses.some(({ source }) => isAt(source, digest)),
  );
  const lines = kept.map((digest) => `  ${JSON.stringify(digest)}`);
  return `{ "$comment": ${JSON.stringify(origin)}, "places": [\n${lines.join(',\n')}\n] }\n`;
}
