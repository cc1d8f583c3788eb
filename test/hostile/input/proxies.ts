import { givenFailure, type Row, words } from '../frame/row.ts';

const commands = ['', 'doctor', 'fuzz --cases 5 --out out', 'stress --time 1s', 'replay failure.json'];

function row(command: string, name: string, value: string, expected: Row['expected']): Row {
  return {
    name: `${command === '' ? 'run' : command} with ${name}=${value}`,
    given: givenFailure,
    args: words(
      `${command} --target conform.yaml ${command === '' ? '--check mentions.limit-of-101-is-refused' : ''}`,
    ),
    env: { [name]: value },
    secrets: ['s3cret-of-mine'],
    expected,
  };
}

/** Proxies of the environment; test/harness/client/dispatcher has what is one and what is none. */
export const proxyRows: readonly Row[] = [
  ...commands.map((command) =>
    row(command, 'HTTP_PROXY', 'socks5://me:s3cret-of-mine@127.0.0.1:1080', {
      exit: 2,
      says: 'HTTP_PROXY in the environment is no http or https URL',
      budgetS: 3,
    }),
  ),
  row('', 'NO_PROXY', '[*', { exit: 0, says: 'conforms' }),
  {
    name: 'run of the embedded reference with an HTTP_PROXY where nobody listens',
    args: words('--reference --check mentions.limit-of-101-is-refused'),
    env: { HTTP_PROXY: 'http://127.0.0.1:9' },
    expected: { exit: 0, says: 'conforms' },
  },
];
