import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { aged, reply, type BlockDraft, type Tone } from '../../src/chat/reply.js';
import { andMore, lineText, plainText, withTone } from '../../src/chat/plain-text.js';

const now = instant(Date.UTC(2026, 10, 20, 14, 5));

/** What stands below the finding. */
const below = (...blocks: readonly BlockDraft[]): readonly string[] =>
  plainText(reply({ finding: ['finding'], blocks: [...blocks] }), now)
    .split('\n')
    .slice(1);

describe('a line', () => {
  test('loses its emphasis and no character', () => {
    expect(lineText(['a ', { strong: 'b*' }, ' <c> ', { code: '`d`' }], now)).toBe('a b* <c> `d`');
  });
  test('tells its moments from where the reader stands', () => {
    const line = ['seen ', { at: later(now, -3 * HOUR) }, ', due ', { at: later(now, DAY) }];
    expect(lineText(line, now)).toBe('seen 11:05 UTC, due Nov 21, 14:05 UTC');
    expect(lineText(line, later(now, 2 * HOUR))).toBe('seen 11:05 UTC, due Nov 21, 14:05 UTC');
  });
  test('of nothing is nothing', () => {
    expect(lineText([], now)).toBe('');
  });
  test('stays one line, whatever somebody wrote into a title', () => {
    expect(lineText([{ strong: 'a\n▲ b' }, '\u202Ec', { code: 'd\u2028e' }], now)).toBe('a ▲ bcd e');
  });
});

test.each<readonly [Tone, string]>([
  ['up', '▲ x'],
  ['down', '▼ x'],
  ['live', '● x'],
  ['over', '○ x'],
  ['warning', '⚠ x'],
  ['plain', 'x'],
])('the tone %s is shown as "%s"', (tone, shown) => {
  expect(withTone(tone, 'x')).toBe(shown);
});

test('no part of a reply breaks its line or turns the reading direction', () => {
  const odd = 'x\n⚠ y\u202E';
  const whole = reply({
    finding: [odd],
    blocks: [
      { kind: 'figures', items: [{ label: odd, value: odd }] },
      { kind: 'list', items: [{ line: [odd], detail: [{ strong: odd }] }] },
      { kind: 'table', columns: [{ title: odd }], rows: [[odd]] },
    ],
    actions: [{ label: odd, line: '/x\ny' }],
    fields: [
      { kind: 'text', label: odd, hint: odd, line: '/x {}' },
      { kind: 'menu', label: odd, options: [{ label: odd, line: '/x' }] },
    ],
    stale: odd,
  });
  const lines = plainText(whole, now).split('\n');
  expect(lines).toHaveLength(11);
  expect(lines.join(' ')).not.toContain('\u202e');
});

describe('a block', () => {
  test('of one paragraph is its line', () => {
    expect(below({ kind: 'line', line: ['price ', { strong: '$1' }] })).toEqual(['price $1']);
  });

  test('of figures stands in one row', () => {
    const items = [
      { label: 'price', value: '$0.8280' },
      { label: 'NAV/share', value: '$1.0000' },
    ];
    expect(below({ kind: 'figures', items })).toEqual(['price $0.8280 · NAV/share $1.0000']);
  });

  test('of a list shows each item with its tone, its second line set in, and how many were left out', () => {
    const at = later(now, -2 * MINUTE);
    expect(
      below({
        kind: 'list',
        items: [{ tone: 'up', line: ['one'], detail: ['since ', { at }] }, { line: [{ strong: 'two' }] }],
        more: 7,
      }),
    ).toEqual(['▲ one', '  since 14:03 UTC', 'two', '… and 7 more']);
  });

  test('of a table stands in columns, numbers to the right, with how many rows were left out', () => {
    expect(
      below({
        kind: 'table',
        columns: [{ title: 'Project' }, { title: 'Price', align: 'right' }, { title: 'Note' }],
        rows: [
          ['Tidewater', '$0.8280', 'below'],
          ['Heron', '$12.50', ''],
        ],
        more: 1,
      }),
    ).toEqual([
      'Project      Price  Note',
      'Tidewater  $0.8280  below', //
      'Heron       $12.50',
      '… and 1 more',
    ]);
  });

  test('of a table counts a character beyond the common plane as one', () => {
    const rows = [
      ['𝒜𝒷', '1'],
      ['abc', '2'],
    ];
    expect(below({ kind: 'table', columns: [{ title: 'K' }, { title: 'N' }], rows })).toEqual(['K    N', '𝒜𝒷   1', 'abc  2']);
  });

  test('of a table with a row too short leaves the missing cells empty', () => {
    const columns = [{ title: 'A', align: 'right' as const }, { title: 'B' }, { title: 'C' }];
    expect(below({ kind: 'table', columns, rows: [['long'], ['x', 'y', 'z']] })).toEqual(['   A  B  C', 'long', '   x  y  z']);
  });

  test('of a table keeps every cell under its title, whatever stands in them', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '-', '$', '.', '9', '▲'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 }), (rows) => {
        const columns = [{ title: 'A' }, { title: 'B', align: 'right' as const }, { title: 'C', align: 'right' as const }];
        const lines = below({ kind: 'table', columns, rows });
        const [wide = 0, ...others] = [0, 1, 2].map((column) => Math.max(1, ...rows.map((row) => row[column]?.length ?? 0)));
        expect(new Set(lines.map((line) => line.length))).toEqual(new Set([wide + others.reduce((all, width) => all + 2 + width, 0)]));
        expect(lines.slice(1).map((line) => line.slice(0, wide).trimEnd())).toEqual(rows.map(([first]) => first));
        expect(lines.slice(1).map((line) => line.slice(-(others[1] ?? 0)).trimStart())).toEqual(rows.map(([, , third]) => third));
      }),
    );
  });
});

