import process from 'node:process';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pictures } from '../../src/chat/chart.js';
import { reply } from '../../src/chat/reply.js';
import { drawSvg, outlinedSvg } from '../../src/charts/svg.js';
import { SAMPLES } from '../charts/samples.js';
import { openHarness } from '../platforms/console/harness.js';
import { NO_CHROMIUM, chromiumPath } from '../support/chromium.js';

const CHROMIUM = chromiumPath();
let browser: Browser | undefined;
beforeAll(async () => {
  if (CHROMIUM !== undefined)
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
});
afterAll(async () => browser?.close());

/** What the thread does, in the test's own. */
const pictures: Pictures = {
  svg: async (chart, look) => {
    if (chart.title === 'broken') throw new Error('charts: out of paint');
    return outlinedSvg(drawSvg(chart, look));
  },
  png: async () => new Uint8Array(),
};

test("a card shows its picture in the reader's scheme, and one that fails goes without a trace", async ({ skip }) => {
  skip(browser === undefined, NO_CHROMIUM);
  const premium = SAMPLES['premium'];
  const supply = SAMPLES['supply'];
  if (browser === undefined || premium === undefined || supply === undefined) return;
  await using harness = await openHarness({
    pictures,
    answer: async ({ ask }) => {
      const line = 'line' in ask ? ask.line : '';
      const chart = line === '/broken' ? { ...premium, title: 'broken' } : line === '/supply' ? supply : premium;
      return reply({ finding: [{ strong: `you said ${line}` }], chart, blocks: [{ kind: 'line', line: ['and the words go on'] }] });
    },
  });
  await harness.say('/premium');
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const page = await context.newPage();
  const asked: string[] = [];
  const refused: string[] = [];
  page.on('request', (request) => void (/\/picture\?/u.test(request.url()) && asked.push(request.url())));
  page.on('console', (message) => void (/Content Security Policy/u.test(message.text()) && refused.push(message.text())));
  await page.goto(harness.url);
  const drawn = page.locator('picture img');
  await expect
    .poll(async () => drawn.evaluateAll((all) => all.map((image) => 'naturalWidth' in image && image.naturalWidth)))
    .toEqual([800]);
  expect(asked.every((url) => url.endsWith('theme=dark'))).toBe(true);
  await harness.say('/supply');
  await harness.say('/broken');
  await page.locator('text=you said /broken').waitFor();
  await expect.poll(async () => drawn.count()).toBe(2);
  const end = await page.locator('#scroll').evaluate((scroll) => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight);
  expect(Math.abs(end)).toBeLessThan(80);
  expect(refused).toEqual([]);
  const to = process.env['PICTURES_FOLDER'];
  if (to !== undefined) await page.screenshot({ path: `${to}/console-phone.png` });
  await context.close();
});

test('the text of a card is there before its picture, whose place is kept until it is drawn', async ({ skip }) => {
  skip(browser === undefined, NO_CHROMIUM);
  const chart = SAMPLES['premium'];
  if (browser === undefined || chart === undefined) return;
  let draw: () => void = () => undefined;
  const alerted = new Promise<void>((resolve) => (draw = resolve));
  await using harness = await openHarness({
    pictures: { ...pictures, svg: async (...of) => alerted.then(async () => pictures.svg(...of)) },
    answer: async () => reply({ finding: [{ strong: 'the text' }], chart, blocks: [{ kind: 'line', line: ['below the picture'] }] }),
  });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(harness.url);
  // Whoever asks over HTTP gets the whole reply, whatever is still to be drawn.
  await harness.say('/premium');
  await page.locator('text=below the picture').waitFor();
  const image = page.locator('picture img');
  const look = async () =>
    image.evaluate((one) => ('naturalWidth' in one ? [one.naturalWidth, Math.round(one.getBoundingClientRect().height)] : []));
  const below = async () => page.locator('text=below the picture').evaluate((one) => Math.round(one.getBoundingClientRect().top));
  const [width, height] = await look();
  const before = await below();
  expect(width).toBe(0);
  expect(height).toBeGreaterThan(100);
  draw();
  await expect.poll(look).toEqual([800, height]);
  expect(await below()).toBe(before);
  await context.close();
});
