import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../spec/index.ts';

const root = dirname(packageFile('package.json'));
const files = ['spec', 'harness']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.schema.json'));

describe('the schemas', () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(20);
  });

  // Nothing does so while the program runs.
  it.each(files)('%s is as the meta-schema of 2020-12 wants it', (file) => {
    const ajv = new Ajv2020();
    expect(ajv.validateSchema(JSON.parse(readFileSync(join(root, file), 'utf8')) as object)).toBe(true);
  });
});
