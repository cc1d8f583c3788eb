import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clauses, clientClauses } from '../../spec/clauses.ts';
import { isAt, placesOf, statesSomething } from '../../spec/generate/contract-places.ts';
import {
  generateSourceDigests,
  readSourceDigests,
  sourceDigestsPath,
} from '../../spec/generate/source-digests.ts';
import { packageFile } from '../../spec/package-file.ts';

/** The runs of `length` words of a text, letter case and punctuation aside. */
function runsOfWords(text: string, length: number): readonly string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(length - 1).map((_, index) => words.slice(index, index + length).join(' '));
}

describe('the places that clauses come from', () => {
  it('each have a digest: `CONTRACT=path npm run generate` makes them', () => {
    const digests = readSourceDigests();
    const lost = [...clauses, ...clientClauses].filter(
      ({ source }) => digests.filter((digest) => isAt(source, digest)).length !== 1,
    );
    expect(lost.map(({ id, source }) => ({ id, source }))).toEqual([]);
  });

  it('are each stated by a clause where they state something', () => {
    const missed = readSourceDigests().filter(
      (digest) => digest.isStatement && !clauses.some(({ source }) => isAt(source, digest)),
    );
    expect(missed).toEqual([]);
  });
});

// The contract is not part of this repository: CONTRACT is the path of its text.
const path = process.env['CONTRACT'];

describe.skipIf(path === undefined)('the clause register beside the contract that CONTRACT points to', () => {
  const contract = path === undefined ? '' : readFileSync(path, 'utf8');
  const places = placesOf(contract);

  it('takes each clause from one place that exists', () => {
    const lost = [...clauses, ...clientClauses].filter(
      ({ source }) => places.filter((place) => isAt(source, place)).length !== 1,
    );
    expect(lost.map(({ id, source }) => ({ id, source }))).toEqual([]);
  });

  it('takes at least one clause from every place that states something', () => {
    const missed = places.filter((place) => !clauses.some(({ source }) => isAt(source, place)));
    expect(missed.filter(statesSomething).map(({ heading, text }) => ({ heading, text }))).toEqual([]);
  });

  it('keeps the digests of this text', () => {
    expect(readFileSync(packageFile(sourceDigestsPath), 'utf8')).toBe(generateSourceDigests(contract));
  });

  it('shares no run of seven words with it', () => {
    const theirs = new Set(runsOfWords(contract, 7));
    const ours = [...clauses, ...clientClauses].flatMap(({ text, untestable = '' }) => [
      ...runsOfWords(text, 7),
      ...runsOfWords(untestable, 7),
    ]);
    expect(ours.filter((run) => theirs.has(run))).toEqual([]);
  });
});
