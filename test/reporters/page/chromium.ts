import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of this machine; `undefined` where it has none. */
export const executable: string | undefined = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((path) => existsSync(path));

/** Why tests in a browser did not run, for their title. */
export const whyNot: string =
  executable === undefined ? ' (skipped: no chromium in PATH; apt-get install chromium)' : '';

/** A page that a browser has loaded from a file, and what went wrong in it. */
interface Opened {
  readonly page: Page;
  /** Messages of the console, errors of scripts, and requests for anything that is not its own. */
  readonly troubles: readonly string[];
}

/** A browser without a window, and a folder for what it opens. */
export class Chromium {
  readonly #folder = mkdtempSync(join(tmpdir(), 'page-'));
  readonly #browser: Promise<Browser>;
  #files = 0;

  constructor() {
    this.#browser = chromium.launch({
      ...(executable === undefined ? {} : { executablePath: executable }),
      // Its sandbox does not start for root, who has nothing to protect from a page of our own.
      chromiumSandbox: process.getuid?.() !== 0,
    });
  }

  /** Opens a report in a window of its own. */
  async open(report: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const file = join(this.#folder, `${(this.#files += 1)}.html`);
    writeFileSync(file, report);
    const { href } = pathToFileURL(file);
    return this.#visit(href, href, options);
  }

  /** Opens a page of a site that is in a folder, and lets it have what else is there. */
  async openIn(folder: string, path: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const own = pathToFileURL(`${folder}/`).href;
    return this.#visit(`${own}${path}`, own, options);
  }

  async close(): Promise<void> {
    await (await this.#browser).close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** `own` is how the addresses begin that a page may ask for. */
  async #visit(url: string, own: string, options: BrowserContextOptions): Promise<Opened> {
    const context = await (await this.#browser).newContext(options);
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('console', (message) => troubles.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(own) && !request.url().startsWith('data:'))
        troubles.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    return { page, troubles };
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Areas and passed cells after the first ones: axe takes half a minute for all of them, and they are of one kind. */
const alike = '.area ~ .area, .row:nth-child(n + 3) .cell.passed';

/** Rules of axe whose outcome hangs on colours. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** What axe finds that keeps people out of a page with everything open, in light and in dark. */
export async function barriersOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(`${axe};
    for (const each of document.querySelectorAll('${alike}')) each.remove();
    for (const each of document.querySelectorAll('details')) each.open = true;
  `);
  const found: string[] = [];
  for (const [colorScheme, only] of [['light'], ['dark', ofColours]] as const) {
    await page.emulateMedia({ colorScheme });
    const options = { resultTypes: ['violations'], preload: false, ...(only && { runOnly: only }) };
    const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
    const violations = (await page.evaluate(run)) as AxeResults['violations'];
    found.push(
      ...violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes[0]?.html ?? ''}`),
    );
  }
  return found;
}

/** How many pixels a page is wider than a screen of so many, with everything open. */
export async function overflowOf(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 });
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
  return Math.max(0, ((await page.evaluate('document.documentElement.scrollWidth')) as number) - width);
}
