import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scenarios } from '../../scenarios/catalogue/index.ts';
import { packageFile } from '../../spec/index.ts';
import { root } from '../docs/pages.ts';
import { runFolder } from '../run-folder.ts';
import { nothing, shownBy } from '../selftest/clients/played.ts';
import { tool } from './example.ts';

const folder = join(runFolder(), 'example-clients');
const script = packageFile('examples/client-python/client.py');
const compile =
  '--ignoreConfig --target es2023 --module nodenext --types node --rewriteRelativeImportExtensions';

/** Each with what makes it, where that is needed. */
const clients = [
  {
    language: 'TypeScript',
    make: `npx tsc ${compile} --outDir ${folder} examples/client/agent.ts`,
    command: [process.execPath, join(folder, 'agent.js')],
  },
  { language: 'Python', make: 'python3 --version', command: ['python3', script] },
  {
    language: 'Go',
    make: `go build -C examples/client-go -o ${join(folder, 'agent')} .`,
    command: [join(folder, 'agent')],
  },
] as const;

describe.each(clients)('the example client in $language', ({ make, command }) => {
  let made: ReturnType<typeof tool>;

  beforeAll(() => {
    made = tool('sh', ['-ec', make], { cwd: root });
  }, 120_000);

  it('breaks nothing in any scenario, nor does its traffic show anything of either side', async ({
    skip,
  }) => {
    skip(/not found/.test(made.output), made.output);
    expect(made.isDone, made.output).toBe(true);
    expect(await shownBy(command, scenarios)).toEqual(nothing);
  }, 300_000);
});
