import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { allWell, openHarness } from '../platforms/console/harness.js';
import * as samples from '../platforms/console/samples.js';
import { PHONE, withBrowser } from '../support/browser.js';
import { handClock } from '../support/clock.js';

const SIZES = [
  ['390 px', PHONE],
  ['1280 px', { viewport: { width: 1280, height: 800 } }],
] as const;

async function openTreasury() {
  const clock = handClock();
  const harness = await openHarness({
    clock,
    panel: { read: async () => ({ ...allWell, service: { ...allWell.service, invented: true } }) },
    answer: async () => samples.treasury(clock.now()),
  });
  await harness.say('/treasury tide');
  return harness;
}

describe('with the keyboard alone', () => {
  const { visit } = withBrowser();
  const focused = async (page: Page) => page.evaluate('document.activeElement.textContent.trim() || document.activeElement.id');

  test.each(SIZES)('everything that can be pressed at %s is reached by Tab, and the focus is visible', async (_size, options) => {
    await using harness = await openTreasury();
    const page = await visit(harness, options);
    await page.locator('article.reply').waitFor();
    await page.locator('#demo').waitFor();
    const all = await page.evaluate(`{
      const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('dialog');
      window.targets = [...document.querySelectorAll('a[href], button, input, select, summary')].filter(shown);
      window.targets.length;
    }`);
    const missed = async () =>
      page.evaluate(
        'window.targets.filter((target) => !window.reached.has(target)).map((target) => target.textContent.trim() || target.id)',
      );
    await page.evaluate('window.reached = new Set(); window.unseen = []; document.activeElement.blur()');
    for (let presses = 0; presses < 2 * Number(all) + 5; presses += 1) {
      await page.keyboard.press('Tab');
      await page.evaluate(`{
        const target = document.activeElement;
        window.reached.add(target);
        const drawn = [target, target.parentElement].some((one) => getComputedStyle(one).outlineStyle !== 'none' || getComputedStyle(one).boxShadow !== 'none');
        if (!drawn && target !== document.body) window.unseen.push(target.id || target.textContent);
      }`);
    }
    expect(all).toBeGreaterThan(10);
    expect(await missed()).toEqual([]);
    expect(await page.evaluate('window.unseen')).toEqual([]);
  });

  test('a table is sorted, a button pressed, and a preview opened and left at the place it was opened from', async () => {
    await using harness = await openTreasury();
    const page = await visit(harness);
    await page.getByRole('button', { name: 'amount', exact: true }).focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('th[aria-sort="descending"]').innerText()).toContain('amount');
    await page.getByRole('button', { name: 'Preview' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Telegram' }).waitFor();
    expect(await focused(page)).toBe('Close');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Preview');
    await page.getByRole('button', { name: 'Supply', exact: true }).focus();
    await page.keyboard.press('Space');
    await expect.poll(async () => page.locator('.question .said').allInnerTexts()).toEqual(['/treasury tide', '/supply tide']);
  });
});
