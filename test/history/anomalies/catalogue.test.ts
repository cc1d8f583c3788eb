import { describe, expect, it } from 'vitest';
import { type AnomalyName, catalogue, clausesOf } from '../../../history/anomalies/catalogue.ts';
import { judges, judgesByFile } from '../../../history/judges/index.ts';
import { clauseOf } from '../../../spec/index.ts';

const names = Object.keys(catalogue) as readonly AnomalyName[];

/** Anomalies that the contract only implies, or does not speak of in words; all others are forbidden. */
const onlyInferred: readonly AnomalyName[] = [
  'above-watermark',
  'conflict-concurrent-double',
  'duplicate',
  'feed-order-disagreement',
  'hidden-from-reader',
  'issued-cursor-conflict',
  'left-out',
  'missed-wakeup',
  'monotonic-reads',
  'nonmonotonic-send',
  'read-your-writes',
  'replay-conflict',
  'resurrection',
  'stale-read',
  'unexpected',
  'watermark-regression',
  'wrong-size',
];

describe('the catalogue', () => {
  it('has a judge for each clause, and each judge speaks of clauses of the catalogue alone', () => {
    const judged = new Set(judges.flatMap(({ clauses }) => clauses));
    expect([...judged].toSorted()).toEqual([...clausesOf(...names)].toSorted());
  });

  it('has a judge for each anomaly, in the file that it is said to be in', async () => {
    const all = Object.values(judgesByFile).flatMap(({ anomalies }) => anomalies);
    expect(new Set(all)).toEqual(new Set(names));
    for (const [file, judge] of Object.entries(judgesByFile)) {
      const exported = (await import(`../../../history/judges/${file}`)) as object;
      expect(Object.values(exported), file).toContain(judge);
    }
  });

  it('has anomalies of levels that can be broken', () => {
    const levels = names.map((name) => [name, clausesOf(name).map((id) => clauseOf(id).level)] as const);
    expect(levels.filter(([, each]) => each.includes('silent'))).toEqual([]);
    const inferred = levels.filter(([, each]) => each.every((level) => level === 'inferred'));
    expect(inferred.map(([name]) => name).toSorted()).toEqual(onlyInferred);
  });

  it('says of each anomaly what it is', () => {
    const texts = names.map((name) => catalogue[name].what);
    expect(new Set(texts).size).toBe(names.length);
    expect(texts.filter((text) => !/^[a-z].*[^.]$/.test(text))).toEqual([]);
  });
});
