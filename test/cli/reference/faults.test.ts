import { describe, expect, it } from 'vitest';
import { faultLines, faultsNamed } from '../../../cli/serve/faults.ts';

describe('faults by name', () => {
  it('are none without a name', async () => {
    expect((await faultsNamed({ variant: [] }, 1)).options).toEqual({});
  });

  it('replace the rules of the mutant, or of all variants together', async () => {
    const broken = await faultsNamed({ mutant: '21-mentions-are-cut', variant: [] }, 1);
    expect(broken.options.rules?.maxMentions?.()).toBe(1_000);
    const variant = ['channels-start-at-2-to-the-60', 'events-start-at-2-to-the-60'];
    const { rules } = (await faultsNamed({ variant }, 1)).options;
    expect(rules?.firstChannelSequence?.('a', 1n)).toBeGreaterThanOrEqual(2n ** 60n);
    expect(rules?.firstEventSequence?.()).toBeGreaterThanOrEqual(2n ** 60n);
  });

  it.each([
    [
      { mutant: '21-mentions-are-cutt', variant: [] },
      'there is no mutant "21-mentions-are-cutt"; did you mean 21-mentions-are-cut?',
    ],
    [
      { variant: ['texts-are-escape'] },
      'there is no variant "texts-are-escape"; did you mean texts-are-escaped?',
    ],
    [{ variant: ['completely-unlike-any'] }, 'npx conform reference --list shows all'],
    [{ mutant: '21-mentions-are-cut', variant: ['texts-are-escaped'] }, 'give one of them'],
    [{ variant: ['texts-are-escaped', 'integers-are-written-with-an-exponent'] }, 'do not go together'],
  ])('are refused where they are unknown or do not go together: %j', async (names, words) => {
    await expect(faultsNamed(names, 1)).rejects.toThrow(words);
  });

  it('are listed with a line each, and no name twice', async () => {
    const lines = await faultLines();
    const names = lines.map((line) => /^--(?:mutant|variant) [\w-]+ {2}\S/.exec(line)?.[0]);
    expect(names).not.toContain(undefined);
    expect(new Set(names.map((name) => name?.slice(0, -1))).size).toBe(lines.length);
    expect(lines.length).toBeGreaterThan(2_000);
  });
});
