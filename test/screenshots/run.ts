/**
 * Makes the pictures of README.md from the running bot on its embedded service: `npm run screenshots`. They differ from run to run as the
 * invented world does.
 */
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { OPERATOR, startMain } from '../journeys/process.js';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.js';

const ROOT = new URL('../../', import.meta.url);
const TO = fileURLToPath(new URL('docs/pictures/', ROOT));
/** Bytes, so that the page of the repository stays light. */
const MAX_SIZE = 200_000;

/** Pictures below or above the window are not loaded yet. */
const DRAWN = `[...document.querySelectorAll('picture img')].filter((image) => {
  const { top, bottom } = image.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}).every((image) => image.complete && image.naturalWidth > 0)`;
const PATIENCE = 30_000;

/** The page's policy allows no evaluation inside it, so this asks from outside. */
async function drawn(page: Page): Promise<void> {
  const late = Date.now() + PATIENCE;
  while ((await page.evaluate(DRAWN)) !== true) {
    if (Date.now() > late) throw new Error('screenshots: a picture was not drawn in time');
    await page.waitForTimeout(100);
  }
}

async function main(): Promise<void> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error(`screenshots: ${NO_CHROMIUM}`);
  await mkdir(TO, { recursive: true });
  const bot = startMain(fileURLToPath(new URL('dist/src/main.js', ROOT)), ['ignore', 'pipe', 'ignore']);
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  try {
    const url = await bot.url(bot.child.stdout);
    // In this order, because a chat is in the list of the page from its first message on.
    await askAll(url, 'main', ['/watch all', '/treasury tide', '/premium tide 3M']);
    await picture(browser, { name: 'page', url, size: { width: 1280, height: 800 } });
    await askAll(url, 'desk', ['/watch tide', '/proposals']);
    await picture(browser, { name: 'phone', url: `${url}/#desk`, size: { width: 390, height: 844 }, dark: true });
    await askAll(url, 'alerts', ['/watch tide', '/alerts test premium']);
    await picture(browser, { name: 'alert', url: `${url}/#alerts`, size: { width: 800, height: 900 }, only: 'article.alert .card' });
    await createEndpoint(url, { name: 'treasury-desk', url: 'https://desk.example.com/hooks/navwatch' });
    await picture(browser, { name: 'webhooks', url: `${url}/operator/webhook`, size: { width: 900, height: 610 }, hasPanel: false });
  } finally {
    await browser.close();
    await bot.stop();
  }
}

async function askAll(url: string, chat: string, lines: readonly string[]): Promise<void> {
  const headers = { ...OPERATOR, 'content-type': 'application/json' };
  for (const text of lines) {
    const answer = await fetch(`${url}/api/chats/${chat}/messages`, { method: 'POST', headers, body: JSON.stringify({ text }) });
    if (!answer.ok) throw new Error(`screenshots: ${text} was answered with status ${answer.status}`);
  }
}

async function createEndpoint(url: string, body: unknown): Promise<void> {
  const headers = { ...OPERATOR, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/operator/webhook/endpoints`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`screenshots: the endpoint was answered with status ${answer.status}`);
}

interface Scene {
  readonly name: string;
  readonly url: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly dark?: boolean;
  /** One element instead of the whole window. */
  readonly only?: string;
  /** Default: it does. */
  readonly hasPanel?: boolean;
}

async function picture(browser: Browser, { name, url, size, dark = false, only, hasPanel = true }: Scene): Promise<void> {
  const options: BrowserContextOptions = {
    viewport: size,
    extraHTTPHeaders: OPERATOR,
    colorScheme: dark ? 'dark' : 'light',
    deviceScaleFactor: only === undefined ? 1 : 1.5,
  };
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('article').first().waitFor();
  if (only !== undefined) await page.locator(only).first().waitFor();
  if (hasPanel) await page.locator('#panel-rows > div').first().waitFor({ state: 'attached' });
  await drawn(page);
  const path = `${TO}${name}.png`;
  await (only === undefined ? page.screenshot({ path }) : shownAlone(page, only, path));
  const { size: bytes } = await stat(path);
  process.stdout.write(`${name}.png ${Math.ceil(bytes / 1000)} kB\n`);
  if (bytes > MAX_SIZE) throw new Error(`screenshots: ${name}.png has ${bytes} bytes; at most ${MAX_SIZE} are kept in the repository`);
  await context.close();
}

const shownAlone = async (page: Page, selector: string, path: string): Promise<Buffer> =>
  page.locator(selector).first().screenshot({ path });

await main();
