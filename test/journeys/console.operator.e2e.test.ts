import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { keysApi, keysPage } from '../../src/platforms/api/keys-api.js';
import { ApiKeys } from '../../src/platforms/api/keys.js';
import { openStore } from '../../src/store/open.js';
import { JSON_TYPE, openHarness, OPERATOR } from '../platforms/console/harness.js';
import { oneChat } from '../platforms/console/one-chat.js';
import { openWebhooks } from '../platforms/webhook/harness.js';
import { axe } from '../support/axe.js';
import { PHONE, withBrowser } from '../support/browser.js';

describe('the operator view', () => {
  const { visit } = withBrowser();

  test('says how to log in, and the link of npm run login opens it, once', async () => {
    const { operator } = oneChat();
    await using harness = await openHarness({ operator });
    const page = await visit(harness);
    await page.getByRole('link', { name: 'All platforms' }).click();
    await expect.poll(async () => page.locator('main').innerText()).toContain('npm run --silent login');
    const init = { method: 'POST', headers: { ...JSON_TYPE, ...OPERATOR }, body: '{}' };
    const { code } = z.object({ code: z.string() }).parse(await (await fetch(`${harness.url}/api/operator/code`, init)).json());
    await page.goto(`${harness.url}/login#${code}`);
    await page.getByRole('link', { name: 'All platforms' }).click();
    await expect.poll(async () => page.locator('#count').innerText()).toContain('51');
    await page.context().clearCookies();
    // The name of a chat behind the # is no code, and leads to the form.
    await page.goto(harness.url);
    await page.goto(`${harness.url}/operator#discord/42`);
    await expect.poll(async () => page.url()).toContain('/login?to=%2Foperator');
    expect(await page.getByRole('alert').innerText()).toBe('');
    await page.goto(`${harness.url}/login#${code}`);
    await expect.poll(async () => page.getByRole('alert').innerText()).toContain('was used');
    expect(page.url()).toBe(`${harness.url}/login`);
    expect((await axe(page)).violations).toEqual([]);
  });

  test('finds a chat and edits it with the keyboard alone, shows text of others as text, and fits a phone', async () => {
    const { operator, ran, queries } = oneChat();
    await using harness = await openHarness({ operator });
    const page = await visit(harness, { path: '/operator', extraHTTPHeaders: OPERATOR, ...PHONE });
    await expect.poll(async () => page.locator('#count').innerText()).toContain('51');
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await page.keyboard.type('tide');
    await page.keyboard.press('Enter');
    await expect.poll(() => queries.at(-1)?.search).toBe('tide');
    // The page may still replace the list with what the search found, and the button that has the focus with it.
    const open = async (): Promise<string> => {
      await page.locator('#found button').focus();
      await page.keyboard.press('Enter');
      return page.locator('#chat-title').innerText();
    };
    await expect.poll(open, { interval: 500 }).toBe('discord/42');
    await expect.poll(async () => page.evaluate('document.activeElement.id')).toBe('chat-title');
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

  test('creates an endpoint, shows its secret once, tests, rotates and removes it, shows names as text, and fits a phone', async () => {
    const { operator } = oneChat();
    const webhooks = await openWebhooks();
    const receiver = await webhooks.receive();
    const { page: own } = webhooks.platform();
    if (own === undefined) throw new Error('the platform has a page');
    await using harness = await openHarness({ operator, pages: [{ ...own, platform: 'webhook' }] });
    const page = await visit(harness, { path: '/operator', extraHTTPHeaders: OPERATOR, ...PHONE });
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('<b>desk</b>');
    await page.getByRole('textbox', { name: 'URL' }).fill('http://example.com/');
    await page.keyboard.press('Enter');
    await expect.poll(async () => page.locator('#trouble').innerText()).toContain('https');
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.keyboard.press('Enter');
    await expect.poll(async () => page.locator('#secret-text').innerText()).toMatch(/^whsec_/u);
    const secret = await page.locator('#secret-text').innerText();
    expect(await page.evaluate('document.activeElement.id')).toBe('secret-title');
    expect(await page.locator('article h3').innerText()).toBe('<b>desk</b>');
    await page.getByRole('button', { name: 'Send a sample event' }).click();
    await expect.poll(async () => page.locator('.result').innerText()).toContain('401');
    receiver.trust(secret);
    await page.getByRole('button', { name: 'Send a sample event' }).click();
    await expect.poll(async () => page.locator('.result').innerText()).toContain('Arrived');
    expect(receiver.received.map(({ type }) => type)).toEqual(['test']);
    expect((await axe(page)).violations).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await expect.poll(async () => page.locator('#secret-text').innerText()).not.toBe(secret);
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(webhooks.platform().chats?.()).toHaveLength(1);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(async () => page.locator('article').count()).toBe(0);
    expect(webhooks.platform().chats?.()).toEqual([]);
  });

  test('creates an API key, shows it once, refuses one that manages no chat, and revokes it with a second press', async () => {
    const { operator } = oneChat();
    const keys = await ApiKeys.open({ store: await openStore('memory://'), clock: systemClock });
    const data = { present: () => undefined };
    const own = keysApi({ keys, data, log: silentLog, isEnabled: true, forgetChat: async () => undefined });
    await using harness = await openHarness({ operator, pages: [{ platform: 'api', title: 'API keys', files: keysPage(), api: own }] });
    const page = await visit(harness, { path: '/operator', extraHTTPHeaders: OPERATOR, ...PHONE });
    await page.getByRole('link', { name: 'API keys' }).click();
    await expect.poll(async () => page.locator('#count').innerText()).toContain('None yet');
    await page.getByRole('textbox', { name: 'Name' }).fill('<b>desk</b>');
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('manage');
    await page.getByRole('button', { name: 'Create key' }).click();
    await expect.poll(async () => page.locator('#trouble').innerText()).toContain('needs its chat');
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('read');
    await page.getByRole('button', { name: 'Create key' }).click();
    await expect.poll(async () => page.locator('#secret-text').innerText()).toMatch(/^nwk_/u);
    expect(keys.find(await page.locator('#secret-text').innerText())).toMatchObject({ name: '<b>desk</b>', scope: 'read' });
    expect(await page.evaluate('document.activeElement.id')).toBe('secret-title');
    expect(await page.locator('article h3').innerText()).toBe('<b>desk</b>');
    expect((await axe(page)).violations).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await page.getByRole('button', { name: 'Hide' }).click();
    expect(await page.locator('#secret').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Revoke' }).click();
    expect(keys.all()).toHaveLength(1);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(async () => page.locator('article').count()).toBe(0);
    expect(keys.all()).toEqual([]);
  });
});
