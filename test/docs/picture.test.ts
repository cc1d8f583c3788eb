import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFile } from '../../spec/index.ts';
import { runs } from '../reporters/events.ts';
import { reportOn } from '../reporters/formats/report.ts';
import { Chromium, executable, whyNot } from '../reporters/page/chromium.ts';

const report = reportOn('html', runs['several clauses for one cause']);

/** What stands on the first screen: elements with their classes and texts, but none of their pixels. */
const firstScreen = `
  [...document.querySelectorAll('h1, h2, summary, .conclusion, .profile, .sentence, .why, .decides')]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().top < innerHeight)
    .map((each) => [each.tagName.toLowerCase(), ...each.classList].join('.') + '  ' + each.textContent.trim().replaceAll(/\\s+/g, ' '))
    .join('\\n') + '\\n'
`;

describe.skipIf(executable === undefined)(`the page as the README shows it${whyNot}`, () => {
  let browser: Chromium;
  beforeAll(() => {
    browser = new Chromium();
  });
  afterAll(() => browser.close());

  // With PICTURE=1 and `-u` the picture is taken again.
  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('has the same on its first screen, %d pixels wide and %s', async (width, colorScheme) => {
    const { page } = await browser.open(report, { viewport: { width, height: 844 }, colorScheme });
    if (process.env['PICTURE'] !== undefined && width === 1280 && colorScheme === 'light')
      writeFileSync(packageFile('docs/pictures/page.png'), await page.screenshot());
    const shown = (await page.evaluate(firstScreen)) as string;
    await expect(shown).toMatchFileSnapshot(`golden/first-screen-${width}.txt`);
    await page.context().close();
  });
});
