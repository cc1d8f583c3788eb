import { stringify } from 'yaml';
import { alteredSend } from '../../fuzz/altered-send.ts';
import { type OpenServer, type Row, words } from '../frame/row.ts';
import {
  broken,
  cutting,
  deaf,
  endlessPages,
  fallingSilent,
  limitedForEver,
  slow,
  trickling,
} from './servers.ts';

const servers: Readonly<Record<string, OpenServer>> = {
  'falls silent': fallingSilent,
  'pages without end': endlessPages,
  trickles: trickling,
  'is deaf': deaf,
  'limits for ever': limitedForEver,
  'is broken': broken,
  'cuts each connection': cutting,
  'takes two seconds': slow,
};

/** What each command takes to run for so many seconds at most. */
const commands: Readonly<Record<string, (seconds: number) => string>> = {
  run: (seconds) => `run --budget-ms ${seconds * 1_000}`,
  fuzz: (seconds) => `fuzz --time ${seconds}s --out out`,
  'fuzz by cases': (seconds) => `fuzz --cases 100000 --budget-ms ${seconds * 1_000} --out out`,
  doctor: (seconds) => `doctor --budget-ms ${seconds * 1_000}`,
  replay: (seconds) => `replay failure.json --budget-ms ${seconds * 1_000}`,
  stress: (seconds) => `stress --clients 4 --budget-ms ${seconds * 1_000}`,
  'stress by time': (seconds) => `stress --clients 4 --time ${seconds}s --budget-ms ${seconds * 2_000}`,
};

function rowOf(command: string, behaviour: string): Pick<Row, 'server' | 'given'> {
  const server = servers[behaviour];
  return {
    ...(server === undefined ? {} : { server }),
    given: ({ target, write }) => {
      write(
        'failure.json',
        JSON.stringify(alteredSend('{"content":"{the-mark-of-it} x"}', 'message.content.unaltered')),
      );
      if (command.startsWith('stress')) write('conform.yaml', stringify({ ...target, hooks: {} }));
    },
  };
}

const seconds = 1;

/** Which commands meet which servers: each of both often enough. */
const meetings: Readonly<Record<string, readonly string[]>> = {
  run: ['falls silent', 'pages without end', 'trickles', 'limits for ever', 'takes two seconds'],
  fuzz: ['falls silent', 'pages without end', 'cuts each connection', 'takes two seconds'],
  'fuzz by cases': ['trickles', 'is broken'],
  doctor: ['falls silent', 'pages without end', 'is deaf'],
  replay: ['pages without end', 'trickles', 'takes two seconds', 'is deaf', 'falls silent'],
  stress: ['falls silent', 'pages without end', 'limits for ever'],
  'stress by time': ['cuts each connection'],
};

/** A history of many reads, as a run has kept it. */
function longHistory(): string {
  const stream = 'channel 2bf3184f-5d79-49ae-b00d-c02fc6e97e25';
  const page = { items: [], nextAfter: 0, hasMore: false, highWatermark: 0 };
  const kept = { kind: 'read', outcome: 'accepted', status: 200, isBaseline: true };
  const asked = { ...kept, client: 'a', agent: 'author', call: 'channel-read', stream, after: 0, limit: 100 };
  const lines = Array.from({ length: 60_000 }, (_, index) =>
    JSON.stringify({ index, ...asked, ...page, startedMs: index, endedMs: index + 1 }),
  );
  return ['{"history":1,"runId":"x","settleMs":1,"isDurable":false}', ...lines, ''].join('\n');
}

/** Work that keeps the process busy: it ends within its time too. */
export const busyRows: readonly Row[] = [
  {
    name: 'judge ends in time with a history that takes long',
    given: ({ write }) => write('history.ndjson', longHistory()),
    args: words('judge history.ndjson --budget-ms 100'),
    expected: { exit: 3, says: 'history.ndjson could not be judged: 0.1 s were not enough', budgetS: 1 },
  },
  {
    name: 'judge comes to its end if it may take longer',
    given: ({ write }) => write('history.ndjson', longHistory()),
    args: words('judge history.ndjson'),
    expected: { exit: 0, says: 'nothing failed', budgetS: 10 },
  },
];

/** What is tried again where it cannot be decided. */
export const undecidedRows: readonly Row[] = [
  {
    name: 'replay says that it could not be run where a channel has no end',
    ...rowOf('replay', 'pages without end'),
    args: words('replay failure.json --target conform.yaml'),
    expected: { exit: 3, says: 'could not be run' },
  },
];

/** Each command at servers that keep it waiting: it ends within its time. */
export const limitRows: readonly Row[] = Object.entries(meetings).flatMap(([command, behaviours]) =>
  behaviours.map((behaviour) => ({
    name: `${command} ends in time at a server that ${behaviour}`,
    ...rowOf(command, behaviour),
    args: words(`${commands[command]?.(seconds) ?? ''} --target conform.yaml`),
    expected: { exit: [0, 1, 3], says: '', budgetS: command === 'stress by time' ? 2 * seconds : seconds },
  })),
);

/** A replay has one question: a server that gives no answer has answered it. */
export const silentRows: readonly Row[] = ['is deaf', 'falls silent'].map((behaviour) => ({
  name: `replay without a time limit gives up on a server that ${behaviour}`,
  ...rowOf('replay', behaviour),
  args: words('replay failure.json --target conform.yaml'),
  expected: { exit: 3, says: 'could not be run: the server gave no answer for 7 s', budgetS: 20 },
}));

/** Commands that take longer than a few seconds: each says that it is at work. */
export const meanwhileRows: readonly Row[] = [
  ['run', 'falls silent', /run: 5 s so far, \d+ checks? of \d+ ended/],
  ['doctor', 'is deaf', 'doctor: 5 s so far, at most 7 s'],
  ['replay', 'takes two seconds', 'replay: 5 s so far, at most 7 s'],
  ['stress', 'falls silent', 'stress: 5 s so far, at most 7 s'],
].map(([command, behaviour, says]) => ({
  name: `${String(command)} says that it is at work at a server that ${String(behaviour)}`,
  ...rowOf(String(command), String(behaviour)),
  args: words(`${commands[String(command)]?.(7) ?? ''} --target conform.yaml`),
  expected: { exit: [0, 1, 3], says: says ?? '', budgetS: 7 },
}));

/** Each command at servers that keep it waiting for a minute: it ends soon after Ctrl-C. */
export const interruptRows: readonly Row[] = [
  ['run', 'falls silent'],
  ['run', 'pages without end'],
  ['run', 'is deaf'],
  ['fuzz', 'falls silent'],
  ['fuzz', 'pages without end'],
  ['fuzz', 'is deaf'],
  ['doctor', 'is deaf'],
  ['replay', 'is deaf'],
  ['replay', 'limits for ever'],
  ['stress', 'falls silent'],
  ['stress', 'is deaf'],
].map(([command = '', behaviour = '']) => ({
  name: `${command} ends soon after Ctrl-C at a server that ${behaviour}`,
  ...rowOf(command, behaviour),
  args: words(`${commands[command]?.(60) ?? ''} --target conform.yaml`),
  interrupt: { signal: 'SIGINT', afterMs: 1_200 } as const,
  expected: { exit: 130, says: '', budgetS: 60 },
}));
