import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

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
  /** Messages of the console, errors of scripts, and requests for anything but the file. */
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
    const url = pathToFileURL(file).href;
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
      if (request.url() !== url && !request.url().startsWith('data:'))
        troubles.push(`request: ${request.url()}`);
    });
    await page.goto(url);
    return { page, troubles };
  }

  async close(): Promise<void> {
    await (await this.#browser).close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
