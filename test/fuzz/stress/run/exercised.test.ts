import { describe, expect, it } from 'vitest';
import { addExercised, exercisedIn } from '../../../../fuzz/stress/run/exercised.ts';
import { read, restart, send } from '../operations.ts';

describe('exercisedIn', () => {
  it('counts nothing in an empty history', () => {
    expect(Object.values(exercisedIn([])).every((count) => count === 0)).toBe(true);
  });

  it('takes operations for concurrent that overlap, and not those that follow each other', () => {
    const apart = exercisedIn([send(0, 10), send(11, 20), read(21, 30)]);
    expect(apart).toMatchObject({ sends: 2, reads: 1, sendsBesideSends: 0, readsBesideSends: 0 });
    const together = exercisedIn([send(0, 10), send(9, 20), read(19, 30), read(21, 22)]);
    expect(together).toMatchObject({ sendsBesideSends: 2, readsBesideSends: 1 });
  });

  it('counts keys that are used again, at once and later, by one agent in one channel', () => {
    const sends = [
      send(0, 10, { key: 'k' }),
      send(5, 12, { key: 'k' }),
      send(20, 30, { key: 'k' }),
      send(20, 30, { key: 'k', agent: 'reader' }),
      send(20, 30, { key: 'k', channel: 'd' }),
    ];
    expect(exercisedIn(sends)).toMatchObject({ repeatedKeys: 2, keysAtOnce: 1 });
  });

  it('counts polls that were held back, and no others', () => {
    const reads = [
      read(0, 900, { wait: 1 }),
      read(0, 10, { wait: 1 }),
      read(0, 900, { wait: 0 }),
      read(0, 900),
    ];
    expect(exercisedIn(reads).polls).toBe(1);
    // A server that is far away answers no sooner.
    expect(exercisedIn([read(0, 90, { wait: 1 }), read(0, 80)]).polls).toBe(0);
  });

  it('counts sends without an answer, and what a restart met', () => {
    const operations = [
      send(0, 10),
      send(5, 30, { outcome: 'indeterminate', status: undefined }),
      // It had one, though nobody knows what became of it.
      send(6, 7, { outcome: 'indeterminate', status: 500 }),
      restart(20, 40),
      read(41, 50),
    ];
    expect(exercisedIn(operations)).toMatchObject({ unanswered: 1, restarts: 1, acrossRestarts: 1 });
  });

  it('leaves out reads that were not answered, but for the count of requests', () => {
    const operations = [read(0, 1, { outcome: 'refused' }), restart(2, 3)];
    expect(exercisedIn(operations)).toMatchObject({ reads: 0, requests: 1 });
  });

  it('is added up over chapters', () => {
    const one = exercisedIn([send(0, 10)]);
    const { sends, messages, bytesWritten } = addExercised(one, one);
    expect({ sends, messages, bytesWritten }).toEqual({
      sends: 2,
      messages: 2,
      bytesWritten: 2 * one.bytesWritten,
    });
  });

  it('counts a message once, however often its key was used, and its bytes', () => {
    const content = { bytes: 7 } as unknown as NonNullable<ReturnType<typeof send>['content']>;
    const sends = [
      send(0, 1, { key: 'k', content }),
      send(2, 3, { key: 'k', content }),
      send(4, 5, { content }),
    ];
    const refused = send(6, 7, { content, outcome: 'refused' });
    expect(exercisedIn([...sends, refused])).toMatchObject({ sends: 4, messages: 2, bytesWritten: 14 });
  });
});
