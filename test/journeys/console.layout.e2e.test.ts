import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { reply } from '../../src/chat/reply.js';
import { allWell, catalogueOf, openHarness, OPERATOR, type ConsoleHarness } from '../platforms/console/harness.js';
import { oneChat } from '../platforms/console/one-chat.js';
import * as samples from '../platforms/console/samples.js';
import { withBrowser } from '../support/browser.js';
import { handClock } from '../support/clock.js';

/** Widths of phones, and of windows with a mouse. */
const SIZES = [
  [[320, 360, 390], true],
  [[768, 1280], false],
] as const;
const HEIGHT = 800;
const sizeOf = (width: number, hasTouch: boolean) => ({ viewport: { width, height: HEIGHT }, hasTouch });
const CHATS = [1, 2, 3, 8];
/** The open one first; the longest names that a chat can have are among them. */
const NAMES = [
  'main',
  'desk',
  'treasury-desk',
  'alerts',
  'governance-and-proposals-of-2026',
  'whales',
  'a-name-as-long-as-a-name-can-be-',
  'ops',
];
const LONG_WORD = `/premium ${'x'.repeat(200)}`;

const CATALOGUE = catalogueOf([
  ['/premium ', 'Premium or discount to NAV'],
  ['/premium a-project-with-a-name-of-which-most-does-not-fit', 'Tidewater'],
]);

/**
 * What can be pressed or typed into and lies over another such thing, beside the window or beside its own box; texts that are cut without
 * an ellipsis or a way to scroll to the rest; and whether the page scrolls sideways. What is scrolled out of sight is in nobody's way.
 */
const FAULTS = `(() => {
  const hides = (style) => style.overflowX !== 'visible' || style.overflowY !== 'visible';
  const nameOf = (element) => element.id || element.textContent.trim().slice(0, 30) || element.className;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && ![element, ...parents(element)].some((part) => getComputedStyle(part).clipPath !== 'none');
  function parents(element) {
    const all = [];
    for (let parent = element.parentElement; parent; parent = parent.parentElement) all.push(parent);
    return all;
  }
  function seen(element) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const box = { element, left, top, right, bottom };
    for (const parent of parents(element)) {
      if (!hides(getComputedStyle(parent))) continue;
      const around = parent.getBoundingClientRect();
      box.left = Math.max(box.left, around.left);
      box.right = Math.min(box.right, around.right);
      box.top = Math.max(box.top, around.top);
      box.bottom = Math.min(box.bottom, around.bottom);
    }
    return box;
  }
  const dialog = document.querySelector('dialog[open]');
  const root = dialog ?? document.body;
  const boxes = [...root.querySelectorAll('a[href], button, input, select, textarea, summary, [role=option]')]
    .filter(isShown).map(seen).filter(({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1);
  const overlaps = boxes.flatMap((one, index) => boxes.slice(index + 1).flatMap((other) => {
    if (one.element.contains(other.element) || other.element.contains(one.element)) return [];
    // Suggestions open over the conversation, and the way to new messages floats on it.
    if ([one, other].some(({ element }) => element.role === 'option')) return [];
    const floats = [one, other].some(({ element }) => element.id === 'to-end');
    if (floats && [one, other].some(({ element }) => element.closest('#scroll') !== null)) return [];
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return width > 1 && height > 1 ? [nameOf(one.element) + ' over ' + nameOf(other.element)] : [];
  }));
  const beside = boxes.filter(({ left, right }) => left < -1 || right > innerWidth + 1).map(({ element }) => nameOf(element) + ' beside');
  const cut = [...root.querySelectorAll('*')].filter(isShown).filter((element) => {
    const style = getComputedStyle(element);
    const scrolls = ['auto', 'scroll'].includes(style.overflowX);
    return hides(style) && !scrolls && style.textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1;
  }).map((element) => nameOf(element) + ' cut');
  const beyond = boxes.filter(({ element }) => element.clientWidth > 0 && !hides(getComputedStyle(element)) && element.scrollWidth > element.clientWidth + 1)
    .map(({ element }) => nameOf(element) + ' is wider than its box');
  const times = [...root.querySelectorAll('.message header time')].filter(isShown)
    .filter((time) => time.offsetHeight > 30).map((time) => nameOf(time) + ' in two lines');
  const list = document.getElementById('chats');
  const open = document.querySelector('#chats [aria-current]');
  const isOpenSeen = open === null || seen(open).right - seen(open).left > open.offsetWidth - 1;
  return [
    ...overlaps, ...beside, ...cut, ...beyond, ...times,
    // Two short names have room at any width, with the dot of what is new.
    ...(list !== null && list.children.length <= 2 && list.scrollWidth > list.clientWidth ? ['two chats scroll'] : []),
    ...(isOpenSeen ? [] : ['the open chat is out of sight']),
    ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page scrolls sideways'] : []),
  ];
})()`;

