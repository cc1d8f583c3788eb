import { describe, expect, it } from 'vitest';
import { timelineOf } from '../../../harness/judging/timeline.ts';
import { operationsAround } from '../../../history/anomalies/around.ts';
import { timeline } from '../../../reporters/page/timeline-plot.ts';
import { timelineText } from '../../../reporters/story/timeline-text.ts';
import { read, restart, send } from '../../fuzz/stress/operations.ts';

const witness = [
  send(100, 120, { client: 'client 2', index: 30 }),
  read(110, 115, { client: 'client 10', index: 31, after: 4 }),
];

describe('the timeline of a stream', () => {
  const others = Array.from({ length: 1_000 }, (_, index) =>
    send(index, index + 0.5, { client: 'client 3', index }),
  );
  const operations = [...others.slice(0, 110), ...witness, restart(112, 118), ...others.slice(110)];
  const around = operationsAround(operations, witness);
  const { operations: shown } = timelineOf(witness, around);

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

  it('says of what an operator did whether it was done', () => {
    const [change] = timelineOf([restart(112, 118)]).operations;
    expect(change?.text).toMatch(/operator {2}restart -> done$/);
  });

  it('is bounded however many operations show the finding, which go before others', () => {
    const bounded = timelineOf(others.slice(500, 650), others).operations;
    expect(bounded).toHaveLength(200);
    expect(bounded.filter(({ letter }) => letter !== undefined)).toHaveLength(150);
    expect(JSON.stringify(bounded).length).toBeLessThan(60_000);
  });

  it('is drawn with a row for each client, a band for a restart, and the words of what shows it', () => {
    const { text } = timeline({ operations: shown });
    const [picture = ''] = text.split('</table>');
    expect([...picture.matchAll(/<th scope="row">(.*?)</g)].map(([, name]) => name)).toEqual([
      'client 2',
      'client 3',
      'client 10',
    ]);
    expect(picture.match(/class="band"/g)).toHaveLength(3);
    expect(picture.match(/class="accepted shown"/g)).toHaveLength(2);
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

describe('the words of a timeline', () => {
  it('are each operation with its letter, by time, and where clients met a row for each', () => {
    const [one, other] = [send(30, 60, { client: 'client 10' }), send(0, 60)];
    expect(timelineText(timelineOf([one, other]))).toEqual([
      expect.stringMatching(/^A {2}client 1: #0 {2}0\.0-60\.0 ms {2}author {2}sends [^(]*$/),
      expect.stringMatching(/^B {2}client 10: #0 {2}30\.0-60\.0 ms .*\(the cause\)$/),
      `client 1  A${'─'.repeat(59)}`,
      `client 10 ${'·'.repeat(30)}B${'─'.repeat(29)}`,
    ]);
  });

  it('are no picture of one client, and nothing without operations', () => {
    expect(timelineText(timelineOf([send(0, 60)]))).toHaveLength(1);
    expect(timelineText(timelineOf([]))).toEqual([]);
  });
});
