import { describe, expect, test } from 'vitest';
import { LARGEST_FILE, type Inbound } from '../../src/chat/inbound.js';
import { reply } from '../../src/chat/reply.js';
import { openHarness } from '../platforms/console/harness.js';
import * as samples from '../platforms/console/samples.js';
import { PHONE, withBrowser } from '../support/browser.js';

/** A console that answers everything with the same fields, and what it was asked. */
async function openForms() {
  const asked: Inbound[] = [];
  const harness = await openHarness({
    answer: async (inbound) => {
      asked.push(inbound);
      return samples.rules();
    },
  });
  await harness.say('/alerts tide');
  const lines = () => asked.slice(1).map(({ ask }) => ('line' in ask ? ask.line : ask.command));
  return { harness, asked, lines, [Symbol.asyncDispose]: async () => harness[Symbol.asyncDispose]() };
}

const text = (content: string | Buffer, name = 'list.json') => ({ name, mimeType: 'application/json', buffer: Buffer.from(content) });

describe('what can be filled in on the page', () => {
  const { visit } = withBrowser();

  test('what is picked from a menu is sent at once, and the menu shows again what is in force', async () => {
    await using forms = await openForms();
    const page = await visit(forms.harness);
    const menu = page.getByLabel('Kind of events').first();
    expect(await menu.inputValue()).toBe('/alerts tide supply');
    await menu.selectOption({ label: 'Treasury' });
    await expect.poll(forms.lines).toEqual(['/alerts tide treasury']);
    expect(await menu.inputValue()).toBe('/alerts tide supply');
    await expect.poll(async () => page.locator('.question .said').allInnerTexts()).toEqual(['/alerts tide', '/alerts tide treasury']);
  });

  test('who walks through a menu by arrow keys sends nothing until the key that sends', async () => {
    await using forms = await openForms();
    const page = await visit(forms.harness);
    const menu = page.getByLabel('Kind of events').first();
    await menu.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await menu.inputValue()).toBe('/alerts tide treasury');
    const button = page.locator('form.menu').first().getByRole('button', { name: 'Choose' });
    await expect.poll(async () => (await button.boundingBox())?.width).toBeGreaterThan(40);
    expect(forms.lines()).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(forms.lines).toEqual(['/alerts tide treasury']);
  });

  test('a menu with several choices in force ticks them and selects none', async () => {
    await using forms = await openForms();
    const page = await visit(forms.harness);
    const menu = page.getByLabel('Stages of a proposal');
    // Reading what there is does not wait for the page to have it.
    await menu.waitFor();
    expect((await menu.locator('option').allInnerTexts()).map((label) => label.trim())).toEqual([
      'Choose …',
      '✓ created',
      '✓ live',
      'resolved',
    ]);
    expect(await menu.inputValue()).toBe('');
  });

  test('a box for several lines is sent with its line breaks', async () => {
    const asked: Inbound[] = [];
    const fields = [{ kind: 'text' as const, label: 'Paste a list', line: '/watchlist import {}', lines: true }];
    await using harness = await openHarness({
      answer: async (inbound) => {
        asked.push(inbound);
        return reply({ finding: ['Which list?'], fields });
      },
    });
    await harness.say('/watchlist import');
    const page = await visit(harness);
    await page.getByRole('textbox', { name: 'Paste a list' }).fill(' one\ntide\n\nheron \n');
    await page.locator('form.fill').getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => asked.slice(1).map(({ ask }) => ('line' in ask ? ask.line : '')))
      .toEqual(['/watchlist import one\ntide\n\nheron']);
  });

  test('a text field is described by its hint, and Enter sends its line with what was typed as one trimmed line', async () => {
    await using forms = await openForms();
    const page = await visit(forms.harness);
    const field = page.getByRole('textbox', { name: 'At least so many US dollars' }).first();
    expect(await page.locator(`#${await field.getAttribute('aria-describedby')}`).innerText()).toContain('for example 10000');
    await field.press('Enter');
    await field.fill('   ');
    await field.press('Enter');
    await field.fill("  $&  $'\t10000 ");
    await field.press('Enter');
    await expect.poll(forms.lines).toEqual(["/alerts tide supply least:$& $' 10000"]);
    expect(await field.inputValue()).toBe('');
  });

  test.each([
    ['a desktop', 30, {}],
    ['a phone, as large as a finger needs,', 44, PHONE],
  ])('fields stand within the card on %s', async (_where, height, options) => {
    await using forms = await openForms();
    const page = await visit(forms.harness, options);
    await page.locator('.card select').first().waitFor();
    const card = await page.locator('.card').boundingBox();
    await page.locator('.card select').first().waitFor();
    for (const part of await page.locator('.card select, .card input, .fill button').all()) {
      const box = await part.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(card?.x ?? Infinity);
      expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
      expect(box?.height).toBeGreaterThanOrEqual(height);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });

  test('a file goes with the line it was chosen for, and with no other', async () => {
    const requests: (readonly [line: string, ...texts: string[]])[] = [];
    await using harness = await openHarness({
      answer: async ({ ask, files = [] }) => {
        requests.push(['line' in ask ? ask.line : ask.command, ...(await Promise.all(files.map(async (file) => file.read())))]);
        return reply({ finding: ['read'] });
      },
    });
    const page = await visit(harness);
    await page.locator('#file').setInputFiles(text('{"entries": "é"}'));
    expect(await page.locator('#attached').innerText()).toContain('list.json');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').innerText()).toContain('Type the command that the file is for');
    await page.keyboard.type('/watchlist import');
    await page.keyboard.press('Enter');
    await expect.poll(() => requests).toEqual([['/watchlist import', '{"entries": "é"}']]);
    expect(await page.locator('#attached').isVisible()).toBe(false);
    expect(await page.locator('.said .sent').innerText()).toBe('list.json · 1 KB');
    await page.keyboard.type('/help');
    await page.keyboard.press('Enter');
    await expect.poll(() => requests.slice(1)).toEqual([['/help']]);
  });

  test('a chosen file can be taken back, and one that is too large is not taken', async () => {
    await using harness = await openHarness();
    const page = await visit(harness);
    await page.locator('#file').setInputFiles(text('x'.repeat(LARGEST_FILE + 1), 'huge.txt'));
    expect(await page.getByRole('alert').innerText()).toBe(
      'huge.txt is larger than 256 KB. Split it and send the parts one after another.',
    );
    expect(await page.locator('#attached').isVisible()).toBe(false);
    await page.locator('#file').setInputFiles(text('x'));
    expect(await page.getByRole('alert').innerText()).toBe('');
    await page.getByRole('button', { name: 'Do not send list.json' }).click();
    expect(await page.locator('#attached').isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.id')).toBe('attach');
  });

  test('the chooser of files opens from the keyboard', async () => {
    await using harness = await openHarness();
    const page = await visit(harness);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach a file' }).press('Enter');
    await (await chooser).setFiles(text('x', 'by-key.txt'));
    await expect.poll(async () => page.locator('#attached bdi').innerText()).toBe('by-key.txt');
  });
});
