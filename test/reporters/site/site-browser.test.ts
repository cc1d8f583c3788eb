import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRuns } from '../../../reporters/compare/comparison.ts';
import { renderComparison } from '../../../reporters/compare/render.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { barriersOf, Chromium, executable, overflowOf, whyNot } from '../page/chromium.ts';
import { hostileRun, hostileTexts } from '../page/hostile-run.ts';
import { namedRun, siteOf, thirteen } from './sites.ts';

const comparison = renderComparison(compareRuns(thirteen.slice(0, 4).map(namedRun)), 'html');
const clausePage = 'clauses/send.content-bytes.html';

describe.skipIf(executable === undefined)(`a site in a browser${whyNot}`, () => {
  const folder = ownFolder('site-');
  let browser: Chromium;
  beforeAll(() => {
    browser = new Chromium();
    const hostile = hostileTexts.map((text) => [text, hostileRun(true)] as const);
    for (const [name, streams] of [['plain', thirteen] as const, ['hostile', hostile] as const])
      for (const [path, text] of siteOf(...streams)) {
        const file = join(folder, name, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
  });
  afterAll(() => browser.close());

  it.each([
    ['plain', 'index.html'],
    ['plain', clausePage],
    ['hostile', 'index.html'],
    ['hostile', 'clauses/mentions.limit.html'],
  ])('has no barrier, no error, no request for others, and nothing beside it: %s %s', async (name, path) => {
    const { page, troubles } = await browser.openIn(join(folder, name), path);
    for (const width of [390, 1280]) expect(await overflowOf(page, width)).toBe(0);
    expect(await barriersOf(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it('is as easy to get into as the page of a comparison', async () => {
    const { page, troubles } = await browser.open(comparison);
    expect(await barriersOf(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it('has each server in one column, from the names down to the last clause', async () => {
    const { page } = await browser.openIn(join(folder, 'plain'), 'index.html');
    await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
    const lefts = (await page.evaluate(`
      ['.heads a', 'summary .sign', 'tr.item .sign'].map((each) =>
        [...document.querySelectorAll(each)].map((one) => Math.round(one.getBoundingClientRect().left)))
    `)) as readonly (readonly number[])[];
    const columns = lefts.map((all) => [...new Set(all)]);
    expect(columns[0]).toHaveLength(13);
    expect(columns[1]).toEqual(columns[0]);
    expect(columns[2]).toEqual(columns[0]);
    await page.context().close();
  });

  it('gives the page of a clause the style of the site, and leads back to its line', async () => {
    const { page } = await browser.openIn(join(folder, 'plain'), clausePage);
    expect(await page.evaluate('getComputedStyle(document.querySelector(".tally")).borderRadius')).toBe(
      '8px',
    );
    await page.locator('nav a').click();
    await page.waitForURL(/index\.html#send\.content-bytes$/);
    const [line, heads] = await Promise.all(
      ['[id="send.content-bytes"]', '.heads'].map((each) => page.locator(each).boundingBox()),
    );
    // Below the names of the servers, which stay.
    expect(line?.y).toBeGreaterThanOrEqual((heads?.y ?? 0) + (heads?.height ?? 0));
    await page.context().close();
  });

  it('filters clauses by how any server stands to them, by level and by text', async () => {
    const { page } = await browser.openIn(join(folder, 'plain'), 'index.html');
    const shown = async (): Promise<number> => page.locator('tr.item:visible').count();
    await page.locator('[name=state][value=failed]').check();
    const failed = await shown();
    expect(failed).toBeGreaterThan(50);
    await page.locator('#level').selectOption('inferred');
    expect(await shown()).toBeLessThan(failed);
    await page.locator('#clear').click();
    await page.keyboard.press('/');
    await page.keyboard.type('500,000 bytes accepted');
    expect(await page.locator('tr.item:visible code').first().textContent()).toBe('send.content-bytes');
    await page.context().close();
  });
});
