import { join } from 'node:path';
import { describeExample, exampleFolder, tool } from './example.ts';

/** The oldest one that the example is for. */
const leastMinor = 10;

/** What pip says when nobody answers, beside which it claims that there is no such package. */
const unreachable = /Retrying|ConnectionError|Temporary failure|timed out|unreachable/;

const pipOptions = [
  '--quiet',
  '--no-input',
  '--disable-pip-version-check',
  '--retries',
  '1',
  '--timeout',
  '15',
];

describeExample('python', {
  prepare: (folder) => {
    const version = tool('python3', ['--version']);
    const minor = Number(/Python 3\.(\d+)/.exec(version.output)?.[1]);
    if (!version.isDone) return `python3 is not installed: ${version.output}`;
    if (minor < leastMinor) return `python3 is older than 3.${leastMinor}: ${version.output}`;
    const made = tool('python3', ['-m', 'venv', join(folder, 'venv')]);
    if (!made.isDone) return `python3 makes no virtual environment: ${made.output}`;
    const python = join(folder, 'venv', 'bin', 'python');
    const requirements = join(exampleFolder('python'), 'requirements.txt');
    const installed = tool(python, ['-m', 'pip', 'install', ...pipOptions, '-r', requirements]);
    if (!installed.isDone && unreachable.test(installed.output))
      return `the package index is out of reach: ${installed.output}`;
    if (!installed.isDone) throw new Error(installed.output);
    const script = join(exampleFolder('python'), 'server.py');
    // -B: nothing is written beside the sources.
    return ({ target, data }) => ({
      program: python,
      args: ['-B', script, '--data', data, '--target', target],
    });
  },
  mostInconclusive: 4,
  breakFlag: '--break',
  breaks: [
    { rule: 'author', selection: ['--only', 'receipts'], clause: 'receipts.agent-ids.no-author' },
    { rule: 'idempotency', selection: ['--only', 'send'], clause: 'send.conflict-is-refused' },
    { rule: 'expired', selection: ['--only', 'auth'], clause: 'auth.expired-credential' },
    {
      rule: 'deleted',
      selection: ['--only', 'message', 'file'],
      clause: 'message.attachments.deleted-not-downloadable',
    },
    {
      rule: 'membership',
      selection: ['--clause', 'mentions.membership-*'],
      clause: 'mentions.membership-rechecked',
    },
  ],
});
