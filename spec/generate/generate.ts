import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateClauseData, readRegister } from './generate-clauses.ts';
import { generateOpenPage, generateTargetPage } from './generate-pages.ts';
import { generateEventTypes, generateTypes } from './generate-types.ts';
import { clauses, clientClauses } from '../clauses.ts';
import { packageFile } from '../package-file.ts';
import { generateSourceDigests, sourceDigestsPath } from './source-digests.ts';

/** A file of `spec/generated` or a page, and the pure function that makes its text from the specification. */
interface GeneratedFile {
  /** From the package root, with `/` separators. */
  readonly path: string;
  readonly text: () => string | Promise<string>;
}

/** All that `npm run generate` writes; a test holds each of them against its source. */
export const generatedFiles: readonly GeneratedFile[] = [
  { path: 'spec/generated/types.ts', text: generateTypes },
  { path: 'harness/results/generated/events.ts', text: generateEventTypes },
  { path: 'spec/generated/clauses.json', text: () => generateClauseData('clauses') },
  { path: 'spec/generated/client-clauses.json', text: () => generateClauseData('client-clauses') },
  { path: 'docs/target-file.md', text: generateTargetPage },
  { path: 'docs/left-open.md', text: generateOpenPage },
];

/**
 * Writes every generated file below the package root, replacing what is there. The digests of the contract's text are
 * made only when that is at hand: `contractPath` says where.
 */
async function writeGeneratedFiles(contractPath: string | undefined): Promise<void> {
  for (const { path, text } of generatedFiles) {
    const target = packageFile(path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, await text());
  }
  if (contractPath === undefined) return;
  writeFileSync(packageFile(sourceDigestsPath), generateSourceDigests(readFileSync(contractPath, 'utf8')));
}

/**
 * Ids of clauses that were generated before and that the register no longer has. They stand in baselines and gates: none
 * is ever renamed, so `npm run generate` refuses to go on without them unless told to by `--drop`.
 */
export function clausesGone(
  before: readonly { readonly id: string }[],
  now: readonly { readonly id: string }[],
): readonly string[] {
  const left = new Set(now.map(({ id }) => id));
  return before.map(({ id }) => id).filter((id) => !left.has(id));
}

const isProgram =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isProgram) {
  const gone = clausesGone(
    [...clauses, ...clientClauses],
    [...readRegister(), ...readRegister('client-clauses')],
  );
  if (gone.length > 0 && !process.argv.includes('--drop')) {
    const listed = gone.map((id) => `  ${id}\n`).join('');
    process.stderr.write(`clauses are gone; ids are never renamed (--drop lets go of them):\n${listed}`);
    process.exitCode = 1;
  } else await writeGeneratedFiles(process.env['CONTRACT']);
}
