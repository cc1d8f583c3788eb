import { describe, expect, it } from 'vitest';
import { timelineLines } from '../../../reporters/stress/timeline-lines.ts';
import { timelineSvg } from '../../../reporters/stress/timeline-svg.ts';
import { findingLines } from '../../../reporters/stress/finding-lines.ts';
import { read, restart, send } from '../../stress/operations.ts';

const witness = [
  send(100, 120, { client: 'client 2', index: 30 }),
  read(110, 115, { client: 'client 10', index: 31, after: 4 }),
];
const lead = {
  name: 'late-commit',
  clause: 'channel-read.cursor-never-skips',
  expected: 'message <5> & more',
  actual: 'none',
  witness,
  root: 'message 5',
  dependsOn: [],
  breaks: [],
} as const;

describe('timelineSvg', () => {
  const others = Array.from({ length: 100 }, (_, index) =>
    send(10 * index, 10 * index + 5, { client: 'client 3', index }),
  );
  const operations = [...others.slice(0, 11), ...witness, restart(112, 118), ...others.slice(11)];
  const svg = timelineSvg({ operations }, lead, 'failed: late-commit');

  it('has one row for each client, in the order of their numbers', () => {
    const names = [...svg.matchAll(/>(client \d+)<\/text>/g)].map(([, name]) => name);
    expect(names).toEqual(['client 2', 'client 3', 'client 10']);
  });

  it('gives the operations of the witness letters and borders', () => {
    expect(svg.match(/stroke="#b00020"/g)).toHaveLength(2);
    expect([...svg.matchAll(/font-weight="bold">([A-Z])</g)].map(([, letter]) => letter)).toEqual(['A', 'B']);
  });

  it('shows what ended shortly before and after, and no more', () => {
    const bars = svg.match(/<title>client/g) ?? [];
    expect(bars.length).toBeGreaterThan(20);
    expect(bars.length).toBeLessThan(2 * 21 + 2);
  });

  it('has a band for a restart, and a title on everything', () => {
    expect(svg).toMatch(/fill="#eeeeee"><title>[^<]*restart/);
    const rects = svg.match(/<rect /g) ?? [];
    // All but the ground.
    expect(svg.match(/<title>/g)).toHaveLength(rects.length - 1);
  });

  it('refers to nothing outside itself, and no text of a server is markup in it', () => {
    expect(svg).not.toMatch(/href|url\(|<script|<image/);
    expect(svg).toContain('expected message &lt;5&gt; &amp; more');
    const hostile = { ...lead, actual: '</svg><script>"\u0000\ud800' };
    const text = timelineSvg({ operations }, hostile, 'a title');
    expect(text).not.toContain('<script>');
    expect(text).not.toMatch(/[\0\p{Surrogate}]/u);
  });
});

describe('timelineLines', () => {
  it('draws a row for each client, each operation where it was', () => {
    expect(timelineLines([send(0, 60), send(30, 60, { client: 'client 10' })])).toEqual([
      `client 1  A${'─'.repeat(59)}`,
      `client 10 ${'·'.repeat(30)}B${'─'.repeat(29)}`,
    ]);
  });

  it('are none without operations', () => {
    expect(timelineLines([])).toEqual([]);
  });
});

describe('findingLines', () => {
  it('say what is broken, and show it as Let and Then', () => {
    const lines = findingLines({ name: 'late-commit', verdict: 'failed', lead, anomalies: [lead], times: 3 });
    expect(lines.slice(0, 6)).toEqual([
      'failed: late-commit (3 times; the first:)',
      expect.stringMatching(/^ {2}channel-read\.cursor-never-skips {2}must {2}\w/),
      expect.stringMatching(/^ {2}Let A = #30 {2}0\.0-20\.0 ms {2}author {2}sends/),
      expect.stringMatching(/^ {6}B = #31 {2}10\.0-15\.0 ms {2}reader {2}reads channel c after=4/),
      '  Then expected  message <5> & more',
      '       got       none',
    ]);
    expect(lines.length).toBe(8);
  });
});
