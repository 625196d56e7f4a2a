import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open.js';
import { catalogueOf, openHarness, OPERATOR } from '../platforms/console/harness.js';
import * as samples from '../platforms/console/samples.js';
import { PHONE, withBrowser } from '../support/browser.js';
import { handClock } from '../support/clock.js';

const LINES = catalogueOf([
  ['/premium ', 'Where the price stands against NAV'],
  ['/premium tide', 'Tidewater'],
  ['/proposals ', 'Proposals and their markets'],
  ['/help', 'What I can be asked'],
]);

/** Within this the page asks which chats there are, and connects again. */
const POLLED = 5_000;

describe('the console page', () => {
  const { visit } = withBrowser();

  const texts = async (page: Page) =>
    (await page.locator('#log article .card, #log article .said').allInnerTexts()).map((text) => text.split('\n')[0]);
  const sideways = async (page: Page) =>
    page.evaluate(
      '[document.documentElement, document.getElementById("scroll")].map((element) => element.scrollWidth - element.clientWidth)',
    );

  test('an empty chat greets with lines to try, and a click asks', async () => {
    await using harness = await openHarness();
    const page = await visit(harness);
    await page.getByRole('button', { name: '/help' }).click();
    await expect.poll(async () => texts(page)).toEqual(['/help', 'you said /help']);
    expect(await page.locator('#greeting').isVisible()).toBe(false);
    await expect.poll(async () => page.locator('#greeting button').allInnerTexts()).toHaveLength(3);
  });

  test('a line is completed and sent with the keyboard alone', async () => {
    await using harness = await openHarness({ catalogue: LINES });
    const page = await visit(harness);
    const input = page.getByRole('combobox', { name: 'Ask a question or type a command' });
    expect(await input.evaluate('document.activeElement === document.getElementById("line")')).toBe(true);
    await page.keyboard.type('/p');
    const options = page.getByRole('option');
    await expect.poll(async () => options.count()).toBe(3);
    expect(await input.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await input.getAttribute('aria-activedescendant')).toBe('suggestion-1');
    expect(await options.nth(1).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Tab');
    expect(await input.inputValue()).toBe('/premium tide');
    await expect.poll(async () => options.count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(async () => texts(page)).toEqual(['/premium tide', 'you said /premium tide']);
    expect(await input.inputValue()).toBe('');
    await page.keyboard.press('ArrowUp');
    expect(await input.inputValue()).toBe('/premium tide');
  });

  test('a reply is a card with a table, and its buttons are lines sent as if typed', async () => {
    const clock = handClock();
    await using harness = await openHarness({ clock, answer: async () => samples.treasury(clock.now()) });
    await harness.say('/treasury tide');
    const page = await visit(harness);
    await page.getByRole('button', { name: 'Premium', exact: true }).click();
    await expect.poll(async () => page.locator('.question .said').allInnerTexts()).toEqual(['/treasury tide', '/premium tide']);
    expect(await page.locator('article').nth(1).getByRole('columnheader').allInnerTexts()).toEqual(['holding', 'amount', 'value', 'share']);
  });

  test('the age of data keeps counting, by the clock of the server', async () => {
    const clock = handClock();
    await using harness = await openHarness({ clock, answer: async () => samples.premium(clock.now()) });
    await harness.say('/premium tide');
    const page = await visit(harness);
    const foot = page.locator('.reply .age');
    await expect.poll(async () => foot.innerText()).toBe('Updated 2 min ago');
    await clock.asleep();
    await clock.advance(3 * MINUTE);
    await expect.poll(async () => foot.innerText()).toBe('Updated 5 min ago');
  });

  test('an alert arrives by itself, looks like one, and is counted in the title while nobody looks', async () => {
    const clock = handClock();
    await using harness = await openHarness({ clock });
    const page = await visit(harness);
    await page.locator('#greeting').waitFor();
    await page.evaluate('Object.defineProperty(document, "hidden", { value: true, configurable: true })');
    await harness.alert('d-1', samples.mint(clock.now()));
    await page.locator('article.alert').waitFor();
    expect(await page.title()).toBe('(1) Navwatch');
    expect(await page.getByRole('log').getAttribute('aria-live')).toBe('polite');
    await page.evaluate('delete document.hidden; document.dispatchEvent(new Event("visibilitychange"))');
    expect(await page.title()).toBe('Navwatch');
  });

  test('a reader who scrolled up is left there and alerted how much is new', async () => {
    await using harness = await openHarness();
    for (let index = 1; index <= 30; index += 1) await harness.alert(`d-${index}`, `event ${index}`);
    const page = await visit(harness);
    await page.getByText('event 30', { exact: true }).waitFor();
    const place = async () => page.evaluate('document.getElementById("scroll").scrollTop');
    await page.evaluate('document.getElementById("scroll").scrollTop = 200');
    await harness.alert('d-31', 'event 31');
    await harness.alert('d-32', 'event 32');
    await page.getByRole('button', { name: '2 new' }).waitFor();
    expect(await place()).toBe(200);
    await page.getByRole('button', { name: '2 new' }).click();
    expect(await page.getByText('event 32', { exact: true }).isVisible()).toBe(true);
    await page.getByRole('button', { name: '2 new' }).waitFor({ state: 'hidden' });
    await harness.alert('d-33', 'event 33');
    await page.getByText('event 33', { exact: true }).waitFor();
    expect(await place()).toBeGreaterThan(200);
  });

  test('earlier messages are shown on demand, each once', async () => {
    await using harness = await openHarness();
    for (let index = 1; index <= 150; index += 1) await harness.alert(`d-${index}`, `event ${index}`);
    const page = await visit(harness);
    await page.getByRole('button', { name: 'Show earlier' }).click();
    await expect.poll(async () => page.locator('article').count()).toBe(150);
    expect(await texts(page)).toEqual(Array.from({ length: 150 }, (_, index) => `event ${index + 1}`));
    expect(await page.locator('.day').count()).toBe(1);
    expect(await page.locator('#earlier').isVisible()).toBe(false);
  });

  test('chats are made, kept apart, and marked when something new stands in another', async () => {
    await using harness = await openHarness();
    await harness.say('in main');
    const page = await visit(harness, { turnable: true });
    await page.getByRole('button', { name: 'New chat' }).click();
    await page.getByLabel('Name').fill('Not Allowed');
    await page.getByRole('button', { name: 'Create' }).click();
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.getByLabel('Name').fill('heron-desk');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: '/watch all' }).click();
    await expect.poll(async () => texts(page)).toEqual(['/watch all', 'you said /watch all']);
    await harness.alert('d-1', 'an alert in main');
    await page.clock.runFor(POLLED);
    await page.getByRole('link', { name: 'main something new' }).click();
    await expect.poll(async () => texts(page)).toEqual(['in main', 'you said in main', 'an alert in main']);
    expect(new URL(page.url()).hash).toBe('#main');
    expect(await page.getByRole('link', { name: 'main' }).getAttribute('aria-current')).toBe('page');
  });

  test('the strip shows the service and the oldest looks, and to the operator the budget and the deliveries', async () => {
    const clock = handClock();
    const panel = {
      read: async () => ({
        service: { ok: false, says: 'not responding', invented: false },
        feeds: [
          { id: 'supply', watched: 3, oldestCheck: clock.now(), failing: 0 },
          { id: 'growth', watched: 2, failing: 2 },
        ],
        budget: { used: 212, limit: 500 },
        deliveries: { waiting: 4, sent: 1_031 },
        store: { ok: true },
      }),
    };
    await using harness = await openHarness({ clock, panel });
    const rowsOf = async (page: Page) => (await page.locator('#panel-rows > div').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    const anyone = ['service ⚠ not responding', 'supply 3 watched · just now', 'growth ⚠ 2 of 2 failed · not checked yet'];
    const stranger = await visit(harness);
    await stranger.locator('#panel summary').click();
    await expect.poll(async () => rowsOf(stranger)).toEqual(anyone);
    const page = await visit(harness, { extraHTTPHeaders: OPERATOR });
    await page.locator('#panel summary').click();
    await expect.poll(async () => rowsOf(page)).toEqual([...anyone, 'budget 212 of 500', 'alerts 1,031 sent, 4 waiting']);
    expect(await page.locator('#panel-title').innerText()).toBe('Service problem');
  });

  test.each([
    ['a desktop', {}],
    ['a phone', PHONE],
  ])('nothing from outside runs or breaks the layout on %s', async (_where, options) => {
    const clock = handClock();
    await using harness = await openHarness({
      clock,
      answer: async () => samples.hostile(),
      catalogue: catalogueOf([[`/x ${'w'.repeat(400)}`, samples.HOSTILE]]),
    });
    await harness.say(samples.HOSTILE + 'W'.repeat(10_000));
    await harness.alert('d-1', samples.hostile());
    const page = await visit(harness, options);
    await page.locator('article.alert').waitFor();
    await page.locator('#line').fill('/x');
    await page.locator('#suggestions li').waitFor();
    expect(await sideways(page)).toEqual([0, 0]);
    const cut = '.finding, .line, .detail, .said, .figures dd, .figures dt, .card > footer, .age';
    expect(
      await page.evaluate(`[...document.querySelectorAll('${cut}')].filter((text) => text.scrollWidth > text.clientWidth + 1).length`),
    ).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('article script, article img, article [onerror]').count()).toBe(0);
    await page.locator('article').first().waitFor();
    for (const article of await page.locator('article').all()) expect((await article.boundingBox())?.height).toBeLessThan(2_600);
  });

  test('a phone shows cards, buttons and the input without sideways scrolling, and wide tables scroll in themselves', async () => {
    const clock = handClock();
    await using harness = await openHarness({ clock, answer: async () => samples.treasury(clock.now()) });
    await harness.say('/treasury tide');
    await harness.alert('d-1', samples.live(clock.now()));
    const page = await visit(harness, PHONE);
    await page.locator('article.alert').waitFor();
    expect(await sideways(page)).toEqual([0, 0]);
    for (const target of [page.locator('#line'), page.getByRole('button', { name: 'Send' }), page.getByRole('button', { name: 'Why?' })]) {
      const box = await target.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    }
  });

  test('the page says when the bot is away, comes back by itself, and has missed nothing', async () => {
    const store = await openStore('memory://');
    const before = await openHarness({ store });
    await before.alert('d-1', 'before');
    const page = await visit(before, { turnable: true });
    await page.getByText('before', { exact: true }).waitFor();
    await before[Symbol.asyncDispose]();
    await page.getByText('The bot is not reachable').waitFor();
    await page.locator('#line').fill('/help');
    await page.locator('#line').press('Enter');
    await expect.poll(async () => page.locator('#trouble').innerText()).toContain('not reachable');
    expect(await page.locator('#line').inputValue()).toBe('/help');

    await using after = await openHarness({ store, port: before.port });
    await after.alert('d-1', 'before');
    await after.alert('d-2', 'while away');
    await page.clock.runFor(POLLED);
    await page.getByText('while away', { exact: true }).waitFor();
    expect(await texts(page)).toEqual(['before', 'while away']);
    expect(await page.locator('#banner').isVisible()).toBe(false);
  });

  test('a bot that lost its memory is begun with again', async () => {
    const before = await openHarness();
    for (const id of ['1', '2', '3']) await before.alert(id, `old ${id}`);
    const page = await visit(before, { turnable: true });
    await page.getByText('old 3', { exact: true }).waitFor();
    await before[Symbol.asyncDispose]();
    await using after = await openHarness({ port: before.port });
    await after.alert('1', 'new 1');
    await page.clock.runFor(POLLED);
    await expect.poll(async () => texts(page)).toEqual(['new 1']);
  });

  test('with a token the page is behind a form', async () => {
    await using harness = await openHarness({ token: 'a token of some length' });
    const page = await visit(harness);
    await page.getByLabel('Token').fill('a guess');
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('That is not the token');
    await page.getByLabel('Token').fill('a token of some length');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: '/help' }).click();
    await expect.poll(async () => texts(page)).toEqual(['/help', 'you said /help']);
  });
});
