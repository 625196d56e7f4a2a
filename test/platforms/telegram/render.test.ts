import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, MINUTE } from '../../../src/base/clock.js';
import { reply, type BlockDraft, type Reply } from '../../../src/chat/reply.js';
import { noticeOf } from '../../../src/platforms/telegram/presses.js';
import { htmlOf, MAX_TEXT, partsOf, plain, renderOne } from '../../../src/platforms/telegram/render.js';
import { truncate, truncateLine } from '../../../src/platforms/truncate.js';
import { format } from '../../stand-ins/telegram/text/format.js';
import { runs } from '../../support/properties.js';
import { everywhere, HOSTILE } from './hostile.js';

const now = instant(Date.UTC(2026, 10, 20, 12));

/** As Telegram reads it: the text, and the marks on it. Throws where it would refuse. */
const read = (html: string) => format({ text: html, parseMode: 'HTML', entities: undefined, person: () => undefined });
const text = (of: Reply) => read(renderOne(of, now)).text;

describe('a reply as a reader sees it', () => {
  test('finding, figures, list, table, age', () => {
    const of = reply({
      tone: 'down',
      finding: [{ strong: 'TIDE' }, ' trades 17.2% below NAV'],
      blocks: [
        {
          kind: 'figures',
          items: [
            { label: 'price', value: '$0.8280' },
            { label: 'NAV/share', value: 'n/a' },
          ],
        },
        {
          kind: 'list',
          items: [
            { tone: 'live', line: ['Heron'], detail: ['ends ', { at: instant(now + 18_000_000) }] },
            { line: [{ code: '/watch x' }] },
          ],
          more: 2,
        },
        {
          kind: 'table',
          columns: [{ title: 'token' }, { title: 'value', align: 'right' }],
          rows: [
            ['USDC', '$4.90M'],
            ['LP', '$0.87M'],
          ],
        },
      ],
      asOf: instant(now - 120_000),
    });
    expect(text(of).split('\n')).toEqual([
      '▼ TIDE trades 17.2% below NAV',
      'price $0.8280 · NAV/share n/a',
      '● Heron',
      expect.stringMatching(/^ {4}ends 17:00 UTC/u),
      '• /watch x',
      '… and 2 more',
      'token   value',
      'USDC   $4.90M',
      'LP     $0.87M',
      expect.stringMatching(/^Updated 11:58 UTC/u),
    ]);
  });

  test('a moment is in the timezone of whoever reads it, and its text in that of the chat', () => {
    const [soon, later] = [instant(now + 5 * HOUR), instant(now + 20 * DAY)];
    const of = reply({ finding: ['Ends ', { at: soon }, ', opens ', { at: later }], asOf: instant(now - MINUTE), zone: 'Europe/Berlin' });
    const shown = read(renderOne(of, now));
    expect(shown.text).toBe('Ends 18:00 CET, opens Dec 10, 13:00 CET\nUpdated 12:59 CET');
    const times = shown.entities.filter(({ type }) => type === 'date_time');
    expect(times).toMatchObject([
      { unix_time: soon / 1_000, date_time_format: 't' },
      { unix_time: later / 1_000, date_time_format: 'dt' },
      { unix_time: now / 1_000 - 60, date_time_format: 't' },
    ]);
  });

  test('a wide table becomes lines that a telephone can show', () => {
    const columns = ['account', 'token', 'amount', 'value'].map((title) => ({ title }));
    const rows = [
      ['Treasury multisig', 'USDC', '4,900,000', '$4.90M'],
      ['Operations', 'MOSS', '12', ''],
    ];
    const shown = text(reply({ finding: ['x'], blocks: [{ kind: 'table', columns, rows }] }));
    expect(shown).toContain('Treasury multisig: token USDC · amount 4,900,000 · value $4.90M\n');
    expect(shown).toMatch(/Operations: token MOSS · amount 12$/u);
  });
});

