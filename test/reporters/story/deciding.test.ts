import { describe, expect, it } from 'vitest';
import { decidingExchange } from '../../../harness/results/deciding-exchange.ts';
import { storyOf } from '../../../reporters/story/story.ts';
import { finding } from '../events.ts';

const [answered] = finding().exchanges;

describe('the request that decides', () => {
  if (answered === undefined) throw new Error('a finding shows an exchange');
  const { response: _response, ...unknown } = answered;

  it('is one of which it is known what came of it', () => {
    expect(decidingExchange({ exchanges: [answered, unknown], actual: '' })).toBe(answered);
    const unanswered = { ...unknown, fault: 'timeout' };
    expect(decidingExchange({ exchanges: [answered, unanswered], actual: '' })).toBe(unanswered);
  });

  it('is the one that the finding names, whatever came after it', () => {
    const later = { ...answered, id: answered.id + 1 };
    const exchanges = [answered, later];
    expect(decidingExchange({ exchanges, decidedBy: answered.id, actual: '' })).toBe(answered);
    expect(decidingExchange({ exchanges, actual: '' })).toBe(later);
  });

  it('is none where that was kept of none', () => {
    const { steps, why } = storyOf(
      finding({ exchanges: [unknown] }),
      { header: undefined, footer: undefined, checks: [] },
      { rerunCommand: () => '', replayCommand: () => '' },
    );
    expect(steps).toMatchObject([
      { isDeciding: false, summary: expect.stringMatching(/, what came of it was not kept$/) },
    ]);
    expect(why).toMatch(/^Got: /);
  });
});
