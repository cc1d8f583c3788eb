import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../history/operation.ts';
import { simulate } from '../../../selftest/histories/simulate.ts';
import { conformingSeeds, simulateConforming } from './judged.ts';
import { brokenRulesOf } from './plain-rules.ts';

const simulated = await Promise.all(conformingSeeds.map(simulateConforming));

/** Variants that the plainest form of the rules leaves no room for. */
const unplain: ReadonlySet<string> = new Set([
  'a-channel-without-a-cursor-is-a-choice',
  'a-target-is-an-entry-of-its-own',
  'channel-limits-are-ten-at-least',
  'a-session-is-shown-to-its-own-agent',
  'an-older-release-answers-now-and-then',
  'attached-files-show-whole-seconds',
  'every-third-read-shows-whole-seconds',
  'two-releases-take-turns',
]);

describe('a simulated history', () => {
  it('is the same for the same seed', async () => {
    const [seed = 0] = conformingSeeds;
    const [one, other] = simulated;
    expect(await simulate({ seed })).toEqual(one);
    expect(one?.history).not.toEqual(other?.history);
  });

  it('has its operations in the order of their ends, and none that ends before it starts', () => {
    const isInOrder = ({ index, startedMs, endedMs }: Operation, operations: readonly Operation[]): boolean =>
      startedMs <= endedMs && (index === 0 || endedMs >= (operations[index - 1]?.endedMs ?? 0));
    for (const { history } of simulated) {
      const { operations } = history;
      expect(
        operations.filter((each, place) => each.index !== place || !isInOrder(each, operations)),
      ).toEqual([]);
    }
  });

  it('of a conforming service breaks no rule of the contract, in its plainest form', async () => {
    for (const [index, { history, variants }] of simulated.entries()) {
      const plain = variants.filter(({ id }) => !unplain.has(id));
      const seed = conformingSeeds[index] ?? 0;
      const known = plain.length < variants.length ? await simulate({ seed, variants: plain }) : { history };
      expect(brokenRulesOf(known.history), `seed ${seed}`).toEqual([]);
    }
  });

  it('has clients side by side, lost answers, restarts, lagging and gapped streams, and huge sequences', () => {
    const operations = simulated.flatMap(({ history }) => history.operations);
    const count = (is: (operation: Operation) => boolean): number => operations.filter(is).length;
    expect(count(({ kind, outcome }) => kind === 'send' && outcome === 'indeterminate')).toBeGreaterThan(50);
    expect(count(({ kind, outcome }) => kind === 'read' && outcome === 'indeterminate')).toBeGreaterThan(50);
    expect(count((each) => each.kind === 'change' && each.change === 'restart')).toBeGreaterThan(5);
    expect(count((each) => each.kind === 'change' && each.change === 'deactivate')).toBeGreaterThan(5);
    expect(count(({ status }) => status === 403)).toBeGreaterThan(5);
    expect(count(({ status }) => status === 429)).toBeGreaterThan(5);
    expect(count(({ kind, status }) => kind === 'read' && status === 409)).toBeGreaterThan(5);
    expect(count((each) => each.kind === 'read' && typeof each.nextAfter === 'bigint')).toBeGreaterThan(50);
    expect(
      count((each) => each.kind === 'read' && each.hasMore === true && each.items.length === 0),
    ).toBeGreaterThan(20);
    expect(
      count((each) => each.kind === 'read' && each.wait !== undefined && each.items.length > 0),
    ).toBeGreaterThan(50);
  });
});