describe('hostile names', () => {
  test.each(HOSTILE.map((name) => [name.slice(0, 24), name]))(
    '%j neither breaks the markup, rings, links nor turns the text around',
    (_, name) => {
      const of = everywhere(name);
      for (const part of [renderOne(of, now), ...partsOf(of, now).map((one) => htmlOf(one, now))]) {
        const { text: shown, entities } = read(part);
        expect(shown.length).toBeLessThanOrEqual(MAX_TEXT);
        expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\p{Cs}]/u);
        const kinds = new Set(entities.map(({ type }) => type));
        for (const kind of ['text_link', 'text_mention', 'mention', 'url', 'email'] as const) expect(kinds).not.toContain(kind);
      }
    },
  );

  test('anything at all is accepted, within the limit, with everything that is allowed to stand', () => {
    const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 60 }));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 6 }), (names) => {
        const of = everywhere(names.join(' '));
        for (const part of partsOf(of, now)) expect(read(htmlOf(part, now)).text.length).toBeLessThanOrEqual(MAX_TEXT);
        expect(noticeOf(of, now).text.length).toBeLessThanOrEqual(200);
      }),
      { numRuns: runs(60) },
    );
  });

  test('an emoji family stays whole, and is never cut in two', () => {
    const family = '👩‍👩‍👧‍👦';
    expect(truncateLine(family, 100)).toBe(family);
    expect(truncate(family.repeat(3), family.length * 2)).toBe(`${family}…`);
    expect(truncate('abcdef', 4)).toBe('abc…');
  });

  test('a name stays readable: what would ring or link differs only by an invisible joiner', () => {
    expect(plain('@durov at acme.io, 1.5%', 99).replaceAll('\u2060', '')).toBe('@durov at acme.io, 1.5%');
    expect(plain('486,210.5 TIDE e.g.', 99)).toContain('486,210.5');
  });
});

describe('what is too long', () => {
  const items = (count: number, letter = 'x') =>
    Array.from({ length: count }, (_, index) => ({ line: [`row ${index} ${letter.repeat(60)}`] }));
  const lists = (...counts: number[]): BlockDraft[] => counts.map((count) => ({ kind: 'list', items: items(count) }));

  test('an alert is one message: whole rows go, and are counted', () => {
    const shown = text(reply({ finding: ['burns'], blocks: lists(200) }));
    expect(shown.length).toBeLessThanOrEqual(MAX_TEXT);
    expect(shown.length).toBeGreaterThan(MAX_TEXT - 200);
    const kept = shown.match(/^• row/gmu)?.length ?? 0;
    expect(shown).toContain(`… and ${200 - kept} more`);
  });

  test('the limit is in UTF-16 units after the markup is gone', () => {
    const full = (length: number) =>
      reply({ finding: ['f'], blocks: Array.from({ length }, () => ({ kind: 'line' as const, line: [{ strong: '<😀&' }] })) });
    expect(htmlOf(full(300), now).length).toBeGreaterThan(MAX_TEXT);
    expect(partsOf(full(300), now)).toHaveLength(1);
    expect(text(full(300)).length).toBe(1 + 300 * 5);
  });

  test('an answer loses nothing that three messages can hold, and keeps its order', () => {
    const of = reply({ finding: ['all'], blocks: lists(60, 80), actions: [{ label: 'a', line: '/a' }], asOf: now });
    const parts = partsOf(of, now);
    const rows = parts.flatMap((part) => read(htmlOf(part, now)).text.match(/row \d+/gu) ?? []);
    expect(rows).toEqual([...Array.from({ length: 60 }, (_, i) => `row ${i}`), ...Array.from({ length: 80 }, (_, i) => `row ${i}`)]);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ actions, asOf, finding }) => [actions.length, asOf !== undefined, finding.length])).toEqual(
      parts.map((_, index) => (index === parts.length - 1 ? [1, true, 0] : [0, false, index === 0 ? 1 : 0])),
    );
  });

  test('what three messages cannot hold is counted in the last', () => {
    const parts = partsOf(reply({ finding: ['all'], blocks: lists(500) }), now);
    const shown = parts.map((part) => read(htmlOf(part, now)).text).join('\n');
    const kept = shown.match(/^• row/gmu)?.length ?? 0;
    expect(parts).toHaveLength(3);
    expect(shown).toContain(`… and ${500 - kept} more`);
  });
});
