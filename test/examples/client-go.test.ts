import { describe, expect, it } from 'vitest';
import { packageFile } from '../../spec/index.ts';
import { conform } from '../cli/conform.ts';
import { fencedLines, root } from '../docs/pages.ts';
import { tool } from './example.ts';

const [build, judge] = fencedLines.flatMap(({ page, line }) =>
  page === 'examples/client-go/README.md' ? [line] : [],
);

describe.skipIf(!tool('go', ['version']).isDone)('the example client in Go', () => {
  it('is built and judged as its page says, and conforms', async () => {
    const built = tool('sh', ['-ec', build ?? ''], { cwd: root });
    expect(built.isDone, built.output).toBe(true);
    expect(judge).toBe('npx conform client -- examples/client-go/agent');
    const agent = packageFile('examples/client-go/agent');
    const { code, stdout } = await conform(['client', '--strict', '--at-once', '8', '--', agent]);
    expect(code, stdout).toBe(0);
  }, 300_000);
});
