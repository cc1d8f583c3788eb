import { describe, expect, it } from 'vitest';
import { presenceIn } from '../../../harness/stream/stream-view.ts';

const presence = (reading: string): string =>
  presenceIn(reading.split(''), {
    isIt: (each) => each === 'i',
    isLater: (each) => each === 'l',
    isOlder: (each) => each === 'o',
  });

describe('the absence of a message', () => {
  it('counts between an older and a later one that are visible', () =>
    expect(presence('o?l')).toBe('absent'));

  it.each(['', 'o', 'l', '??'])('does not count in a reading that shows %j', (reading) =>
    expect(presence(reading)).toBe('unknown'),
  );

  it.each(['i', 'oil', 'li'])('is none in a reading that shows %j', (reading) =>
    expect(presence(reading)).toBe('there'),
  );
});
