import { describe, expect, it } from 'vitest';
import { operationsAround } from '../../../history/anomalies/around.ts';
import { timeline } from '../../../reporters/page/timeline-plot.ts';
import { findingLines } from '../../../reporters/stress/finding-lines.ts';
import { timelineLines } from '../../../reporters/stress/timeline-lines.ts';
import { timelineSvg } from '../../../reporters/stress/timeline-svg.ts';
import { timelineOf } from '../../../reporters/stress/timeline.ts';
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

describe('the timeline of a stream', () => {
  const others = Array.from({ length: 1_000 }, (_, index) =>
    send(index, index + 0.5, { client: 'client 3', index }),
  );
  const operations = [...others.slice(0, 110), ...witness, restart(112, 118), ...others.slice(110)];
  const around = operationsAround(operations, witness);
  const { operations: shown } = timelineOf({ lead, around });

  it('has what shows the finding with letters, and what ended shortly before and after', () => {
    expect(shown.length).toBeLessThan(50);
    const lettered = shown.flatMap(({ letter, client, startMs, endMs }) =>
      letter === undefined ? [] : [[letter, client, startMs, endMs]],
    );
    expect(lettered).toEqual([
      ['A', 'client 2', 10, 30],
      ['B', 'client 10', 20, 25],
    ]);
    expect(shown.filter(({ outcome }) => outcome === 'change')).toMatchObject([{ client: 'operator' }]);
  });

  it('is bounded however many operations show the finding, which go before others', () => {
    const many = { lead: { ...lead, witness: others.slice(500, 650) }, around: others };
    const bounded = timelineOf(many).operations;
    expect(bounded).toHaveLength(200);
    expect(bounded.filter(({ letter }) => letter !== undefined)).toHaveLength(150);
    expect(JSON.stringify(bounded).length).toBeLessThan(60_000);
  });

  it('is drawn with a row for each client, a band for a restart, and the words of what shows it', () => {
    const { text } = timeline({ operations: shown });
    expect([...text.matchAll(/<th scope="row">(.*?)</g)].map(([, name]) => name)).toEqual([
      'client 2',
      'client 3',
      'client 10',
    ]);
    expect(text.match(/class="band"/g)).toHaveLength(3);
    expect(text.match(/class="accepted shown"/g)).toHaveLength(2);
    expect(text).toMatch(/<li><b>A<\/b> client 2: #30 {2}10\.0-30\.0 ms/);
    expect(text.indexOf('<b>A</b>')).toBeLessThan(text.indexOf('<b>B</b>'));
  });

  it('has no text of anybody as markup', () => {
    const hostile = { ...shown[0], client: '<script>', text: '</svg><script>', letter: '"' } as const;
    const { text } = timeline({ operations: [{ outcome: 'accepted', startMs: 0, endMs: 0, ...hostile }] });
    expect(text).not.toMatch(/<script>|<\/svg><script/);
    expect(text).not.toContain('NaN');
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
