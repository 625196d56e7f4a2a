/** A browser for the tests of the console's page. Without one on the machine they are skipped and say so. */
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { NO_CHROMIUM, chromiumPath } from './chromium.js';

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

export interface VisitOptions extends BrowserContextOptions {
  readonly path?: string;
  /** Whether the test moves the page's timers on, by `page.clock`. They run by themselves too. */
  readonly turnable?: boolean;
}

/** To be called within a `describe`: one browser for all its tests. */
export function withBrowser() {
  const path = chromiumPath();
  const missing = path === undefined;
  let browser: Browser;
  beforeEach(({ skip }) => {
    skip(missing, NO_CHROMIUM);
  });
  beforeAll(async () => {
    if (!missing) browser = await chromium.launch({ executablePath: path, args: ARGS });
  });
  afterAll(async () => browser?.close());

  return {
    /** Opens the page and, at the end, checks that it asked nobody else for anything and that nothing went wrong in it. */
    async visit(house: { readonly url: string }, { path: at = '/', turnable = false, ...options }: VisitOptions = {}): Promise<Page> {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      if (turnable) await page.clock.install();
      const strangers: string[] = [];
      const errors: string[] = [];
      page.on('request', (request) => void (request.url().startsWith(`${house.url}/`) || strangers.push(request.url())));
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => void (/Content Security Policy|Trusted/.test(message.text()) && errors.push(message.text())));
      onTestFinished(async () => {
        await context.close();
        expect(strangers).toEqual([]);
        expect(errors).toEqual([]);
      });
      await page.goto(house.url + at);
      return page;
    },
  };
}