test('nothing is said to be left out where nothing is', () => {
  expect(andMore(0)).toEqual([]);
  expect(andMore(1)).toEqual(['… and 1 more']);
});

test('a reply stands as finding, blocks, buttons and age, each button as the line it stands for and the chosen one marked', () => {
  const whole = reply({
    tone: 'down',
    finding: ['Tidewater is ', { strong: '17.2% below NAV' }],
    blocks: [
      { kind: 'line', line: ['first'] },
      { kind: 'line', line: ['second'] },
    ],
    actions: [
      { label: '1M', line: '/premium tide 1M', on: true },
      { label: '3M', line: '/premium tide 3M' },
    ],
    asOf: later(now, -40 * SECOND),
  });
  expect(plainText(whole, now)).toBe(
    ['▼ Tidewater is 17.2% below NAV', 'first', 'second', '[*1M*: /premium tide 1M] [3M: /premium tide 3M]', 'Updated 14:04 UTC'].join(
      '\n',
    ),
  );
});

describe('the foot', () => {
  const foot = (parts: { asOf?: ReturnType<typeof later>; stale?: string; old?: boolean }): string | undefined =>
    plainText(reply({ finding: ['finding'], ...parts }), now).split('\n')[1];

  test('is missing where no data is shown', () => {
    expect(foot({})).toBeUndefined();
  });
  test('shows the time of data that has just come, and of data that seems to come from later because the clock was set back', () => {
    expect(foot({ asOf: now })).toBe('Updated 14:05 UTC');
    expect(foot({ asOf: later(now, -999) })).toBe('Updated 14:04 UTC');
    expect(foot({ asOf: later(now, HOUR) })).toBe('Updated 15:05 UTC');
  });
  test('says how old the data is from one second on', () => {
    expect(foot({ asOf: later(now, -SECOND) })).toBe('Updated 14:04 UTC');
    expect(foot({ asOf: later(now, -2 * DAY) })).toBe('Updated Nov 18, 14:05 UTC');
    expect(foot({ old: true, asOf: later(now, -2 * DAY) })).toBe('⚠ Updated Nov 18, 14:05 UTC');
    expect(aged(reply({ finding: ['x'], asOf: later(now, 1 - DAY) }), now).old).toBeUndefined();
  });
  test('says why an old copy is shown, from when it is and how old', () => {
    expect(foot({ asOf: later(now, -2 * HOUR), stale: 'The service is down.' })).toBe(
      'The service is down. Showing data from 12:05 UTC (2 h ago).',
    );
  });
  test('says why even where the age is not known', () => {
    expect(foot({ stale: 'The service is down.' })).toBe('The service is down.');
  });
});

test('what can be filled in is said as what to type: a line for each option, and the place of the text in its line', () => {
  const fields: Parameters<typeof reply>[0]['fields'] = [
    {
      kind: 'menu',
      label: 'Kind',
      options: [
        { label: 'Supply', hint: 'mints and burns', line: '/alerts tide supply', on: true },
        { label: 'Premium', line: '/alerts tide premium' },
      ],
    },
    { kind: 'text', label: 'Least USD', hint: 'such as 10000', line: '/alerts tide supply least:{}' },
  ];
  expect(plainText(reply({ finding: ['finding'], fields }), now).split('\n')).toEqual([
    'finding',
    'Kind:',
    '  * Supply (mints and burns): /alerts tide supply',
    '  - Premium: /alerts tide premium',
    'Least USD (such as 10000): /alerts tide supply least:…',
  ]);
});
