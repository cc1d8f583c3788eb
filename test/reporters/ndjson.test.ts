import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStream, type RecordedRun } from '../../harness/results/stream.ts';
import { ndjsonReporter } from '../../reporters/ndjson.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { footer, runs } from './events.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';

describe('the NDJSON reporter', () => {
  const folder = ownFolder('conform-ndjson-');

  function recorded(path: string): Promise<RecordedRun> {
    return readStream(readFileSync(path, 'utf8').split('\n'));
  }

  it('has each event in the file when the call returns', async () => {
    const path = join(folder, 'results.ndjson');
    const reporter = ndjsonReporter(path, new KnownSecrets());
    const events = runs['one failed with two exchanges'];
    for (const [index, event] of events.entries()) {
      reporter.event(event);
      expect((await recorded(path)).events).toEqual(events.slice(0, index + 1));
    }
    expect((await recorded(path)).isWhole).toBe(true);
  });

  it('leaves a readable part when the run breaks off', async () => {
    const path = join(folder, 'results.ndjson');
    const reporter = ndjsonReporter(path, new KnownSecrets());
    for (const event of runs['without a footer']) reporter.event(event);
    reporter.end();
    expect(await recorded(path)).toMatchObject({ isWhole: false, footer: undefined });
  });

  it('makes the folder, and begins the file again', async () => {
    const path = join(folder, 'reports', 'today', 'results.ndjson');
    for (const events of [runs['one failed with two exchanges'], runs['all passed']]) {
      const reporter = ndjsonReporter(path, new KnownSecrets());
      for (const event of events) reporter.event(event);
    }
    expect((await recorded(path)).events).toEqual(runs['all passed']);
  });

  it('takes nothing after the footer', () => {
    const path = join(folder, 'results.ndjson');
    const reporter = ndjsonReporter(path, new KnownSecrets());
    for (const event of runs['all passed']) reporter.event(event);
    expect(() => reporter.event(footer())).toThrow('is closed');
    reporter.end();
  });

  it('says at once that a file cannot be written', () => {
    expect(() => ndjsonReporter(folder, new KnownSecrets())).toThrow('EISDIR');
  });
});
