import { describe, expect, test } from 'vitest';
import { later, type Instant } from '../../src/base/clock.js';
import type { Pictures } from '../../src/chat/chart.js';
import { reply } from '../../src/chat/reply.js';
import type { WatchedProject, WatchedProjects } from '../../src/chat/watched-projects.js';
import { drawSvg, outlinedSvg } from '../../src/charts/svg.js';
import { allWell, openHarness } from '../platforms/console/harness.js';
import * as samples from '../platforms/console/samples.js';
import { axe } from '../support/axe.js';
import { PHONE, withBrowser } from '../support/browser.js';
import { handClock } from '../support/clock.js';

const SIZES = [
  ['390 px', PHONE],
  ['1280 px', { viewport: { width: 1280, height: 800 } }],
] as const;
const VIEWS = SIZES.flatMap(([size, options]) =>
  (['light', 'dark'] as const).map((colorScheme) => [size, colorScheme, { ...options, colorScheme }] as const),
);

/** In this thread: a worker is started from the build alone. */
const pictures: Pictures = { svg: async (chart, theme) => outlinedSvg(drawSvg(chart, theme)), png: async () => new Uint8Array() };

function watching(names: readonly string[]): WatchedProjects {
  const now = handClock().now();
  const all = names.map((name, index): WatchedProject => ({
    ...{ slug: index === 0 ? 'tide' : `coin-${index}`, name, symbol: index === 0 ? 'TIDE' : undefined },
    ...(index === 1 ? {} : { price: { text: '$0.8280', at: now }, premium: { text: '−17.2%', at: now, isDiscount: true } }),
    history: [1, 3, 2].map((value, day) => [now - day, value] as const).toReversed(),
    deadline: index === 1 ? undefined : { kind: 'market', endsAt: later(now, 3_600_000), at: now },
  }));
  return {
    async read(_chat, search) {
      const found = all.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
      return { total: found.length, isAny: all.length > 0, projects: found.slice(0, 60) };
    },
  };
}

const withChart = (now: Instant) =>
  reply({
    ...samples.premium(now),
    chart: {
      ...{ kind: 'xy', title: 'Premium' },
      series: [
        { name: 'premium', draw: 'line', unit: 'percent', points: [0, 1, 2, 3, 4].map((day) => [now - (4 - day) * 86_400_000, day]) },
      ],
    },
  });

async function open(names: readonly string[]) {
  const clock = handClock();
  const harness = await openHarness({ clock, pictures, watched: watching(names), answer: async () => withChart(clock.now()) });
  return { ...harness, clock };
}

describe('the watched projects', () => {
  const { visit } = withBrowser();

  test('are listed with figures and ages; unknown is n/a, and a name is never markup', async () => {
    await using harness = await open(['Tidewater', '<img src=x onerror=alert(1)>']);
    const page = await visit(harness);
    const rows = page.locator('#projects a');
    await rows.nth(1).waitFor();
    const [tide = '', other = ''] = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, ' '));
    expect(tide).toMatch(/^TIDE Price \$0\.8280 Vote in .+ · .+ Premium −17\.2%$/u);
    expect(other).toMatch(/^<img src=x onerror=alert\(1\)> Price n\/a Deadline n\/a · not checked Premium n\/a$/u);
    expect(await page.locator('#projects img').count()).toBe(0);
  });

  test('open a page with a view that is not kept in the chat; a period stays there, another press goes to the chat', async () => {
    await using harness = await open(['Tidewater']);
    const page = await visit(harness);
    await page.getByRole('link', { name: 'TIDE' }).click();
    await page.locator('#project-body article').waitFor();
    expect(new URL(page.url()).hash).toBe('#main/project/tide');
    await page.locator('#project-tabs').getByRole('link', { name: 'Premium' }).click();
    await page.locator('#project-body button[data-line="/premium tide 1M"]').click();
    await page.locator('#project-body article').waitFor();
    expect((await harness.get('/api/chats/main/messages')).body.messages).toEqual([]);
    await page.reload();
    await page.locator('#project-tabs [aria-current]').getByText('Premium').waitFor();
    await page.locator('#line').fill('/help');
    await page.keyboard.press('Enter');
    await page.locator('#log article.reply').waitFor();
    expect(new URL(page.url()).hash).toBe('#main');
  });

  test('show the values of a chart under the pointer, and by arrow keys', async () => {
    await using harness = await open(['Tidewater']);
    const page = await visit(harness, { path: '/#main/project/tide/premium' });
    const pointer = page.locator('#project .pointer');
    await page.locator('#project picture img').waitFor();
    await pointer.hover();
    await page.locator('#project .tip b').first().waitFor();
    const under = await page.locator('#project .tip strong').innerText();
    await pointer.focus();
    await page.keyboard.press('End');
    await expect.poll(async () => page.locator('#project .tip strong').innerText()).not.toBe(under);
    const last = await pointer.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => pointer.getAttribute('aria-valuetext')).not.toBe(last);
  });

  test('300 of them are bounded, and the filter finds the others', async () => {
    await using harness = await open(Array.from({ length: 300 }, (_, index) => `Coin ${index}`));
    const page = await visit(harness);
    await page.locator('#projects li').nth(59).waitFor();
    expect(await page.locator('#watched-more').innerText()).toBe('240 more; filter to find them.');
    await page.locator('#find-project').fill('coin 299');
    await expect.poll(async () => page.locator('#projects li').count()).toBe(1);
    await page.locator('#find-project').fill('nothing');
    await page.getByText('No watched project has this in its name.').waitFor();
  });

  test('are none yet: two presses to begin with', async () => {
    await using harness = await open([]);
    const page = await visit(harness);
    await page.getByRole('button', { name: 'Watch all projects' }).click();
    await page.locator('#log article.reply').waitFor();
    expect((await harness.get('/api/chats/main/messages')).body.messages?.[0]?.text).toBe('/watch all');
  });

  test.each(VIEWS)('have no barrier that axe-core finds at %s, %s', async (_size, _scheme, options) => {
    await using harness = await open(['Tidewater', 'Moss Harbor']);
    await harness.alert('d-1', samples.mint(harness.clock.now()));
    await harness.alert('d-2', samples.fell());
    const page = await visit(harness, { ...options, path: '/#main/project/tide/premium' });
    await page.locator('#project picture img').waitFor();
    await page.locator('#projects a').nth(1).waitFor();
    expect((await axe(page)).violations).toEqual([]);
    await page.getByRole('link', { name: 'Alerts' }).first().click();
    await page.locator('.row-of-alert summary').first().click();
    await page.locator('.row-of-alert article').first().waitFor();
    expect((await axe(page)).violations).toEqual([]);
  });
});

