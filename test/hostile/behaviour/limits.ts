import { stringify } from 'yaml';
import { givenFailure, type OpenServer, type Row, rows, words } from '../frame/row.ts';
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
      givenFailure({ write });
      if (command.startsWith('stress')) write('conform.yaml', stringify({ ...target, hooks: {} }));
    },
  };
}

const seconds = 1;

/** Which commands meet which servers. */
type Meetings = Readonly<Record<string, readonly string[]>>;

/** Every command, and every server. */
const meetings: Meetings = {
  run: ['pages without end'],
  fuzz: ['cuts each connection'],
  'fuzz by cases': ['trickles', 'is broken'],
  doctor: ['is deaf'],
  replay: ['takes two seconds'],
  stress: ['limits for ever'],
  'stress by time': ['falls silent'],
};

/** Each of them with others of the other. */
const otherMeetings: Meetings = {
  run: ['falls silent', 'trickles', 'limits for ever', 'takes two seconds'],
  fuzz: ['falls silent', 'pages without end', 'takes two seconds'],
  doctor: ['falls silent', 'pages without end'],
  replay: ['trickles', 'is deaf', 'falls silent', 'pages without end'],
  stress: ['falls silent', 'pages without end'],
  'stress by time': ['cuts each connection'],
};

/** A history of many reads, as a run has kept it. */
function longHistory(): string {
  const stream = 'channel 2bf3184f-5d79-49ae-b00d-c02fc6e97e25';
  const page = { items: [], nextAfter: 0, hasMore: false, highWatermark: 0 };
  const kept = { kind: 'read', outcome: 'accepted', status: 200, isBaseline: true };
  const asked = { ...kept, client: 'a', agent: 'author', call: 'channel-read', stream, after: 0, limit: 100 };
  const lines = Array.from({ length: 20_000 }, (_, index) =>
    JSON.stringify({ index, ...asked, ...page, startedMs: index, endedMs: index + 1 }),
  );
  return ['{"history":1,"runId":"x","settleMs":1,"isDurable":false}', ...lines, ''].join('\n');
}

/** Work that keeps the process busy: it ends within its time too. */
export const busyRows = rows({
  'judge ends in time with a history that takes long': {
    given: ({ write }) => write('history.ndjson', longHistory()),
    args: words('judge history.ndjson --budget-ms 100'),
    expected: { exit: 3, says: 'history.ndjson could not be judged: 0.1 s were not enough', budgetS: 1 },
  },
  'judge comes to its end if it may take longer': {
    given: ({ write }) => write('history.ndjson', longHistory()),
    args: words('judge history.ndjson'),
    expected: { exit: 0, says: 'nothing failed', budgetS: 10 },
  },
});

/** What is tried again where it cannot be decided. */
export const undecidedRows = rows({
  'replay says that it could not be run where a channel has no end': {
    ...rowOf('replay', 'pages without end'),
    args: words('replay failure.json --target conform.yaml'),
    expected: { exit: 3, says: 'could not be run' },
  },
});

/** Commands at servers that keep them waiting: each ends within its time. */
function endingInTime(which: Meetings): readonly Row[] {
  return Object.entries(which).flatMap(([command, behaviours]) =>
    behaviours.map((behaviour) => ({
      name: `${command} ends in time at a server that ${behaviour}`,
      ...rowOf(command, behaviour),
      args: words(`${commands[command]?.(seconds) ?? ''} --target conform.yaml`),
      expected: {
        exit: [0, 1, 3],
        says: '',
        budgetS: command === 'stress by time' ? 2 * seconds : seconds,
      },
    })),
  );
}

export const limitRows: readonly Row[] = endingInTime(meetings);

/** A replay has one question: a server that gives no answer has answered it. */
function givingUpAt(behaviour: string): Row {
  return {
    name: `replay without a time limit gives up on a server that ${behaviour}, and says meanwhile that it is at work`,
    ...rowOf('replay', behaviour),
    args: words('replay failure.json --target conform.yaml'),
    expected: {
      exit: 3,
      says: /(?=.*could not be run: the server gave no answer for 7 s)(?=.*replay: 5 s so far, at most 300 s)/,
      budgetS: 20,
    },
  };
}

export const silentRows: readonly Row[] = [givingUpAt('is deaf')];

/** Commands that take longer than a few seconds: each says that it is at work. */
function sayingSoMeanwhile(command: string, behaviour: string, says: string | RegExp): Row {
  return {
    name: `${command} says that it is at work at a server that ${behaviour}`,
    ...rowOf(command, behaviour),
    args: words(`${commands[command]?.(6) ?? ''} --target conform.yaml`),
    expected: { exit: [0, 1, 3], says, budgetS: 6 },
  };
}

/** A command at a server that keeps it waiting for a minute: it ends soon after Ctrl-C. */
function interrupted(command: string, behaviour: string): Row {
  return {
    name: `${command} ends soon after Ctrl-C at a server that ${behaviour}`,
    ...rowOf(command, behaviour),
    args: words(`${commands[command]?.(60) ?? ''} --target conform.yaml`),
    interrupt: { signal: 'SIGINT', afterMs: 600 },
    expected: { exit: 130, says: '', budgetS: 60 },
  };
}

export const interruptRows: readonly Row[] = [
  interrupted('run', 'falls silent'),
  interrupted('replay', 'limits for ever'),
];

/** Every night each command meets the other servers too. */
export const otherLimitRows: readonly Row[] = [
  ...endingInTime(otherMeetings),
  givingUpAt('falls silent'),
  sayingSoMeanwhile('run', 'falls silent', /run: 5 s so far, \d+ checks? of \d+ ended/),
  sayingSoMeanwhile('doctor', 'is deaf', 'doctor: 5 s so far, at most 6 s'),
  sayingSoMeanwhile('stress', 'falls silent', 'stress: 5 s so far, at most 6 s'),
  interrupted('run', 'pages without end'),
  interrupted('run', 'is deaf'),
  interrupted('fuzz', 'pages without end'),
  interrupted('fuzz', 'falls silent'),
  interrupted('fuzz', 'is deaf'),
  interrupted('doctor', 'is deaf'),
  interrupted('replay', 'is deaf'),
  interrupted('stress', 'is deaf'),
  interrupted('stress', 'falls silent'),
];
