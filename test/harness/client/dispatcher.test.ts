import { describe, expect, it } from 'vitest';
import { InvalidTarget } from '../../../harness/errors.ts';
import { proxiesFor } from '../../../harness/client/dispatcher.ts';

const [plain, secured] = ['http:', 'https:'].map((scheme) => new URL(`${scheme}//server.example`));

describe('the proxies of the environment', () => {
  it.each([
    ['HTTP_PROXY', 'no url', plain],
    ['HTTP_PROXY', 'proxy.example:3128', plain],
    ['HTTP_PROXY', 'socks5://me:s3cret@127.0.0.1:1080', plain],
    ['http_proxy', 'http://', plain],
    ['HTTPS_PROXY', 'no url', secured],
  ])('are refused without their value: %s=%s', (name, value, url) => {
    const says = `${name} in the environment is no http or https URL; write http://HOST:PORT, or unset it`;
    expect(() => proxiesFor(url as URL, { [name]: value })).toThrow(new InvalidTarget(says));
  });

  it.each([
    ['HTTP_PROXY', ''],
    ['HTTPS_PROXY', 'no url'],
    ['ALL_PROXY', 'no url'],
    ['NO_PROXY', '[*'],
  ])('are none where nothing is named that is read for http: %s=%s', (name, value) => {
    expect(proxiesFor(plain as URL, { [name]: value })).toBeUndefined();
  });

  it('are taken in either spelling, an empty one for none', () => {
    const proxy = 'http://127.0.0.1:3128';
    expect(proxiesFor(plain as URL, { HTTP_PROXY: '', http_proxy: proxy, no_proxy: 'a.example' })).toEqual({
      httpProxy: proxy,
      noProxy: 'a.example',
    });
  });
});
