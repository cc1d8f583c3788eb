import { stringify } from 'yaml';
import { alteredSend } from '../../fuzz/altered-send.ts';
import { type Row, words } from '../frame/row.ts';

/** A command line with a number that it does not take: it says the range, and asks nobody anything. */
function flag(line: string, range: string): Row {
  const option = words(line).find((word) => word.startsWith('--'));
  return {
    name: `${line === '' ? 'nothing' : line} is out of range`,
    args: [...line.split(' '), '--target', 'conform.yaml'],
    expected: { exit: 2, says: `conform: ${option ?? ''} takes ${range}`, never: /testing http/, budgetS: 1 },
  };
}

/** A target file with a number that it does not take. */
function field(path: string, value: unknown, range: string): Row {
  const [section, name = ''] = path.includes('.') ? path.split('.') : [path];
  return {
    name: `${path}: ${String(value)} in a target file is out of range`,
    given: ({ target, write }) => {
      const changed = name === '' ? { [path]: value } : { [section ?? '']: { [name]: value } };
      write('conform.yaml', stringify({ ...target, ...changed }));
    },
    args: words('--target conform.yaml'),
    expected: {
      exit: 2,
      says: new RegExp(`\`${path}\` must be ${range}`),
      never: /testing http/,
      budgetS: 1,
    },
  };
}

const rate = 'a number of requests a second, 0.1 to 100000';
const budget = 'a whole number of milliseconds, 1 to 2147483647';

/** Numbers that would mean nothing, or no limit at all. */
export const numberRows: readonly Row[] = [
  flag('run --rate-per-second 0', rate),
  flag('fuzz --rate 0', rate),
  flag('fuzz --rate 0.000001', rate),
  flag('fuzz --rate -1', rate),
  flag('fuzz --rate NaN', rate),
  flag('run --concurrency 0', 'a whole number, 1 to 1024'),
  flag('run --concurrency 1.5', 'a whole number, 1 to 1024'),
  flag('run --concurrency 1e10', 'a whole number, 1 to 1024'),
  flag('run --concurrency 0x10', 'a whole number, 1 to 1024'),
  flag('fuzz --concurrency 10000000000', 'a whole number, 1 to 1024'),
  flag('doctor --budget-ms 2147483648', budget),
  flag('doctor --budget-ms 0', budget),
  flag('run --settle-ms 9007199254740993', 'a whole number of milliseconds, 0 to 600000'),
  flag('run --timeout Infinity', 'a whole number of milliseconds, 0 to 86400000'),
  flag('fuzz --time 1000000h', 'a duration as 30s, 10m or 2h, from 1ms to 555h'),
  flag('fuzz --time 0s', 'a duration as 30s, 10m or 2h, from 1ms to 555h'),
  flag('stress --clients 1.5', 'a whole number, 1 to 1024'),
  flag('reference --port 65536', 'a whole number, 0 to 65535'),
  {
    name: 'a number of no characters is out of range',
    args: ['--budget-ms', '', '--target', 'conform.yaml'],
    expected: { exit: 2, says: `--budget-ms takes ${budget}`, budgetS: 1 },
  },
  field('limits.rate_per_second', 0, rate),
  field('limits.rate_per_second', 1e-9, rate),
  field('budget_ms', 2 ** 31, budget),
  field('budget_ms', Number.NaN, budget),
  field('settle_ms', 0.5, 'a whole number of milliseconds, 0 to 600000'),
  field('limits.max_bytes', -1, 'a whole number of bytes, 0 to 9007199254740991'),
];

/** Values that name no proxy: a password in them shows nowhere. */
const noProxies: readonly (readonly [name: string, value: string])[] = [
  ['HTTP_PROXY', 'no url'],
  ['HTTP_PROXY', 'proxy.example:3128'],
  ['HTTP_PROXY', 'socks5://me:s3cret-of-mine@127.0.0.1:1080'],
  ['http_proxy', 'http://'],
];
const commands = ['', 'doctor', 'fuzz --cases 5 --out out', 'stress --time 1s', 'replay failure.json'];

function row(command: string, [name, value]: readonly [string, string], expected: Row['expected']): Row {
  return {
    name: `${command === '' ? 'run' : command} with ${name}=${value}`,
    given: ({ write }) =>
      write('failure.json', JSON.stringify(alteredSend('{"content":"x"}', 'message.content.unaltered'))),
    args: words(
      `${command} --target conform.yaml ${command === '' ? '--check mentions.limit-of-101-is-refused' : ''}`,
    ),
    env: { [name]: value },
    secrets: ['s3cret-of-mine'],
    expected,
  };
}

/** Proxies of the environment: one that is none is a mistake of whoever set it; what is empty, or not read, is none. */
export const proxyRows: readonly Row[] = [
  ...noProxies.map((each) =>
    row('', each, { exit: 2, says: `${each[0]} in the environment is no http or https URL`, budgetS: 3 }),
  ),
  ...commands.slice(1).map((command) =>
    row(command, ['HTTP_PROXY', 'no url'], {
      exit: 2,
      says: 'HTTP_PROXY in the environment is no http or https URL',
      budgetS: 3,
    }),
  ),
  ...(
    [
      ['HTTP_PROXY', ''],
      ['HTTPS_PROXY', 'no url'],
      ['ALL_PROXY', 'no url'],
      ['NO_PROXY', '[*'],
    ] as const
  ).map((each) => row('', each, { exit: 0, says: 'conforms' })),
];
