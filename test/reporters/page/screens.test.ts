import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRuns } from '../../../reporters/compare/comparison.ts';
import { renderComparison } from '../../../reporters/compare/render.ts';
import { packageFile } from '../../../spec/index.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { runs } from '../events.ts';
import { reportOn } from '../formats/report.ts';
import { namedRun, siteOf, thirteen } from '../site/sites.ts';
import { Chromium, executable, whyNot } from './chromium.ts';
import { campaignOverTime, stressRun } from './other-runs.ts';

const { 'several clauses for one cause': failed, 'inconclusive mix': mix, 'all passed': passed } = runs;

/** The page of the README's picture, and every other. */
const pages: Readonly<Record<string, string>> = {
  failed: reportOn('html', failed),
  passed: reportOn('html', passed),
  inconclusive: reportOn('html', mix),
  campaign: reportOn('html', campaignOverTime),
  stress: reportOn('html', stressRun),
  'several-runs': reportOn('html', failed, passed, campaignOverTime),
  comparison: renderComparison(compareRuns(thirteen.slice(0, 4).map(namedRun)), 'html'),
};

const ofSite: Readonly<Record<string, string>> = {
  site: 'index.html',
  'site-clause': 'clauses/send.content-bytes.html',
};

/** What stands on the first screen: elements with their classes and texts, but none of their pixels. */
const firstScreen = `
  [...document.querySelectorAll('h1, h2, h3, summary, caption, figcaption, .conclusion, .profile, .sentence, .why, .decides, .heads a')]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().top < innerHeight)
    .map((each) => [each.tagName.toLowerCase(), ...each.classList].join('.') + '  ' + each.textContent.trim().replaceAll(/\\s+/g, ' '))
    .join('\\n') + '\\n'
`;

describe.skipIf(executable === undefined)(`the first screen of a page${whyNot}`, () => {
  const folder = ownFolder('site-');
  let browser: Chromium;
  beforeAll(() => {
    browser = new Chromium();
    for (const [path, text] of siteOf(...thirteen)) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  });
  afterAll(() => browser.close());

  // With PICTURE=1 and `-u` the picture of the README is taken again.
  it.each([...Object.entries(pages), ...Object.keys(ofSite).map((name) => [name, undefined] as const)])(
    'is that of its golden on each width, in light and in dark: %s',
    async (name, report) => {
      const { page } =
        report === undefined ? await browser.openIn(folder, ofSite[name] ?? '') : await browser.open(report);
      for (const width of [1280, 390])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 844 });
          await page.emulateMedia({ colorScheme });
          if (
            process.env['PICTURE'] !== undefined &&
            `${name} ${width} ${colorScheme}` === 'failed 1280 light'
          )
            writeFileSync(packageFile('docs/pictures/page.png'), await page.screenshot());
          const shown = (await page.evaluate(firstScreen)) as string;
          await expect(shown).toMatchFileSnapshot(`golden/${name}-${width}.txt`);
        }
      await page.context().close();
    },
  );
});
