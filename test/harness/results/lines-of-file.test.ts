import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../cli/judge/read-history.ts';
import { readResults } from '../../../cli/shared/read-results.ts';
import { linesOfFile } from '../../../harness/results/lines-of-file.ts';
import { writeEvent } from '../../../harness/results/stream.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { runs } from '../../reporters/events.ts';

const folder = ownFolder('lines-');

function written(text: string): string {
  const file = join(folder, 'lines.ndjson');
  writeFileSync(file, text);
  return file;
}

const linesIn = (text: string): readonly string[] =>
  [...linesOfFile(written(text), 100)].map((line) => line.text);

describe('a byte order mark', () => {
  it('is no part of the first line, and stays anywhere else', () => {
    expect(linesIn('\uFEFFone\ntwo')).toEqual(['one', 'two']);
    expect(linesIn('\uFEFF')).toEqual([]);
    expect(linesIn('one\n\uFEFFtwo')).toEqual(['one', '\uFEFFtwo']);
  });

  it('changes nothing about results and histories', () => {
    const stream = runs['all passed'].map(writeEvent).join('');
    expect(readResults([written(`\uFEFF${stream}`)])).toEqual(readResults([written(stream)]));
    const history = '{"history":1,"runId":"x","settleMs":1}\n';
    expect(readHistory(written(`\uFEFF${history}`)).facts.runId).toBe('x');
  });
});
