import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply } from '../../src/chat/reply.js';
import { allWell, catalogueOf, openHarness, type ConsoleHarness } from '../platforms/console/harness.js';
import * as samples from '../platforms/console/samples.js';
import { axe } from '../support/axe.js';
import { PHONE, withBrowser } from '../support/browser.js';
import { handClock } from '../support/clock.js';

const SIZES = [
  ['390 px', PHONE],
  ['1280 px', { viewport: { width: 1280, height: 800 } }],
] as const;
const SCHEMES = ['light', 'dark'] as const;
const VIEWS = SIZES.flatMap(([size, options]) => SCHEMES.map((colorScheme) => [size, colorScheme, { ...options, colorScheme }] as const));

const CATALOGUE = catalogueOf([
  ['/premium ', 'Premium or discount to NAV'],
  ['/premium tide', 'Tidewater'],
]);

/** A conversation with every kind of card, while the data is invented. */
async function openAll(): Promise<ConsoleHarness> {
  const clock = handClock();
  const now = clock.now();
  const all = [
    samples.premium(now),
    samples.treasury(now),
    samples.launches(now),
    samples.unknownProject(),
    samples.rules(),
    samples.confirmed(),
  ];
  const files = reply({ finding: ['Here it is'], files: [{ name: 'tide.csv', type: 'text/csv', text: 'a,b' }] });
  const answers = [...all, files];
  const harness = await openHarness({
    clock,
    catalogue: CATALOGUE,
    panel: { read: async () => ({ ...allWell, service: { ...allWell.service, invented: true } }) },
    answer: async () => answers.shift() ?? samples.premium(now),
  });
  for (let index = 0; index <= all.length; index += 1) await harness.say(`/question ${index}`);
  for (const [index, alert] of [samples.mint(now), samples.live(now), samples.fell()].entries()) await harness.alert(`d-${index}`, alert);
  return harness;
}

describe('the page has no barrier that axe-core finds', () => {
  const { visit } = withBrowser();
  let harness: ConsoleHarness;
  beforeAll(async () => (harness = await openAll()));
  afterAll(async () => harness[Symbol.asyncDispose]());

  /** Rules must have been tried, so that an empty list means something. */
  const CLEAN = { violations: [], hasRun: true };
  /** In the dark only colours differ. */
  const checked = async (page: Page, colorScheme: (typeof SCHEMES)[number] = 'light') => {
    const { passed, violations } = await (colorScheme === 'dark' ? axe(page, ['color-contrast']) : axe(page));
    return { violations, hasRun: passed > (colorScheme === 'dark' ? 0 : 15) };
  };

  test.each(VIEWS)('at %s, %s: a conversation, completion, and a preview', async (_size, scheme, options) => {
    const page = await visit(harness, options);
    await page.locator('article.alert').nth(2).waitFor();
    await page.locator('#demo').waitFor();
    expect(await checked(page, scheme)).toEqual(CLEAN);
    await page.locator('#line').fill('/p');
    await page.locator('#suggestions li').first().waitFor();
    expect(await checked(page, scheme)).toEqual(CLEAN);
    await page.locator('#line').fill('');
    await page.getByRole('button', { name: 'Preview' }).last().click();
    await page.getByRole('heading', { name: 'Telegram' }).waitFor();
    expect(await checked(page, scheme)).toEqual(CLEAN);
    await page.locator('#preview-close').click();
    const asked = page.locator('article', { hasText: 'Replace the whole watchlist?' });
    await asked.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.telegram .danger').waitFor();
    expect(await checked(page, scheme)).toEqual(CLEAN);
  });

  test.each(VIEWS)('at %s, %s: an empty chat and the dialogs', async (_size, scheme, options) => {
    const page = await visit(harness, { ...options, path: '/#empty' });
    await page.locator('#greeting').waitFor();
    expect(await checked(page, scheme)).toEqual(CLEAN);
    await page.getByRole('button', { name: 'New chat' }).click();
    expect(await checked(page, scheme)).toEqual(CLEAN);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Use real data' }).click();
    expect(await checked(page, scheme)).toEqual(CLEAN);
  });

  test.each(SIZES)('at %s: the form for the token', async (_size, options) => {
    await using locked = await openHarness({ token: 'a token of some length' });
    expect(await checked(await visit(locked, options))).toEqual(CLEAN);
  });

  test.each(SIZES)('at %s: what can be pressed is at least 44 pixels high and wide', async (_size, options) => {
    const page = await visit(harness, options);
    await page.locator('article.alert').nth(2).waitFor();
    const small = await page.evaluate(
      `[...document.querySelectorAll('button, select, input:not([hidden]), summary, nav a, .actions a, .files a')]
        .map((target) => [target.textContent.trim() || target.id, target.getBoundingClientRect()])
        .filter(([, { width, height }]) => width > 1 && (width < 44 || height < 44))
        .map(([name, { width, height }]) => name + ' ' + width + ' x ' + height)`,
    );
    expect(small).toEqual([]);
  });
});