/** In pixels at 390 px, of an alert with a headline in two lines and one line of details, while the age had a line of its own. */
const HEIGHT_BEFORE = 218;

describe('the alerts', () => {
  const { visit } = withBrowser();

  test('are a timeline by day, and a new one comes first by itself', async () => {
    await using harness = await open([]);
    await harness.alert('d-1', 'event one');
    await harness.clock.advance(25 * 3_600_000);
    await harness.alert('d-2', 'event two');
    const page = await visit(harness, { path: '/#main/alerts' });
    await expect.poll(async () => page.locator('#timeline .day').allInnerTexts()).toEqual(['Today', 'Yesterday']);
    await harness.alert('d-3', 'event three');
    await expect.poll(async () => page.locator('.said-short').allInnerTexts()).toEqual(['event three', 'event two', 'event one']);
    await page.locator('#alerts-since').selectOption('day');
    await expect.poll(async () => page.locator('.said-short').count()).toBe(2);
  });

  test('are no wider than a phone, nor is the page of a project', async () => {
    await using harness = await open([]);
    await harness.alert('d-1', 'event one');
    for (const path of ['/#main/alerts', '/#main/project/tide']) {
      const page = await visit(harness, { ...PHONE, path });
      await page
        .locator(path.endsWith('alerts') ? '.said-short' : '#project')
        .first()
        .waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), path).toBe(0);
    }
  });

  test('take a third less room on a phone than they did', async () => {
    await using harness = await open([]);
    const clock = handClock();
    await harness.alert('d-1', samples.mint(clock.now()));
    const page = await visit(harness, PHONE);
    const height = (await page.locator('article.alert').boundingBox())?.height ?? Infinity;
    expect(height).toBeLessThan((2 / 3) * HEIGHT_BEFORE);
  });
});

describe('the demonstration', () => {
  const { visit } = withBrowser();

  test('offers once, after five alerts, to mute the projects that run fast', async () => {
    const clock = handClock();
    await using harness = await openHarness({
      clock,
      watched: watching(['Spindrift fast demo', 'Tidewater', 'Kestrel Yard fast demo']),
      panel: { read: async () => ({ ...allWell, service: { ...allWell.service, invented: true } }) },
    });
    const page = await visit(harness);
    await page.locator('#demo').waitFor();
    for (let index = 1; index <= 4; index += 1) await harness.alert(`d-${index}`, `event ${index}`);
    await page.locator('article.alert').nth(3).waitFor();
    expect(await page.locator('#fast-demo').isVisible()).toBe(false);
    await harness.alert('d-5', 'event 5');
    await page.getByRole('button', { name: 'Mute both' }).click();
    await page.locator('article.reply').nth(1).waitFor();
    const { messages = [] } = (await harness.get('/api/chats/main/messages')).body;
    expect(messages.filter(({ kind }) => kind === 'question').map(({ text }) => text)).toEqual(['/mute tide 30d', '/mute coin-2 30d']);
    await harness.alert('d-6', 'event 6');
    await page.locator('article.alert').nth(5).waitFor();
    expect(await page.locator('#fast-demo').isVisible()).toBe(false);
  });
});

describe('the input', () => {
  const { visit } = withBrowser();

  test('recalls earlier lines by arrow up, also after the page was loaded again', async () => {
    await using harness = await open([]);
    const page = await visit(harness);
    for (const line of ['/help', '/status', '/status']) {
      await page.locator('#line').fill(line);
      await page.keyboard.press('Enter');
      await page.locator('#waiting').waitFor({ state: 'hidden' });
    }
    await page.reload();
    await page.locator('#line').focus();
    const up = async () => {
      await page.keyboard.press('ArrowUp');
      return page.locator('#line').inputValue();
    };
    expect([await up(), await up(), await up()]).toEqual(['/status', '/help', '/help']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('#line').inputValue()).toBe('');
  });
});
