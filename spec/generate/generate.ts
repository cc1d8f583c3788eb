import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateClauseData, generateClauseIds } from './generate-clauses.ts';
import { generateTypes } from './generate-types.ts';
import { packageFile } from '../package-file.ts';
import { generateSourceDigests, sourceDigestsPath } from './source-digests.ts';

/** A file of `spec/generated`, and the pure function that makes its text from the specification. */
export interface GeneratedFile {
  /** From the package root, with `/` separators. */
  readonly path: string;
  readonly text: () => string | Promise<string>;
}

/** All that `npm run generate` writes; a test holds each of them against its source. */
export const generatedFiles: readonly GeneratedFile[] = [
  { path: 'spec/generated/types.ts', text: generateTypes },
  { path: 'spec/generated/clause-ids.ts', text: generateClauseIds },
  { path: 'spec/generated/clauses.json', text: generateClauseData },
];

/**
 * Writes every generated file below the package root, replacing what is there. The digests of the contract's text are
 * made only when that is at hand: `contractPath` says where.
 */
export async function writeGeneratedFiles(contractPath: string | undefined): Promise<void> {
  for (const { path, text } of generatedFiles) {
    const target = packageFile(path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, await text());
  }
  if (contractPath === undefined) return;
  writeFileSync(packageFile(sourceDigestsPath), generateSourceDigests(readFileSync(contractPath, 'utf8')));
}

const isProgram =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isProgram) await writeGeneratedFiles(process.env['CONTRACT']);
