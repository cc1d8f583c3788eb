import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { InvalidTarget } from '../../../harness/errors.ts';
import { decidedClauses, requiredClauses, requireText } from '../../../harness/gate/required-clauses.ts';
import { clauses, clientClauses } from '../../../spec/index.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { check, clause } from '../../reporters/events.ts';

const folder = ownFolder('required-');

beforeAll(() => {
  writeFileSync(
    join(folder, 'list.txt'),
    '# the order\nmentions.ascending\n\nsend.content-bytes # and the size\n',
  );
  writeFileSync(join(folder, 'empty.txt'), requireText([]));
  writeFileSync(join(folder, 'slip.txt'), 'mentions.ascending\nsend.content-byte\n');
});

describe('required clauses', () => {
  it('are named by id, by pattern and by file, once each', () => {
    const required = requiredClauses(['send.content-bytes', '@list.txt', 'overview.members.*'], folder);
    expect(required).toContain('mentions.ascending');
    expect(required).toContain('overview.members.active-only');
    expect(required.filter((id) => id === 'send.content-bytes')).toHaveLength(1);
  });

  it('are read back from the list of what a run decided', () => {
    const events = [
      check('send.a', 'one', [
        clause('send.content-bytes', { verdict: 'failed' }),
        clause('mentions.ascending', { verdict: 'passed' }),
        clause('mentions.limit', { verdict: 'inconclusive' }),
      ]),
    ];
    writeFileSync(join(folder, 'decided.txt'), requireText(decidedClauses(events)));
    expect(requiredClauses(['@decided.txt'], folder).toSorted()).toEqual([
      'mentions.ascending',
      'send.content-bytes',
    ]);
  });

  it('are those of clients where a history tells of these too', () => {
    const both = [...clauses, ...clientClauses];
    expect(requiredClauses(['client.keys.one-message', 'mentions.ascending'], folder, both)).toEqual([
      'mentions.ascending',
      'client.keys.one-message',
    ]);
    expect(() => requiredClauses(['mentions.ascending'], folder, clientClauses)).toThrow(
      'mentions.ascending is a clause of servers, which are not judged here',
    );
  });

  it('leave out what no client can decide when a pattern or the word must names it', () => {
    const decided = clauses.filter(({ level, untestable }) => level !== 'silent' && untestable === undefined);
    expect(requiredClauses(['*'], folder)).toHaveLength(decided.length);
    const musts = decided.filter(({ level }) => level === 'must').map(({ id }) => id);
    expect(requiredClauses(['must'], folder).toSorted()).toEqual(musts.toSorted());
  });

  it.each([
    ['mentions.ascendin', /did you mean mentions\.ascending\?/],
    ['send.key-lifetime', /can never be decided: the contract leaves it open/],
    ['service.retrieval-proves-nothing-more', /can never be decided: It limits/],
    ['sending.*', /no clause matches/],
    [
      'client.keys.one-message',
      /client\.keys\.one-message is a clause of clients, which are not judged here/,
    ],
    ['@nowhere.txt', /nowhere\.txt: the list of required clauses does not exist/],
    [
      '@empty.txt',
      /empty\.txt: the list of required clauses names no clause, so that nothing would be required/,
    ],
    ['@slip.txt', /slip\.txt:2: there is no clause "send\.content-byte"; did you mean send\.content-bytes/],
  ])('refuse %s', (name, message) => {
    expect(() => requiredClauses([name], folder)).toThrow(InvalidTarget);
    expect(() => requiredClauses([name], folder)).toThrow(message);
  });
});
