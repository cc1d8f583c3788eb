import { alteredSend } from '../../fuzz/altered-send.ts';
import { type Answer, front, raw } from '../../fixtures/front.ts';
import { givenFailure, type Meeting, rows, words } from '../frame/row.ts';

/** What terminals obey, or show as another text than it is: ESC, OSC, C1, a line of one's own, directions, no width. */
const obeyed = [
  '\u001b[2J\u001b[31m',
  '\u001b]0;title\u0007',
  '\u001b]52;c;Zm9v\u0007',
  '\u009b31m',
  '\u009d0;x\u009c',
  '\rpassed',
  '\n  0 failed\n',
  '\u202egnp',
  '\u2066x\u2069',
  '\u200b\u2028',
  '\b\b\b',
];
const all = obeyed.join('x');

/** Answers with all of that in every text, and an unknown member named so; broken, so that it is shown. */
const writing = front({
  changed: (answer) => ({
    ...answer,
    body: written(answer),
    headers: { ...answer.headers, 'x-title': '\u009b31m\u009d0;x' },
  }),
});

function written({ body, status }: Answer): string {
  if (status >= 400)
    return JSON.stringify({ error: { code: all.slice(0, 30), message: all, [all]: all }, [all]: 1 });
  try {
    const value = JSON.parse(body) as Readonly<Record<string, unknown>>;
    return JSON.stringify({ ...value, page: { ...(value['page'] as object), [all]: all }, [all]: all });
  } catch {
    return body;
  }
}

const replayed = alteredSend(`{"content":"{the-mark-of-it} x"}`, 'message.content.unaltered');
const shown = { ...replayed, failure: { ...replayed.failure, expected: all, actual: all }, label: all };
const terminal = { columns: 60 } as const;

/** A run in such a terminal. */
function withoutCodes(env: Readonly<Record<string, string>>): Meeting {
  return {
    args: words('--target conform.yaml --only overview'),
    stdout: terminal,
    env,
    onlyWith: 'script',
    // oxlint-disable-next-line no-control-regex
    expected: { exit: 0, says: 'conforms', never: /\u001b/, budgetS: 60 },
  };
}

/** Texts that a terminal would obey, on their way to one. */
export const terminalRows = rows({
  'a run on a terminal shows the escape sequences of answers and obeys none': {
    server: writing,
    args: words('--target conform.yaml --only errors,overview'),
    stdout: terminal,
    env: { TERM: 'xterm-256color', FORCE_COLOR: '1' },
    onlyWith: 'script',
    expected: { exit: 1, says: /\\u\{?0*(?:01b|001b|9b|202e)/, budgetS: 60 },
  },
  'a campaign shows the escape sequences of answers and obeys none': {
    server: writing,
    args: words('fuzz --target conform.yaml --cases 10 --only mentions'),
    expected: { exit: 1, says: '\\u001b[2J', budgetS: 60 },
  },
  'a replay shows the escape sequences of a failure file and obeys none': {
    given: ({ write }) => write('failure.json', JSON.stringify(shown)),
    args: words('replay failure.json --target conform.yaml'),
    expected: { exit: 0, says: '\\u001b]0;title', budgetS: 60 },
  },
  'the name of a missing file with escape sequences is shown and not obeyed': {
    args: ['replay', `${all}.json`, '--target', 'conform.yaml'],
    expected: { exit: 2, says: 'does not exist' },
  },
  'an unknown option with escape sequences is shown and not obeyed': {
    args: [`--${all}`],
    expected: { exit: 2, says: 'unknown option' },
  },
  'a merge says what is wrong with a stream full of escape sequences and obeys none': {
    given: ({ write }) => write('one/campaign.ndjson', `${JSON.stringify({ type: all })}\n`),
    args: words('merge one'),
    expected: { exit: 2, says: 'campaign.ndjson: line 1' },
  },
  'the doctor shows where it is redirected to and obeys none of that': {
    server: front({
      instead: () => raw('302 Found', ['Location: /\u009b31m\u001b[2J\u001b]0;x\u0007', 'Content-Length: 0']),
    }),
    args: words('doctor --target conform.yaml'),
    expected: { exit: 3, says: /error/, budgetS: 60 },
  },
  'a judge says what is wrong with a history full of escape sequences and obeys none': {
    given: ({ write }) => {
      const lines = [{ history: 1, runId: 'x', settleMs: 1, isDurable: false }, { [all]: all }];
      write('history.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    },
    args: words('judge history.ndjson'),
    expected: { exit: 2, says: 'line 2' },
  },
  'an unknown clause with escape sequences is shown and not obeyed': {
    args: ['show', all],
    expected: { exit: 2, says: '\\u001b[2J' },
  },
  'a terminal that is dumb gets no codes': withoutCodes({ TERM: 'dumb' }),
});

/** Others of them, every night. */
export const otherTerminalRows = rows({
  'a run shows the escape sequences of answers and obeys none': {
    server: writing,
    args: words('--target conform.yaml --only errors,overview --verbose'),
    expected: { exit: 1, says: '\\u001b[2J', budgetS: 60 },
  },
  'a replay shows the escape sequences of answers and obeys none': {
    server: writing,
    given: givenFailure,
    args: words('replay failure.json --target conform.yaml'),
    expected: { exit: [0, 1, 3], says: 'message.content.unaltered', budgetS: 60 },
  },
  'a merge says what is wrong with a file that is no JSON and obeys nothing in it': {
    given: ({ write }) => write('one/campaign.ndjson', all),
    args: words('merge one'),
    expected: { exit: 2, says: 'campaign.ndjson' },
  },
  'the doctor shows the escape sequences of answers and obeys none': {
    server: writing,
    args: words('doctor --target conform.yaml'),
    expected: { exit: [0, 3], says: 'round trip', budgetS: 60 },
  },
  'concurrent clients show the escape sequences of answers and obey none': {
    server: writing,
    args: words('stress --target conform.yaml --clients 3 --time 1s'),
    expected: { exit: [0, 1, 3], says: /failed|concluded/, budgetS: 60 },
  },
  'a campaign on a dumb terminal gets no codes': {
    args: words('fuzz --target conform.yaml --cases 30 --only mentions'),
    stdout: terminal,
    env: { TERM: 'dumb' },
    onlyWith: 'script',
    // oxlint-disable-next-line no-control-regex
    expected: { exit: 0, says: '0 failed', never: /\u001b/, budgetS: 60 },
  },
  'a terminal that is to have no colours gets no codes': withoutCodes({ TERM: 'xterm', NO_COLOR: '1' }),
});
