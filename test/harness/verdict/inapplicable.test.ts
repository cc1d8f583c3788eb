import { describe, expect, it } from 'vitest';
import { columnsByClause } from '../../../harness/verdict/tally.ts';
import { markedInapplicable, mayBeInapplicable } from '../../../harness/verdict/inapplicable.ts';
import { check, clause } from '../../reporters/events.ts';
import type { CheckEvent, ClauseVerdict } from '../../../harness/results/generated/events.ts';

const absent = new Map([['files', 'this server has no files']] as const);

function ended(id: string, ...verdicts: readonly Partial<ClauseVerdict>[]): CheckEvent {
  return check(
    id,
    id,
    verdicts.map((each) => clause('file.immutable', { verdict: 'inconclusive', judged: 0, ...each })),
  );
}

const lost = { reason: 'no answer in time', trouble: 'too-slow' } as const;

describe('what asks nothing of a server without a part', () => {
  it('is every clause of that part that is open, whether the target lacks something or trouble kept it open', () => {
    const events = [
      ended('file.upload', { reason: 'the target has no file', enable: 'hooks.file' }),
      ended('mentions.changes', lost, { clause: 'message.content-type.kept', ...lost }),
    ];
    expect(events.map((event) => mayBeInapplicable(event, []))).toEqual([true, true]);
    const marked = events.map((event) => markedInapplicable(event, [], absent));
    expect(Object.fromEntries(columnsByClause(marked))).toEqual({
      'file.immutable': 'notApplicable',
      'message.content-type.kept': 'inconclusive',
    });
    const [, changes] = marked;
    expect(changes?.clauses).toEqual([
      {
        clause: 'file.immutable',
        level: 'must',
        verdict: 'inconclusive',
        judged: 0,
        inapplicable: absent.get('files'),
      },
      { clause: 'message.content-type.kept', level: 'must', verdict: 'inconclusive', judged: 0, ...lost },
    ]);
  });

  it('is nothing that was decided, nor anything of a server that has the part', () => {
    const passed = ended('file.upload', { verdict: 'passed', judged: 1 });
    expect(mayBeInapplicable(passed, [])).toBe(false);
    expect(markedInapplicable(passed, [], absent).clauses).toEqual(passed.clauses);
    const open = ended('file.upload', lost);
    expect(markedInapplicable(open, [], new Map()).clauses).toEqual(open.clauses);
  });
});
