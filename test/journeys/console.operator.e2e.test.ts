import { describe, expect, test } from 'vitest';
import { openHarness } from '../platforms/console/harness.js';
import { oneChat } from '../platforms/console/one-chat.js';
import { axe } from '../support/axe.js';
import { PHONE, withBrowser } from '../support/browser.js';

describe('the operator view', () => {
  const { visit } = withBrowser();

  test('finds a chat and edits it with the keyboard alone, shows text of others as text, and fits a phone', async () => {
    const { operator, ran, queries } = oneChat();
    await using harness = await openHarness({ operator });
    const page = await visit(harness, { path: '/operator', ...PHONE });
    await expect.poll(async () => page.locator('#count').innerText()).toContain('51');
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await page.keyboard.type('tide');
    await page.keyboard.press('Enter');
    await expect.poll(() => queries.at(-1)?.search).toBe('tide');
    await page.locator('#found button').focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => page.locator('#chat-title').innerText()).toBe('discord/42');
    expect(await page.evaluate('document.activeElement.id')).toBe('chat-title');
    expect(await page.locator('#facts').innerText()).toContain('<b>Embed Links</b>');
    await page.getByRole('textbox', { name: 'Command for this chat' }).focus();
    await page.keyboard.type('/mute 24h');
    await page.keyboard.press('Enter');
    await expect.poll(async () => page.locator('#result').innerText()).toContain('ran /mute 24h');
    await page.locator('#result button[data-line]').focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => ran.filter(({ line }) => line !== '/watchlist' && line !== '/history').map(({ line }) => line))
      .toEqual(['/mute 24h', '/mute 1h']);
    expect((await axe(page)).violations).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });
});
