import { front, json } from '../../fixtures/front.ts';
import { type Meeting, rows, words } from '../frame/row.ts';

/** A server that refuses no limit: the check of it fails. */
const failing = front({
  instead: ({ call, request }) =>
    call === 'mentions' && request.url?.includes('limit=101') === true
      ? json('200 OK', '{"mentions":[],"page":{"next_after":0,"has_more":false,"high_watermark":0}}')
      : undefined,
});

/** A command that is green, and whose report is lost. */
function lostOnAFullDisk(line?: string): Meeting {
  return {
    ...(line !== undefined && { args: words(line) }),
    stdout: 'full',
    onlyWith: 'dev-full',
    expected: { exit: 2, says: 'conform: the output could not be written (ENOSPC)' },
  };
}

/** Outputs that nobody reads to the end, that are full, or that are narrow. */
export const pipeRows = rows({
  'a failing run before `head -1` has the exit code of a failing run': {
    server: failing,
    stdout: 'first-line',
    expected: { exit: 1, says: 'conform 0.1.0' },
  },
  'a failing run with a full standard output has the exit code of a failing run': {
    server: failing,
    stdout: 'full',
    onlyWith: 'dev-full',
    expected: { exit: 1, says: 'conform: the output could not be written (ENOSPC)' },
  },
  'a failing run in a terminal of 20 columns is reported': {
    server: failing,
    stdout: { columns: 20 },
    onlyWith: 'script',
    expected: { exit: 1, says: 'mentions.limit.max' },
  },
  'a run that is green ends with 2 where its report was lost on a full disk': lostOnAFullDisk(),
});

/** The same of other commands, every night. */
export const otherPipeRows = rows({
  'a list of clauses before `head -1` is no error': {
    args: words('clauses'),
    stdout: 'first-line',
    expected: { exit: 0, says: '' },
  },
  'a campaign before `head -1` goes on to its end': {
    args: words('fuzz --target conform.yaml --cases 10 --out out'),
    stdout: 'first-line',
    expected: { exit: 0, says: 'seed' },
  },
  'a run without a standard output ends as it would with one': {
    server: failing,
    stdout: 'closed',
    expected: { exit: 1, says: '' },
  },
  'a page of the doctor in a terminal of one column is printed': {
    args: words('doctor --target conform.yaml'),
    stdout: { columns: 1 },
    onlyWith: 'script',
    expected: { exit: 0, says: 'must clauses' },
  },
  'a green run before `head -1` has the exit code of a green run': {
    stdout: 'first-line',
    expected: { exit: 0, says: 'conform 0.1.0' },
  },
  'a campaign in a terminal of 20 columns is reported': {
    args: words('fuzz --target conform.yaml --cases 10 --out out'),
    stdout: { columns: 20 },
    onlyWith: 'script',
    expected: { exit: [0, 3], says: 'failed' },
  },
  'a page of the doctor with a full standard output is no crash': {
    args: words('doctor --target conform.yaml'),
    stdout: 'full',
    onlyWith: 'dev-full',
    expected: { exit: 2, says: 'conform: the output could not be written (ENOSPC)' },
  },
  'a campaign that is green ends with 2 where its report was lost on a full disk': lostOnAFullDisk(
    'fuzz --target conform.yaml --cases 10 --out out',
  ),
  'a list of clauses ends with 2 where it was lost on a full disk': lostOnAFullDisk('clauses'),
  'a stress run that is green ends with 2 where its report was lost on a full disk': lostOnAFullDisk(
    'stress --target conform.yaml --time 1s --clients 2',
  ),
});
