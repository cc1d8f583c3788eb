import { alteredSend } from '../../fuzz/altered-send.ts';
import { type Row, words } from '../frame/row.ts';

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
