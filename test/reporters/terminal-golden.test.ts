import { describe, expect, it } from 'vitest';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { readStream, writeEvent } from '../../harness/results/stream.ts';
import { runs } from './events.ts';
import { shown } from './screen.ts';

const all = Object.entries<readonly ResultEvent[]>(runs);

describe('the terminal report', () => {
  it.each(all)('of a run "%s" reads as its golden file', async (name, events) => {
    const text = shown(events);
    await expect(text).toMatchFileSnapshot(`golden/${name.replaceAll(' ', '-')}.txt`);
  });

  it('lists observations and what preflight informs about when it is verbose', async () => {
    const text = shown(runs['all passed'], { verbose: true });
    await expect(text).toMatchFileSnapshot('golden/verbose.txt');
  });

  it('uses colour when told to', async () => {
    const text = shown(runs['one failed with two exchanges'], { color: true });
    await expect(text.replaceAll('\u001b', '␛')).toMatchFileSnapshot('golden/colour.txt');
  });

  it('stays readable on a narrow screen', async () => {
    const text = shown(runs['one failed with two exchanges'], {}, { columns: 60, isTTY: false });
    await expect(text).toMatchFileSnapshot('golden/narrow.txt');
  });

  it.each(all)('of a run "%s" is the same from its recorded stream', async (_name, events) => {
    const recorded = await readStream(events.map(writeEvent));
    expect(shown(recorded.events)).toBe(shown(events));
  });
});
