import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownFolder } from '../fixtures/folder.ts';
import { runs } from '../reporters/events.ts';
import { runOn } from '../reporters/site/sites.ts';
import { conform } from './conform.ts';
import { keepStream } from '../fixtures/stream.ts';

const folder = ownFolder('site-');
const at = (...names: readonly string[]): string => join(folder, ...names);
for (const [name, events] of [
  ['go.ndjson', runOn('2026-03-02', 'send.content-bytes')],
  ['old.ndjson', runOn('2026-03-01')],
  ['a=b.ndjson', runs['all passed']],
] as const)
  keepStream(at(name), events);

function serversIn(site: string): readonly string[] {
  const page = readFileSync(at(site, 'index.html'), 'utf8');
  return [...page.matchAll(/<h2>(.*?)<\/h2>\s*<p class="faint">/g)].map(([, name = '']) => name);
}

describe('conform compare --site', () => {
  it('names a server as it is told to, or as its file, and puts runs of one name in the order of time', async () => {
    const results = [at('go.ndjson'), `go=${at('old.ndjson')}`, at('a=b.ndjson'), `c=${at('a=b.ndjson')}`];
    const site = await conform(['compare', ...results, '--site', at('site')]);
    expect(site).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `4 runs of 3 servers: ${at('site', 'index.html')}\n`,
    });
    expect(serversIn('site')).toEqual(['go', 'a=b', 'c']);
    expect(readFileSync(at('site', 'clauses', 'send.content-bytes.html'), 'utf8')).toContain(
      'since 2026-03-02',
    );
  });

  it('takes names in a comparison too', async () => {
    const { code, stdout } = await conform(['compare', `before=${at('old.ndjson')}`, at('go.ndjson')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ before\n/);
  });

  it('writes over a site of its own, and leaves what else is there', async () => {
    const before = await conform(['compare', at('go.ndjson'), '--site', at('again')]);
    writeFileSync(at('again', 'CNAME'), 'contract.example');
    const after = await conform(['compare', at('old.ndjson'), '--site', at('again')]);
    expect([before.code, after.code]).toEqual([0, 0]);
    expect(serversIn('again')).toEqual(['old']);
    expect(readdirSync(at('again'))).toEqual(
      expect.arrayContaining(['CNAME', 'badges', 'clauses', 'index.html', 'style.css']),
    );
  });

  it.each([
    ['something', { 'notes.txt': 'mine' }],
    ['a page of somebody else', { 'index.html': '<!doctype html><title>mine</title>' }],
  ])('writes nothing into a folder that holds %s', async (what, files) => {
    const site = what.replaceAll(' ', '-');
    mkdirSync(at(site));
    for (const [name, content] of Object.entries(files)) writeFileSync(at(site, name), content);
    const { code, stderr } = await conform(['compare', at('go.ndjson'), '--site', at(site)]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `conform: --site ${at(site)} holds other things than a site; name a new folder\n`,
    });
    expect(readdirSync(at(site))).toEqual(Object.keys(files));
    for (const [name, content] of Object.entries(files))
      expect(readFileSync(at(site, name), 'utf8')).toBe(content);
  });

  it('is refused beside another form, on a file, and over what it reads', async () => {
    const beside = await conform(['compare', at('go.ndjson'), '--site', at('new'), '--format', 'html']);
    expect(beside).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^conform: option .* cannot be used with/),
    });
    const onFile = await conform(['compare', at('old.ndjson'), '--site', at('go.ndjson')]);
    expect(onFile).toMatchObject({ code: 2, stderr: expect.stringContaining('is a file; name a folder') });
    await conform(['compare', at('go.ndjson'), '--site', at('read')]);
    const over = await conform(['compare', at('read', 'index.html'), '--site', at('read')]);
    expect(over).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a file that this command reads'),
    });
  });
});
