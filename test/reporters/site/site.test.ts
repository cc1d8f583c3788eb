import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shownLines } from '../../../harness/output/printable.ts';
import type { ResultEvent } from '../../../harness/results/generated/events.ts';
import { clauses } from '../../../spec/index.ts';
import { header, runs } from '../events.ts';
import { markupFaults } from '../formats/report.ts';
import { eight } from '../page/full-run.ts';
import { hostileRun, hostileTexts } from '../page/hostile-run.ts';
import { campaign } from '../page/other-runs.ts';
import { type NamedStream, runOn, siteOf, thirteen } from './sites.ts';

const three: readonly NamedStream[] = [
  ['reference', runOn('2026-03-01')],
  ['go', runOn('2026-02-01', 'send.content-bytes')],
  ['go', runOn('2026-03-01', ...eight)],
  ['python', runs['without a footer']],
];

const hostileStreams = (isHostile: boolean): readonly NamedStream[] => {
  const name = (text: string): string => (isHostile ? text : text.replaceAll(/[^`]/gu, 'x'));
  return hostileTexts.map((text): NamedStream => [name(text), hostileRun(isHostile)]);
};

/** Links of a page with where they lead: a path within the site, and an element of it or nothing. */
function linksOf(path: string, page: string): readonly (readonly [file: string, id: string])[] {
  return [...page.matchAll(/\s(?:href|src)="([^"]*)"/g)].flatMap(([, link = '']) => {
    if (link.startsWith('data:')) return [];
    const [to = '', id = ''] = link.split('#');
    const file = to === '' ? path : posix.join(posix.dirname(path), decodeURIComponent(to));
    return [[file, decodeURIComponent(id)] as const];
  });
}

function idsOf(page: string): ReadonlySet<string> {
  return new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id));
}

/** A page as its lines, without its head and its script, and with one line a row of many cells. */
function outlineOf(page: string): string {
  return page
    .replace(/<head>[^]*?<\/head>/, '')
    .replace(/<script>[^]*?<\/script>/, '')
    .replaceAll(
      /<([a-z]\w*)\s+([^<>]*?)\s*(\/?)>/g,
      (_tag, name, rest: string, end) => `<${name} ${rest.replaceAll(/\s+/g, ' ')}${end}>`,
    )
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
}

describe('a site', () => {
  const site = siteOf(...three);
  const page = (path: string): string => site.get(path) ?? '';

  it('has an index, a page for each clause, a badge for each server, and one style', () => {
    const expected = ['reference', 'go', 'python'].map((name) => `badges/${name}.svg`);
    const pages = clauses.map(({ id }) => `clauses/${id}.html`);
    expect([...site.keys()].toSorted()).toEqual(
      ['index.html', 'style.css', 'clauses/mentions.limit.html', ...expected, ...pages].toSorted(),
    );
    expect(page('badges/go.svg')).toMatch(/^<svg [^]*broken/);
  });

  it('shows servers and areas as its golden file', async () => {
    const [, above = '', below = ''] = /<body>([^]*?)<div id="toolbar"([^]*)/.exec(page('index.html')) ?? [];
    const [, discovery = ''] =
      /(<details class="area">\s*<summary[^>]*>\s*<span\s*><h3>discovery[^]*?<\/details>)/.exec(below) ?? [];
    const outline = `${outlineOf(above)}\n\n${outlineOf(discovery)}\n`;
    await expect(outline).toMatchFileSnapshot('golden/index.html.txt');
  });

  it.each([
    'send.content-bytes',
    'limits.content-max',
    'send.unknown-fields',
    'receipts.empty-is-not-unread',
  ])('shows who keeps %s as its golden file', async (id) => {
    const outline = outlineOf(page(`clauses/${id}.html`));
    await expect(`${outline}\n`).toMatchFileSnapshot(`golden/${id}.html.txt`);
  });

  it.each([
    ['of three servers', site],
    ['of hostile streams', siteOf(...hostileStreams(true))],
    ['of a campaign', siteOf(['one', campaign])],
  ])('%s leads only to what is there, and names no element twice', (_what, files) => {
    const ids = new Map([...files].map(([path, text]) => [path, idsOf(text)]));
    const lost = [...files].flatMap(([path, text]) =>
      linksOf(path, text).filter(([file, id]) => !files.has(file) || (id !== '' && !ids.get(file)?.has(id))),
    );
    expect(lost).toEqual([]);
    for (const [path, text] of files)
      expect(ids.get(path)?.size, path).toBe([...text.matchAll(/\sid="/g)].length);
  });

  it('has a state of each server for each clause, in the order of the columns', () => {
    const [, row = ''] = /<tr[^>]*id="send\.content-bytes"([^]*?)<\/tr>/.exec(page('index.html')) ?? [];
    expect(row).toContain('data-state="passed failed inconclusive"');
    const labels = [...row.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label);
    expect(labels).toEqual(['passed', 'failed', 'inconclusive']);
  });

  it('asks for nothing that is not its own', () => {
    for (const [path, text] of site)
      expect(text.match(/(?:src|href|url\()=?["']?(?:https?:)?\/\/[^"' ]*/g) ?? [], path).toEqual([]);
    expect(page('index.html')).toMatch(
      /default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src data:/,
    );
    expect(page('clauses/send.content-bytes.html')).toContain(
      "default-src 'none'; style-src 'self' file:; img-src data:",
    );
  });

  it('of thirteen servers takes less than 3 MB', () => {
    const files = siteOf(...thirteen);
    expect(files.size).toBe(clauses.length + 13 + 2);
    const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThan(3_000_000);
    expect(bytes).toBeGreaterThan(2_000_000);
  });
});

describe('text of a server, or the name of one, on a site', () => {
  it('is nowhere markup, and names no file outside', () => {
    const hostile = siteOf(...hostileStreams(true));
    for (const path of hostile.keys()) {
      expect(path).toMatch(/^(?:index\.html|style\.css|clauses\/[\w.-]+\.html|badges\/[\w.-]+\.svg)$/);
      expect(path.split('/')).not.toContain('..');
    }
    const pages = [...hostile].filter(([path]) => /^clauses\/(?:mentions|send)|^index/.test(path));
    for (const [path, text] of pages) {
      expect(shownLines(text), path).toBe(text);
      expect(markupFaults(text), path).toEqual([]);
    }
    expect(hostile.get('index.html')).toContain('&lt;script&gt;window.hacked');
  });

  it('makes no element that plain text would not make', () => {
    const [hostile, plain] = [true, false].map((isHostile) => {
      const texts = [...siteOf(...hostileStreams(isHostile).slice(0, 1)).values()];
      return texts.flatMap((text) => text.match(/<\/?[a-z]+/gi) ?? []);
    });
    expect(hostile).toEqual(plain);
  });

  it('stays within its clause where a stream names a clause as an element of the page', () => {
    const events: readonly ResultEvent[] = [header(), ...runs['all passed'].slice(1)].map((event) =>
      event.type === 'check'
        ? { ...event, clauses: event.clauses.map((each) => ({ ...each, clause: 'results' })) }
        : event,
    );
    expect(siteOf(['one', events]).has('clauses/results-2.html')).toBe(true);
  });
});
