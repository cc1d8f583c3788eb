import { describe, expect, it } from 'vitest';
import { changesOf, serversOf, sinceInWords, stateIn } from '../../../reporters/site/servers.ts';
import { check, clause, finding, footer, header, tally } from '../events.ts';
import { namedRun, runOn } from './sites.ts';

const [limit, bytes] = ['mentions.limit.max', 'send.content-bytes'] as const;

/** Given in any order. */
const history = [
  runOn('2026-03-03', bytes),
  runOn('2026-03-01'),
  runOn('2026-03-04', bytes),
  runOn('2026-03-02', limit),
].map((events) => namedRun(['one', events]));

describe('the history of a server', () => {
  const [server] = serversOf(history);
  if (server === undefined) throw new Error('no server');

  it('is its runs in the order in which they began, of which the newest counts', () => {
    expect(server.runs.map(({ run }) => run.header?.startedAt.slice(0, 10))).toEqual([
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
      '2026-03-04',
    ]);
    expect(stateIn(server.newest, bytes)).toBe('failed');
    expect(stateIn(server.newest, limit)).toBe('passed');
  });

  it('says since when a clause stands as it does now, without a run between that says otherwise', () => {
    expect(sinceInWords(server, bytes)).toBe('since 2026-03-03 09:30');
    expect(sinceInWords(server, limit)).toBe('since 2026-03-03 09:30');
    expect(sinceInWords(server, 'mentions.ascending')).toBe('since 2026-03-01 09:30 or earlier');
    const [alone] = serversOf(history.slice(0, 1));
    expect(alone === undefined ? '' : sinceInWords(alone, bytes)).toBe('2026-03-03 09:30');
  });

  it('tells what the newest run has otherwise than the one before', () => {
    expect(changesOf(server)).toEqual({ broke: [], fixed: [] });
    const [earlier] = serversOf(history.slice(0, 2).concat(history.slice(3)));
    const restating = ['limits.content-max', 'limits.mentions-limit-max'];
    expect(earlier === undefined ? undefined : changesOf(earlier)).toEqual({
      broke: expect.arrayContaining([bytes, restating[0]]),
      fixed: expect.arrayContaining([limit, restating[1]]),
    });
  });
});

describe('servers', () => {
  it('stand in the order in which they are named, and are told apart by their whole names', () => {
    const named = ['b', 'a', 'B', 'b'].map((name) => namedRun([name, runOn('2026-03-01')]));
    const servers = serversOf(named);
    expect(servers.map(({ name, runs }) => [name, runs.length])).toEqual([
      ['b', 2],
      ['a', 1],
      ['B', 1],
    ]);
    expect(servers.map(({ safeName }) => safeName)).toEqual(['b', 'a', 'B-2']);
  });

  it('have as inconclusive what a narrowed run and a run that was stopped did not tell of', () => {
    const stopped = [
      header(),
      check('mentions.limit', 'a page keeps its limit', [clause('mentions.limit.max')]),
      finding({ clause: 'send.content-bytes' }),
      footer({ end: 'interrupted', exitCode: 130, checks: tally(1) }),
    ];
    const [server] = serversOf([namedRun(['one', stopped])]);
    const states = [limit, bytes, 'mentions.ascending', 'send.unknown-fields'].map(
      (id) => server && stateIn(server.newest, id),
    );
    expect(states).toEqual(['passed', 'failed', 'inconclusive', 'silent']);
  });
});
