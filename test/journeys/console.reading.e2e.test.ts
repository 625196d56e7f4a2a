import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/chat/address.js';
import { reply } from '../../src/chat/reply.js';
import { allWell, catalogueOf, openHarness } from '../platforms/console/harness.js';
import * as samples from '../platforms/console/samples.js';
import { PHONE, withBrowser } from '../support/browser.js';
import { handClock } from '../support/clock.js';

const long = (count: number) =>
  reply({
    finding: [{ strong: 'the first line' }],
    blocks: [{ kind: 'list', items: Array.from({ length: count }, (_, index) => ({ line: [`row ${index}`] })) }],
  });

const holdings = reply({
  finding: [{ strong: 'Holdings' }],
  blocks: [
    {
      kind: 'table',
      columns: [{ title: 'holding' }, ...['value', 'share', 'age', 'since', 'note'].map((title) => ({ title, align: 'right' as const }))],
      rows: [
        ['USDC', '$4.90M', '85%', '2 h', 'Nov 20', 'stable'],
        ['TIDE', 'n/a', 'n/a', '3 d', 'n/a', 'not in NAV'],
        ['BONK', '$870K', '−15%', '5 min', 'Aug 3', 'liquid, held by the second multisig'],
        ['SOL', '$1.20M', '1.5%', '1 d', 'Jan 7', 'staked with three validators'],
      ],
    },
  ],
});