/** Once the page has settled. */
async function expectNoFaults(page: Page): Promise<void> {
  await expect.poll(async () => page.evaluate(FAULTS)).toEqual([]);
}

/** A page with these chats, in the first of which is every kind of card. */
async function openWith(names: readonly string[], ok = true): Promise<ConsoleHarness> {
  const clock = handClock();
  const now = clock.now();
  const all = [samples.premium(now), samples.treasury(now), samples.launches(now), samples.unknownProject(), samples.rules()];
  const files = reply({ finding: ['Here it is'], files: [{ name: `${'long-name-'.repeat(12)}.csv`, type: 'text/csv', text: 'a,b' }] });
  const answers = [...all, files];
  const feeds = ['supply', 'proposals', 'premium'].map((id) => ({ id, watched: 12, failing: ok ? 0 : 3, oldestCheck: now }));
  const harness = await openHarness({
    clock,
    catalogue: CATALOGUE,
    panel: { read: async () => ({ ...allWell, feeds, service: { ...allWell.service, invented: true } }) },
    answer: async () =>
      answers.shift() ?? reply({ finding: [`${'word '.repeat(60)} ${'x'.repeat(300)}`, { code: '/premium '.repeat(30) }] }),
  });
  for (let index = 0; index <= all.length; index += 1) await harness.say(`/question ${index}`);
  await harness.say(LONG_WORD);
  for (const [index, alert] of [samples.mint(now), samples.live(now), samples.fell()].entries()) await harness.alert(`d-${index}`, alert);
  for (const name of names.slice(1)) await harness.say('/help', name);
  return harness;
}

describe('on the page nothing that can be pressed overlaps and nothing is cut', () => {
  const { visit } = withBrowser();

  test.each(CHATS)('with %s in the list of chats, whichever is open', async (count) => {
    await using harness = await openWith(NAMES.slice(0, count));
    for (const [widths, hasTouch] of SIZES)
      for (const open of new Set([NAMES[0], NAMES[count - 1]])) {
        const page = await visit(harness, { ...sizeOf(widths[0], hasTouch), path: `/#${open}` });
        for (const width of widths) {
          await page.setViewportSize({ width, height: HEIGHT });
          await page
            .locator('#chats li')
            .nth(count - 1)
            .waitFor({ state: 'attached' });
          await page.locator('#demo').waitFor();
          await expectNoFaults(page);
        }
      }
  });

  test.each(SIZES)('at %j px, over the whole conversation, completion, the status and the dialogs', async (widths, hasTouch) => {
    await using harness = await openWith(NAMES.slice(0, 3), false);
    const page = await visit(harness, sizeOf(widths[0], hasTouch));
    const expectNoFaultsAtAny = async (): Promise<void> => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: HEIGHT });
        await expectNoFaults(page);
      }
    };
    await page.locator('article.alert').nth(2).waitFor();
    for (const article of await page.locator('article').all()) {
      await article.scrollIntoViewIfNeeded();
      await expectNoFaultsAtAny();
    }
    await page.evaluate('document.getElementById("scroll").scrollTop = 0');
    await harness.alert('late', samples.fell());
    await page.locator('#to-end').waitFor();
    const name = `${'a-long-name-'.repeat(8)}.json`;
    await page.locator('#file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from('{}') });
    await expectNoFaultsAtAny();
    await page.locator('#line').fill('/p');
    await page.locator('#suggestions li').first().waitFor();
    await expectNoFaultsAtAny();
    await page.locator('#line').fill('');
    await page.locator('#panel summary').click();
    await expectNoFaultsAtAny();
    for (const [opens, closes] of [
      ['New chat', 'Cancel'],
      ['Use real data', 'Close'],
    ] as const) {
      await page.getByRole('button', { name: opens }).click();
      await expectNoFaultsAtAny();
      await page.getByRole('button', { name: closes }).click();
    }
    await page.getByRole('button', { name: 'Preview' }).last().click();
    await page.getByRole('heading', { name: 'Telegram' }).waitFor();
    await expectNoFaultsAtAny();
  });

  test.each(SIZES)('at %j px, in the operator view', async (widths, hasTouch) => {
    const { operator } = oneChat();
    await using harness = await openHarness({ operator });
    const page = await visit(harness, { ...sizeOf(widths[0], hasTouch), path: '/operator', extraHTTPHeaders: OPERATOR });
    await page.locator('#found button').first().click();
    await page.locator('#facts dt').first().waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      await expectNoFaults(page);
    }
  });
});
