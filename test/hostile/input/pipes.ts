import { front, json } from '../../fixtures/front.ts';
import { oneCheck, type Row, words } from '../frame/row.ts';

/** A server that refuses no limit: the check of it fails. */
const failing = front({
  instead: ({ call, request }) =>
    call === 'mentions' && request.url?.includes('limit=101') === true
      ? json('200 OK', '{"mentions":[],"page":{"next_after":0,"has_more":false,"high_watermark":0}}')
      : undefined,
});

/** A command that is green, and whose report is lost. */
function lostOnAFullDisk(args: readonly string[]): Row {
  return {
    name: `${args.find((word) => /^[a-z]+$/.test(word)) ?? 'a run'} that is green ends with 2 where its report was lost on a full disk`,
    args,
    stdout: 'full',
    onlyWith: 'dev-full',
    expected: { exit: 2, says: 'conform: the output could not be written (ENOSPC)' },
  };
}

/** Outputs that nobody reads to the end, that are full, or that are narrow. */
export const pipeRows: readonly Row[] = [
  {
    name: 'a failing run before `head -1` has the exit code of a failing run',
    server: failing,
    args: oneCheck,
    stdout: 'first-line',
    expected: { exit: 1, says: 'conform 0.1.0' },
  },
  {
    name: 'a failing run with a full standard output has the exit code of a failing run',
    server: failing,
    args: oneCheck,
    stdout: 'full',
    onlyWith: 'dev-full',
    expected: { exit: 1, says: 'conform: the output could not be written (ENOSPC)' },
  },
  lostOnAFullDisk(oneCheck),
  {
    name: 'a failing run in a terminal of 20 columns is reported',
    server: failing,
    args: oneCheck,
    stdout: { columns: 20 },
    onlyWith: 'script',
    expected: { exit: 1, says: 'mentions.limit.max' },
  },
];

/** The same of other commands, every night. */
export const otherPipeRows: readonly Row[] = [
  ...[
    words('fuzz --target conform.yaml --cases 10 --out out'),
    words('clauses'),
    words('stress --target conform.yaml --time 1s --clients 2'),
  ].map(lostOnAFullDisk),
  {
    name: 'a list of clauses before `head -1` is no error',
    args: words('clauses'),
    stdout: 'first-line',
    expected: { exit: 0, says: '' },
  },
  {
    name: 'a campaign before `head -1` goes on to its end',
    args: words('fuzz --target conform.yaml --cases 10 --out out'),
    stdout: 'first-line',
    expected: { exit: 0, says: 'seed' },
  },
  {
    name: 'a run without a standard output ends as it would with one',
    server: failing,
    args: oneCheck,
    stdout: 'closed',
    expected: { exit: 1, says: '' },
  },
  {
    name: 'a page of the doctor in a terminal of one column is printed',
    args: words('doctor --target conform.yaml'),
    stdout: { columns: 1 },
    onlyWith: 'script',
    expected: { exit: 0, says: 'must clauses' },
  },
  {
    name: 'a green run before `head -1` has the exit code of a green run',
    args: oneCheck,
    stdout: 'first-line',
    expected: { exit: 0, says: 'conform 0.1.0' },
  },
  {
    name: 'a campaign in a terminal of 20 columns is reported',
    args: words('fuzz --target conform.yaml --cases 10 --out out'),
    stdout: { columns: 20 },
    onlyWith: 'script',
    expected: { exit: [0, 3], says: 'failed' },
  },
  {
    name: 'a page of the doctor with a full standard output is no crash',
    args: words('doctor --target conform.yaml'),
    stdout: 'full',
    onlyWith: 'dev-full',
    expected: { exit: 2, says: 'conform: the output could not be written (ENOSPC)' },
  },
];