describe('reading on the page', () => {
  const { visit } = withBrowser();

  const firstColumn = async (page: Page) => page.locator('tbody tr td:first-child').allInnerTexts();

  test('a reply longer than the window is shown from its first line, below the question', async () => {
    await using harness = await openHarness({ answer: async () => long(120) });
    const page = await visit(harness);
    await page.locator('#line').fill('/list');
    await page.locator('#line').press('Enter');
    await page.getByText('row 119').waitFor({ state: 'attached' });
    const topOf = async (selector: string) =>
      page.evaluate(
        `document.querySelector('${selector}').getBoundingClientRect().top - document.getElementById('scroll').getBoundingClientRect().top`,
      );
    await expect.poll(async () => topOf('.question')).toBeGreaterThanOrEqual(0);
    expect(await topOf('.finding')).toBeLessThan(150);
    // A second question is followed too, though the end of the first reply was never read.
    await page.locator('#line').fill('/again');
    await page.locator('#line').press('Enter');
    await expect.poll(async () => page.locator('.reply').count()).toBe(2);
    await expect.poll(async () => page.locator('.finding').last().isVisible()).toBe(true);
    const place = await page.locator('.finding').last().boundingBox();
    expect(place?.y).toBeGreaterThan(0);
    expect(place?.y).toBeLessThan(300);
  });

  test('a press on a title sorts a table by value, another one turns it round, and unknown values stay last', async () => {
    await using harness = await openHarness({ answer: async () => holdings });
    await harness.say('/holdings');
    const page = await visit(harness);
    const press = async (title: string) => page.getByRole('button', { name: title, exact: true }).click();
    await press('value');
    expect(await firstColumn(page)).toEqual(['USDC', 'SOL', 'BONK', 'TIDE']);
    expect(await page.locator('th[aria-sort]').evaluateAll((all) => all.map((title) => title.ariaSort))).toEqual(['descending']);
    await press('value');
    expect(await firstColumn(page)).toEqual(['BONK', 'SOL', 'USDC', 'TIDE']);
    await press('share');
    expect(await firstColumn(page)).toEqual(['USDC', 'SOL', 'BONK', 'TIDE']);
    await press('age');
    expect(await firstColumn(page)).toEqual(['TIDE', 'SOL', 'USDC', 'BONK']);
    await press('holding');
    expect(await firstColumn(page)).toEqual(['BONK', 'SOL', 'TIDE', 'USDC']);
    expect(await page.locator('th[aria-sort]').evaluateAll((all) => all.map((title) => title.ariaSort))).toEqual(['ascending']);
  });

  test('values of all kinds are ordered by what they mean', async () => {
    await using harness = await openHarness();
    const page = await visit(harness);
    const sorted = async (cells: readonly string[]) =>
      page.evaluate(
        `import('/page/tables.js').then(({ sorted }) => {
          const cells = ${JSON.stringify(cells)};
          return sorted(cells, 'ascending', Date.UTC(2026, 10, 22)).map((index) => cells[index]);
        })`,
      );
    expect(await sorted(['n/a', '$12.1K', '$0.5848', '−$3', '$5.46M', '1,031'])).toEqual([
      '−$3',
      '$0.5848',
      '1,031',
      '$12.1K',
      '$5.46M',
      'n/a',
    ]);
    expect(await sorted(['2 h', '90 min', '54.6 mo', '3 d'])).toEqual(['90 min', '2 h', '3 d', '54.6 mo']);
    // Without a year a date is the nearest one of its name.
    expect(await sorted(['Jan 7', 'Nov 20', 'Nov 20, 14:05 UTC', 'Dec 1, 2024', 'Mar 2025'])).toEqual([
      'Dec 1, 2024',
      'Mar 2025',
      'Nov 20',
      'Nov 20, 14:05 UTC',
      'Jan 7',
    ]);
    expect(await sorted(['Heron', '', 'alder 10', 'Alder 9'])).toEqual(['Alder 9', 'alder 10', 'Heron', '']);
  });

  test('a table that is cut off says how many columns are hidden, and shows them on a press', async () => {
    await using harness = await openHarness({ answer: async () => holdings });
    await harness.say('/holdings');
    const page = await visit(harness, PHONE);
    const cue = page.getByRole('button', { name: /more columns? →/u });
    await cue.waitFor();
    // It may go while the last press is on its way, when the table has been moved to its end.
    const pressed = async (): Promise<boolean> => {
      if (await cue.isVisible()) await cue.click({ timeout: 2_000 }).catch(() => {});
      return cue.isVisible();
    };
    await expect.poll(pressed).toBe(false);
    const wide = await visit(harness, { viewport: { width: 1280, height: 800 } });
    await wide.locator('table').waitFor();
    expect(await wide.locator('.cue').isVisible()).toBe(false);
  });

  test('a card has a heading, and a line that is emphasised whole is one below it', async () => {
    const parts = reply({
      finding: [{ strong: 'TIDE trades 17.2% below NAV' }],
      blocks: [
        { kind: 'line', line: [{ strong: 'Costs' }] },
        { kind: 'line', line: [{ strong: 'No' }, ' heading'] },
      ],
    });
    await using harness = await openHarness({ answer: async () => parts });
    await harness.say('/premium tide');
    const page = await visit(harness);
    await page.getByRole('heading', { level: 3, name: 'TIDE trades 17.2% below NAV' }).waitFor();
    expect(await page.getByRole('heading', { level: 4 }).allInnerTexts()).toEqual(['Costs']);
  });

  test('invented data is announced with the way to real data, and real data is not', async () => {
    const invented = { ...allWell, service: { ...allWell.service, invented: true } };
    await using demo = await openHarness({ panel: { read: async () => invented } });
    const page = await visit(demo);
    await page.getByRole('button', { name: 'Use real data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Use real data' });
    for (const setting of ['ANALYTICS_BASE_URL', 'ANALYTICS_API_KEY']) expect(await dialog.innerText()).toContain(setting);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(false);
    await using real = await openHarness();
    const other = await visit(real);
    await other.locator('#panel-rows > div').first().waitFor({ state: 'attached' });
    expect(await other.locator('#demo').isVisible()).toBe(false);
  });

  test('a reply is previewed side by side as each platform shows it', async () => {
    const clock = handClock();
    await using harness = await openHarness({ clock, answer: async () => samples.launches(clock.now()) });
    await harness.say('/launches');
    const page = await visit(harness);
    await page.getByRole('button', { name: 'Preview' }).click();
    const dialog = page.getByRole('dialog', { name: 'Preview' });
    await dialog.getByRole('heading', { name: 'Telegram' }).waitFor();
    expect(await dialog.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['Discord', 'Telegram', 'Text']);
    for (const platform of ['discord', 'telegram', 'text']) {
      const shown = await dialog.locator(`.${platform} .screen`).innerText();
      for (const words of ['2 live', 'Heron Flats (HERN)', 'Graveyard']) expect(shown).toContain(words);
      expect(shown).not.toMatch(/\*\*|<b>|\\/u);
    }
    expect(
      await dialog
        .locator('.key')
        .first()
        .evaluate((key) => key.tagName),
    ).toBe('SPAN');
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(false);
  });

  test('what a stranger wrote does nothing in a preview either', async () => {
    await using harness = await openHarness({ answer: async () => samples.hostile() });
    await harness.say('/x');
    const page = await visit(harness, PHONE);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: 'Telegram' }).waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('.screen script, .screen img').count()).toBe(0);
    expect(await page.locator('.screen').first().innerText()).toContain('<script>window.hacked=1</script>');
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });
});

