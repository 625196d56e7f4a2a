import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from '../../../src/base/clock.js';
import { reply, type Reply } from '../../../src/chat/reply.js';
import { renderMessage } from '../../../src/platforms/console/render.js';
import * as samples from './samples.js';

const at = instant(Date.UTC(2026, 10, 20, 12));
const render = async (what: Reply, kind: 'reply' | 'alert' = 'reply') => renderMessage({ id: 7, at, kind, text: '', reply: what });
const words = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

test('finding, figures, buttons and age stand in that order', async () => {
  const html = await render(samples.premium(at));
  const order = ['TIDE trades 17.2', '$0.8280', '/premium tide 1D', 'Updated'].map((text) => html.indexOf(text));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
});

test('a button carries its whole command line, and the choice in force is marked', async () => {
  const html = await render(samples.premium(at));
  expect(html).toMatch(/data-line="\/premium tide 3M"[^>]*aria-pressed="true"/);
  expect(html.match(/aria-pressed/g)).toHaveLength(1);
});

test('a table keeps its columns, its alignment and what it left out', async () => {
  const html = await render(samples.treasury(at));
  expect(html.match(/<th /g)).toHaveLength(4);
  expect(html.match(/<td class="right"/g)).toHaveLength(9);
  expect(words(html)).toContain('… and 2 more');
});

test('old data says why it is old and from when it is', async () => {
  expect(words(await render(samples.treasury(at)))).toContain('The analytics service is not answering. Showing data from 22 min ago .');
});

test('moments carry their timestamp, for the page to keep them counting', async () => {
  expect(await render(samples.launches(at))).toContain('<time class="ago" datetime="2026-11-20T17:00:00.000Z">in 5 h</time>');
});

test('emphasis and code stay what they are', async () => {
  const html = await render(samples.unknownProject());
  expect(html).toContain('<strong><bdi>tide</bdi></strong>');
  expect(html).toContain('<code><bdi>/search tidew</bdi></code>');
});

test('a tone is a glyph, and colours the message', async () => {
  const html = await render(samples.fell(), 'alert');
  expect(html).toContain('class="message alert tone-down"');
  expect(html).toContain('<span class="glyph down">▼</span>');
});

test('a moment no calendar has breaks nothing', async () => {
  expect(await render(reply({ finding: ['x ', { at: 9e15 }], asOf: 9e15, stale: 'old.' }))).toContain('n/a');
});

test('nothing from outside becomes markup, whatever part of a message it stands in', async () => {
  const html = await render(samples.hostile());
  const tags = new Set([...html.matchAll(/<\/?([a-z!][^\s>/]*)/gi)].map(([, name = '']) => name));
  expect([...tags].toSorted((a, b) => a.localeCompare(b))).toEqual([
    'article',
    'bdi',
    'button',
    'code',
    'dd',
    'div',
    'dl',
    'dt',
    'footer',
    'form',
    'h3',
    'header',
    'input',
    'label',
    'li',
    'option',
    'p',
    'select',
    'span',
    'strong',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'time',
    'tr',
    'ul',
  ]);
  expect(html).toContain('&lt;script&gt;window.hacked=1&lt;/script&gt;');
  expect(html).not.toMatch(/[\u0000\u001b\u202e]/);
});

test('any text comes back as it went in, but for control and direction characters', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const html = await renderMessage({ id: 1, at, kind: 'question', text });
      const shown = /<p class="said" dir="auto">([^]*?)<\/p>/.exec(html)?.[1] ?? '';
      const back = shown
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      expect(shown).not.toMatch(/[<>"]/);
      expect(back).toBe(text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''));
    }),
  );
});

test('a title cannot write a line of its own into an alert', async () => {
  const alert = reply({ finding: [{ strong: 'Passed: “Pay\n▼ TIDE fell below NAV”' }], blocks: [{ kind: 'line', line: ['a\u2028b'] }] });
  const html = await renderMessage({ id: 1, at, kind: 'alert', text: '', reply: alert });
  expect(html).toContain('<bdi>Passed: “Pay ▼ TIDE fell below NAV”</bdi>');
  expect(html).toContain('<bdi>a b</bdi>');
});

test('a menu selects what is in force, and a text field keeps the line that it fills in', async () => {
  const html = await render(samples.rules());
  expect(html.match(/<option value="[^"]*" selected/g)).toEqual([
    '<option value="/alerts tide supply" selected',
    '<option value="" selected',
  ]);
  expect(html).toContain('data-fill="/alerts tide supply least:{}"');
  expect(html).toContain('<label for="field-7-3" dir="auto">Mute until</label>');
});

test('a text field that takes several lines is a box that keeps them', async () => {
  const fields = [{ kind: 'text' as const, label: 'Paste a list', line: '/watchlist import {}', lines: true }];
  const html = await render(reply({ finding: ['Which list?'], fields }));
  expect(html).toMatch(/<textarea\s+id="field-7-0"\s+rows="4"\s+required[^>]*><\/textarea>/u);
  expect(html).not.toContain('<input');
});

test('a question names the files that went with it', async () => {
  const sent = [{ name: '<list>\u202e.json', size: 2_000 }];
  const html = await renderMessage({ id: 1, at, kind: 'question', text: '/watchlist import', sent });
  expect(words(html)).toBe('You asked 12:00 UTC /watchlist import &lt;list&gt;.json · 2 KB');
});
