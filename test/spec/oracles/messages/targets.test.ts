import { describe, expect, it } from 'vitest';
import { judgeTargets, showsTarget } from '../../../../spec/oracles/messages/targets.ts';

const agent = { kind: 'agent', id: '0b' };
const user = { kind: 'user', id: '0c' };

describe('the targets of a message', () => {
  it.each([
    ['the same', [agent, user], 2, 0],
    ['in another order', [user, agent], 2, 0],
    ['one repeated', [agent, user, agent], 2, 0],
    ['in upper case', [{ ...agent, id: '0B' }, user], 2, 0],
    ['one missing', [agent], 2, 1],
    ['one added', [agent, user, { kind: 'agent', id: '0d' }], 3, 1],
    ['one of another kind', [agent, { ...user, kind: 'machine' }], 3, 2],
    ['none', [], 2, 2],
    ['no list', undefined, 2, 2],
    ['no object', ['agent 0b'], 3, 3],
    ['null', [null], 3, 3],
  ])('are those that were named: %s', (_name, shown, judged, problems) => {
    const judgement = judgeTargets([agent, user], shown);
    expect(judgement.judged).toBe(judged);
    expect(judgement.problems).toHaveLength(problems);
  });

  it('are named where they are missing or too many', () => {
    expect(judgeTargets([agent], [user]).problems).toEqual([
      { expected: 'the target agent 0b', actual: 'it is missing' },
      { expected: 'the targets that were named', actual: 'user 0c' },
    ]);
    expect(judgeTargets([], ['agent 0b', null]).problems.map(({ actual }) => actual)).toEqual([
      'no target but string',
      'no target but object',
    ]);
  });

  it('are looked up by kind and id', () => {
    expect(showsTarget([agent], agent)).toBe(true);
    expect(showsTarget([agent], { ...agent, kind: 'user' })).toBe(false);
    expect(showsTarget(undefined, agent)).toBe(false);
  });
});
