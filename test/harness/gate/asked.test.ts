import { describe, expect, it } from 'vitest';
import { askedFor } from '../../../harness/gate/asked.ts';
import { selectChecks, type Selection } from '../../../harness/gate/select-checks.ts';
import type { CheckEvent, Verdict } from '../../../harness/results/generated/events.ts';
import { checkOf } from '../../fixtures/check.ts';
import { check, clause } from '../../reporters/events.ts';

const all = [
  checkOf('send.at-the-limit', { clauses: ['send.content-bytes', 'service.sent-is-readable'] }),
  checkOf('mentions.pages-ascend', { clauses: ['mentions.ascending'] }),
];

function asked(given: Partial<Selection>) {
  const selection = { checks: [], clauses: [], areas: [], ...given };
  return askedFor({ all, taken: selectChecks(all, selection) }, selection);
}

/** `send.content-bytes passed` each. */
function event(id: string, ...said: readonly string[]): CheckEvent {
  const clauses = said.map((each) => {
    const [name = '', verdict] = each.split(' ');
    return clause(name, { verdict: verdict as Verdict });
  });
  return check(id, id, clauses);
}

/** What is told of a selection. */
function told(given: Partial<Selection>, ...events: readonly CheckEvent[]): readonly string[] {
  const wanted = asked(given);
  return events.flatMap((each) => {
    const part = wanted === undefined ? each : wanted.partOf(each);
    return part === undefined ? [] : [`${part.check}: ${part.clauses.map(({ clause }) => clause).join(' ')}`];
  });
}

const send = event('send.at-the-limit', 'send.content-bytes passed', 'service.sent-is-readable passed');
const mentions = event('mentions.pages-ascend', 'mentions.ascending passed');
const wire = event('wire.page', 'page.next-after.type passed', 'page.has-more.type inconclusive');
const broken = event('wire.page', 'page.next-after.type failed', 'page.has-more.type passed');

describe('what a narrowed run tells of', () => {
  it('is everything where nothing is named', () => {
    expect(told({}, send, wire)).toHaveLength(2);
    expect(told({ isBesideOthers: true }, send, wire)).toHaveLength(2);
  });

  it('is a check that was named, and of those that watch what they found', () => {
    const given = { checks: ['send.at-the-limit'] };
    expect(told(given, send, wire, broken)).toEqual([
      'send.at-the-limit: send.content-bytes service.sent-is-readable',
      'wire.page: page.next-after.type',
    ]);
    expect(asked(given)?.count).toBe(1);
  });

  it('is what watches where that was named, and none of the checks that it watches', () => {
    const given = { checks: ['wire.page'] };
    expect(told(given, send, mentions, wire)).toEqual(['wire.page: page.next-after.type page.has-more.type']);
    expect(asked(given)?.count).toBe(1);
    expect(told(given, event('send.at-the-limit', 'send.content-bytes failed'))).toHaveLength(1);
  });

  it('is of a clause what its check says of it', () => {
    const given = { clauses: ['send.content-bytes'] };
    expect(told(given, send, wire)).toEqual(['send.at-the-limit: send.content-bytes']);
    expect([...(asked(given)?.clausesWith([]) ?? [])].toSorted()).toEqual([
      'limits.content-max',
      'send.content-bytes',
    ]);
  });

  it('is of a clause that nothing but the wire shows what was seen there', () => {
    expect(told({ clauses: ['page.next-after.type'] }, send, mentions, wire)).toEqual([
      'wire.page: page.next-after.type',
    ]);
  });

  it('is an area, whatever the wire shows beside it', () => {
    expect(told({ areas: ['mentions'] }, mentions, wire)).toEqual([
      'mentions.pages-ascend: mentions.ascending',
    ]);
    expect(told({ areas: ['wire'] }, mentions, wire)).toHaveLength(1);
  });

  it('is by a pattern what it matches, and what watches only where it matches nothing else', () => {
    expect(told({ checks: ['*.pa*'] }, mentions, wire)).toEqual([
      'mentions.pages-ascend: mentions.ascending',
    ]);
    expect(told({ checks: ['*.page'] }, mentions, wire)).toHaveLength(1);
  });
});
