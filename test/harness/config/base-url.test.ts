import { describe, expect, it } from 'vitest';
import { isLoopback, parseBaseUrl } from '../../../harness/config/base-url.ts';

it.each([
  ['https://Host.Example', 'https://host.example'],
  ['https://host/', 'https://host'],
  ['https://host/a/b//', 'https://host/a/b'],
  ['https://host:443/a', 'https://host/a'],
  ['http://[::1]:8080/', 'http://[::1]:8080'],
])('parseBaseUrl brings %s to its normal form', (text, url) => {
  expect(parseBaseUrl(text)).toEqual({ url });
});

describe('isLoopback', () => {
  it.each(['http://localhost', 'http://127.0.0.1', 'http://127.255.1.2:1', 'http://[::1]', 'http://[0::1]'])(
    'is true of %s',
    (url) => expect(isLoopback(url)).toBe(true),
  );

  it.each([
    'http://127.example',
    'https://127.example.com',
    'http://128.0.0.1',
    'http://localhost.example',
    'http://[::2]',
    'http://10.0.0.1',
  ])('is false of %s', (url) => expect(isLoopback(url)).toBe(false));
});