describe('completion', () => {
  const { visit } = withBrowser();
  const lines = catalogueOf([
    ['/premium ', 'Premium or discount to NAV'],
    ['/premium tide ', 'Tidewater'],
    ['/premium tideway ', 'Tideway'],
    ['/watch ', 'Get alerts'],
    ['/watch alder ', 'Alder'],
    ['/watchlist ', 'What this chat watches'],
  ]);
  /** As the bot: a command in capitals or without its slash is known too. */
  const CATALOGUE = {
    ...lines,
    complete: async (line: string, ...rest: [Address, number]) => lines.complete(`/${line.replace(/^\//u, '').toLowerCase()}`, ...rest),
  };

  test.each([
    ['a command that is half typed', '/pre', '/premium '],
    ['a value that is half typed', '/premium ti', '/premium tide '],
  ])('Enter completes %s instead of sending it', async (_what, typed, completed) => {
    await using harness = await openHarness({ catalogue: CATALOGUE });
    const page = await visit(harness);
    await page.keyboard.type(typed);
    await expect.poll(async () => page.locator('[aria-selected="true"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    expect(await page.locator('#line').inputValue()).toBe(completed);
    expect(await page.locator('article').count()).toBe(0);
  });

  test.each(['/premium tide', '/watch', '/WATCH', 'watch', '/premium '])('Enter sends %j, which is complete', async (typed) => {
    await using harness = await openHarness({ catalogue: CATALOGUE });
    const page = await visit(harness);
    await page.keyboard.type(typed);
    await page.getByRole('option').first().waitFor();
    expect(await page.locator('[aria-selected="true"]').count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(async () => page.locator('.question .said').allInnerTexts()).toEqual([typed.trim()]);
  });

  test('a name that is only spelled alike is not highlighted, so Enter sends what was typed', async () => {
    const alike = { ...CATALOGUE, complete: async () => [{ insert: '/watch alder ', label: 'Alder Works (ALDR)', hint: 'alder' }] };
    await using harness = await openHarness({ catalogue: alike });
    const page = await visit(harness);
    await page.keyboard.type('/watch all');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => page.locator('.question .said').allInnerTexts()).toEqual(['/watch all']);
  });
});

describe('notifications of the browser', () => {
  const { visit } = withBrowser();
  /** Records what is shown; the page's own class asks the person. */
  const FAKE = `window.shown = [];
    window.Notification = class extends EventTarget {
      static permission = 'default';
      static requestPermission = async () => (Notification.permission = window.allowed ?? 'granted');
      constructor(title, options) { super(); window.shown.push([title, options.body]); }
      close() {}
    };`;
  const hide = 'Object.defineProperty(document, "hidden", { value: true, configurable: true })';

  async function opened(page: Page) {
    await page.addInitScript(FAKE);
    await page.reload();
    await page.locator('#greeting').waitFor();
    return page.getByRole('button', { name: 'Notifications' });
  }
  const shown = async (page: Page) => page.evaluate('window.shown');

  test('are shown after they were switched on here, for alerts in the background that are not silent', async () => {
    const clock = handClock();
    await using harness = await openHarness({ clock });
    const page = await visit(harness, { locale: 'en-GB' });
    const button = await opened(page);
    await page.evaluate(hide);
    await harness.alert('d-0', 'before');
    await page.getByText('before', { exact: true }).waitFor();
    expect(await shown(page)).toEqual([]);
    await button.click();
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await harness.alert('d-1', samples.mint(clock.now()));
    await harness.alert('d-2', 'silent one', 'main', { silent: true });
    await harness.say('/question');
    await page.getByText('you said /question').waitFor();
    expect(await shown(page)).toEqual([[expect.stringContaining('Tidewater minted 486,210 TIDE'), expect.stringContaining('supply')]]);
    await button.click();
    await harness.alert('d-3', 'after');
    await page.getByText('after', { exact: true }).waitFor();
    expect(await shown(page)).toHaveLength(1);
  });

  test('that the browser blocks are not shown as on, and the page says what to do', async () => {
    await using harness = await openHarness();
    const page = await visit(harness, { locale: 'en-GB' });
    const button = await opened(page);
    await page.evaluate('window.allowed = "denied"');
    await button.click();
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    expect(await page.getByRole('alert').innerText()).toContain('site settings');
  });
});
