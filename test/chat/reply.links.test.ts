/** Links on every surface: they lead where they say, and no text becomes one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant, systemClock } from '../../src/base/clock.js';
import { bareText, plainText } from '../../src/chat/plain-text.js';
import { reply, replySchema, type Reply } from '../../src/chat/reply.js';
import { httpsUrl, type HttpsUrl } from '../../src/domain/links.js';
import { openActions } from '../../src/platforms/button-payloads.js';
import { renderMessage } from '../../src/platforms/console/render.js';
import { messageOf } from '../../src/platforms/discord/message.js';
import { rendered } from '../../src/platforms/discord/render.js';
import { openPanels } from '../../src/platforms/telegram/keyboard-pages.js';
import { keyboard } from '../../src/platforms/telegram/keyboard.js';
import { htmlOf, partsOf } from '../../src/platforms/telegram/render.js';
import { openStore } from '../../src/store/open.js';
import { HOSTILE } from '../platforms/telegram/hostile.js';
import { readMessage } from '../stand-ins/discord/message-form.js';
import { format } from '../stand-ins/telegram/text/format.js';
import { runs } from '../support/properties.js';

const now = instant(Date.UTC(2026, 10, 20, 12));
const url = (text: string): HttpsUrl => {
  const made = httpsUrl(text);
  if (made === undefined) throw new Error(`${text} is no link`);
  return made;
};
const TX = url('https://explorer.example/tx/5Ab?cluster=a&b=(c)');
const SITE = url('https://tide.example/');
const store = async () => openActions(await openStore('memory://'), systemClock);

const linked = (label: string, name = label): Reply =>
  reply({
    finding: [{ strong: name }, ' minted, ', { link: label, url: TX }],
    blocks: [{ kind: 'list', items: [{ line: [name, { link: label, url: TX }], detail: [{ link: label, url: SITE }, name] }] }],
    links: [{ label, url: SITE }],
    actions: [{ label: name, line: '/why x' }],
  });

const onDiscord = (of: Reply): readonly (string | undefined)[] =>
  [...(rendered(of).embed?.description ?? '').matchAll(/(?<!\\)\]\(<([^>]*)>\)/gu)].map(([, to]) => to);
const onTelegram = (of: Reply) =>
  partsOf(of, now)
    .flatMap((part) => format({ text: htmlOf(part, now), parseMode: 'HTML', entities: undefined, person: () => undefined }).entities)
    .flatMap((entity) => (entity.type === 'text_link' ? [entity.url] : entity.type === 'url' ? ['bare'] : []));
const onPage = async (of: Reply) => {
  const html = await renderMessage({ id: 1, at: now, kind: 'reply', text: '', reply: of });
  return [...html.matchAll(/<a ([^>]*)>/gu)].map(([, attributes = '']) => attributes);
};

test('a span is a masked link on Discord, an anchor on Telegram and on the page, and "label (url)" in text', async () => {
  const of = linked('Transaction', 'Tidewater');
  // A notification shows markup as it is, so the first line has no link.
  expect(onDiscord(of)).toEqual([TX, SITE]);
  expect(rendered(of).content).not.toContain('https');
  expect(onTelegram(of)).toEqual([TX, TX, SITE]);
  expect(plainText(of, now)).toContain(`minted, Transaction (${TX})`);
  expect(plainText(of, now)).toContain(`[Transaction: ${SITE}]`);
  const anchors = await onPage(of);
  expect(anchors).toHaveLength(4);
  for (const attributes of anchors) expect(attributes).toMatch(/target="_blank" rel="noopener noreferrer nofollow"$/u);
});

test('text without markup has the labels alone, because it cannot make them safe', () => {
  expect(bareText(linked('Transaction'), now)).not.toContain('https');
});

test('link buttons come before the other buttons and have no command', async () => {
  const of = linked('Site', 'Why?');
  const [row] = (await messageOf(of, await store())).components;
  expect(row?.components).toMatchObject([
    { style: 5, label: 'Site', url: SITE },
    { style: 2, label: 'Why?', custom_id: '/why x' },
  ]);
  expect(
    (
      await keyboard(of, {
        actions: await store(),
        panels: openPanels({ store: await openStore('memory://'), clock: systemClock }),
        alert: true,
      })
    )?.inline_keyboard,
  ).toEqual([
    [
      { text: 'Site', url: SITE },
      { text: 'Why?', callback_data: '!/why x' },
    ],
  ]);
});

test('of a long answer the last message alone has the link buttons', () => {
  const items = Array.from({ length: 150 }, (_, index) => ({ line: [`row ${index} ${'x'.repeat(60)}`] }));
  const parts = partsOf(reply({ finding: ['all'], blocks: [{ kind: 'list', items }], links: [{ label: 'Site', url: SITE }] }), now);
  expect(parts.map(({ links }) => links.length)).toEqual([...parts.slice(1).map(() => 0), 1]);
});

test('a longer address than there is room for leaves its label', () => {
  const long = url(`https://explorer.example/${'x'.repeat(400)}`);
  const line = Array.from({ length: 9 }, (_, index) => ({ link: `tx ${index}`, url: long }));
  const of = reply({ finding: line, blocks: [{ kind: 'line', line }] });
  const description = rendered(of).embed?.description ?? '';
  expect(description.length).toBeLessThanOrEqual(4_096);
  expect(description).toContain('tx 0');
  expect(new Set(onDiscord(of))).toEqual(new Set([long]));
});

test('a reply stored before there were links reads as one without', () => {
  const { links, ...older } = linked('Site');
  expect(links).toHaveLength(1);
  expect(replySchema.parse(JSON.parse(JSON.stringify({ ...older, finding: ['x'] }))).links).toEqual([]);
});

test.each(['http://evil.example/', 'javascript:alert(1)', 'https://evil.example/)', 'https://localhost/'])(
  'a stored reply that leads to %s is refused',
  (to) => {
    expect(replySchema.safeParse({ finding: [{ link: 'x', url: to }] }).success).toBe(false);
    expect(replySchema.safeParse({ finding: ['x'], links: [{ label: 'x', url: to }] }).success).toBe(false);
  },
);

test('whatever a label or a name says, links lead only where the reply says, and every platform accepts them', async () => {
  const text = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('](<https://evil.example>)', '>)'),
  );
  const allowed = new Set<string | undefined>([TX, SITE]);
  await fc.assert(
    fc.asyncProperty(text, text, async (label, name) => {
      const of = linked(label, name);
      for (const to of [...onDiscord(of), ...onTelegram(of)]) expect(allowed).toContain(to);
      for (const attributes of await onPage(of))
        expect(
          [TX, SITE].map((to) => `href="${to.replaceAll('&', '&amp;')}" target="_blank" rel="noopener noreferrer nofollow"`),
        ).toContain(attributes);
      const { content, embeds, components } = await messageOf(of, await store());
      expect(content).not.toMatch(/(?<!\\)(?:\]\(|:\/\/)/u);
      readMessage('MessageCreateRequestSchema', JSON.parse(JSON.stringify({ content, embeds, components })));
      for (const button of (
        await keyboard(of, {
          actions: await store(),
          panels: openPanels({ store: await openStore('memory://'), clock: systemClock }),
          alert: true,
        })
      )?.inline_keyboard.flat() ?? [])
        expect(button.text.trim()).not.toBe('');
    }),
    { numRuns: runs(100) },
  );
});
