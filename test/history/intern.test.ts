import { describe, expect, it } from 'vitest';
import { Intern } from '../../history/intern.ts';
import type { SeenMessage } from '../../history/seen-message.ts';

const plain: SeenMessage = {
  id: 'one',
  workspace: 'w',
  channel: 'c',
  sequence: 1,
  author: { id: 'a', displayName: 'A', host: undefined, human: null, machine: undefined, session: undefined },
  content: undefined,
  contentType: undefined,
  sizeBytes: undefined,
  createdAt: '0',
  targets: [],
  files: [],
};

describe('a message that is shown in another form with every answer', () => {
  it('is not compared with all forms of it', () => {
    const intern = new Intern({ runId: 'cf-1' });
    let looks = 0;
    const watched = Object.defineProperty({ ...plain }, 'createdAt', {
      get: () => {
        looks += 1;
        return '0';
      },
      enumerable: true,
    });
    expect(intern.message(watched)).toBe(watched);
    for (let time = 1; time <= 1_000; time += 1) intern.message({ ...plain, createdAt: `${time}` });
    expect(looks).toBeLessThan(100);
  });

  it('is one object for each form all the same', () => {
    const intern = new Intern({ runId: 'cf-1' });
    const { author } = plain;
    if (author === undefined) throw new Error('no author');
    const forms: readonly SeenMessage[] = [
      ...Array.from({ length: 60 }, (_, time) => ({ ...plain, createdAt: `${time}` })),
      { ...plain, workspace: undefined },
      { ...plain, sequence: 2n ** 60n },
      { ...plain, sequence: Number(2n ** 60n) },
      { ...plain, targets: ['agent:a', 'agent:b'] },
      { ...plain, files: ['agent:a', 'agent:b'] },
      { ...plain, targets: ['agent:a,agent:b'] },
      { ...plain, leftOut: 'files' },
      { ...plain, repeatsTarget: true },
      { ...plain, author: undefined },
      { ...plain, author: { ...author, human: undefined } },
      { ...plain, author: { ...author, human: { id: 'h', displayName: null } } },
      { ...plain, author: { ...author, human: { id: 'h', displayName: undefined } } },
      { ...plain, author: { ...author, human: { id: 'h', displayName: 'null' } } },
      { ...plain, author: { ...author, machine: { id: 'h', displayName: null } } },
      { ...plain, author: { ...author, session: '{}' } },
    ];
    const first = forms.map((form) => intern.message(form));
    expect(new Set(first).size).toBe(forms.length);
    const again = forms.map((form) => intern.message({ ...form }));
    again.forEach((form, index) => expect(form).toBe(first[index]));
  });

  it('is one item for each list of its retrievals', () => {
    const intern = new Intern({ runId: 'cf-1' });
    const message = intern.message(plain);
    const shown = (agents: readonly string[] | undefined) =>
      intern.item({
        sequence: 1,
        id: 'one',
        message,
        receipts: agents === undefined ? undefined : { agents, hasMore: false },
      });
    const lists = [
      undefined,
      ...Array.from({ length: 100 }, (_, count) => Array.from({ length: count }, String)),
    ];
    const first = lists.map(shown);
    expect(new Set(first).size).toBe(lists.length);
    expect(lists.map(shown).every((item, index) => item === first[index])).toBe(true);
  });
});
