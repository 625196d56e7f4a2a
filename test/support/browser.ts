/** A browser for the tests of the console's page. Without one on the machine they are skipped and say so. */
import { chromium, type Browser, type BrowserContextOptions, type ConsoleMessage, type Page, type Request } from 'playwright-core';
import { beforeEach, expect, onTestFinished } from 'vitest';
import { NO_CHROMIUM, chromiumPath } from './chromium.js';

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--disable-extensions',
  '--no-zygote',
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

/** Milliseconds. Like the limits of `vitest.config.ts`, it ends what hangs. */
const PATIENCE = 120_000;

/** For all files of a worker, at whose exit Playwright ends it. */
let launched: Promise<Browser> | undefined;
/** For each way of visiting. */
const pages = new Map<string, Page>();

/** To be called within a `describe`, whose tests are skipped without a browser. */
export function withBrowser() {
  const path = chromiumPath();
  beforeEach(({ skip }) => {
    skip(path === undefined, NO_CHROMIUM);
  });

  const open = async (turnable: boolean, options: BrowserContextOptions): Promise<Page> => {
    launched ??= chromium.launch({ executablePath: path, args: ARGS });
    const browser = await launched;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    if (turnable) await page.clock.install();
    return page;
  };
  /** The page of an earlier visit of this kind, with nothing left of it: opening another costs more than most tests. */
  const blank = async (turnable: boolean, options: BrowserContextOptions): Promise<Page> => {
    const kind = JSON.stringify([turnable, options]);
    const page = pages.get(kind) ?? (await open(turnable, options));
    pages.delete(kind);
    onTestFinished(async () => {
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await page.goto('about:blank');
      await page.context().clearCookies();
      pages.set(kind, page);
    });
    return page;
  };

  return {
    /** Opens the page and, at the end, checks that it asked nobody else for anything and that nothing went wrong in it. */
    async visit(harness: { readonly url: string }, { path: at = '/', turnable = false, ...options }: VisitOptions = {}): Promise<Page> {
      const page = await blank(turnable, options);
      const strangers: string[] = [];
      const errors: string[] = [];
      const onRequest = (request: Request) => void (request.url().startsWith(`${harness.url}/`) || strangers.push(request.url()));
      const onError = (error: Error) => void errors.push(error.message);
      const onConsole = (message: ConsoleMessage) =>
        void (/Content Security Policy|Trusted/.test(message.text()) && errors.push(message.text()));
      page.on('request', onRequest).on('pageerror', onError).on('console', onConsole);
      onTestFinished(() => {
        page.off('request', onRequest).off('pageerror', onError).off('console', onConsole);
        expect(strangers).toEqual([]);
        expect(errors).toEqual([]);
      });
      await page.goto(harness.url + at);
      return page;
    },
  };
}
