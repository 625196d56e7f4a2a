import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant, systemClock } from '../../../src/base/clock.js';
import { reply, replySchema, type Reply } from '../../../src/chat/reply.js';
import { httpsUrl } from '../../../src/domain/links.js';
import { openActions } from '../../../src/platforms/button-payloads.js';
import { componentsOf } from '../../../src/platforms/discord/components.js';
import { inCode, plain } from '../../../src/platforms/discord/markup.js';
import { rendered } from '../../../src/platforms/discord/render.js';
import { truncateLine } from '../../../src/platforms/truncate.js';
import { openStore } from '../../../src/store/open.js';
import { readMessage } from '../../stand-ins/discord/message-form.js';
import { textOf } from '../../stand-ins/discord/shown.js';
import { runs } from '../../support/properties.js';

/** As the stand-in reads it, which refuses what Discord refuses. */
function messageWith(of: Reply) {
  const { content, embed } = rendered(of);
  const body = { content, embeds: embed === undefined ? [] : [embed] };
  readMessage('MessageCreateRequestSchema', JSON.parse(JSON.stringify(body)));
  return body;
}
const said = (of: Reply): string => textOf(messageWith(of));
const embedOf = (of: Reply) => messageWith(of).embeds[0];
const NASTY = [
  '@everyone',
  '<@&1>',
  '</b><a href="https://evil.example">',
  '\u202egnp.exe\u202c',
  '\u200b\u200d\ufeff',
  '```',
  '[x](https://evil.example)',
  '||x||',
  '# big',
  '-# small',
  '> quote',
  '1. one',
  '- item',
  '\\',
  '<t:0:R>',
  '<#1>',
  '</premium:1>',
  '<:e:1>',
  'x'.repeat(10_000),
  'e\u0301'.repeat(300),
  '\ud800',
];

describe('text from outside', () => {
  test.each([
    ['@everyone', '\\@everyone'],
    ['<@&1>', '\\<\\@&1\\>'],
    ['</b><a href=', '\\</b\\>\\<a href='],
    ['*b* _i_ ~~s~~ `c` ||h||', '\\*b\\* \\_i\\_ \\~\\~s\\~\\~ \\`c\\` \\|\\|h\\|\\|'],
    ['[pay](https://evil.example)', '\\[pay\\](https\\://evil.example)'],
    ['https://evil.example', 'https\\://evil.example'],
    ['# heading', '\\# heading'],
    ['- item', '\\- item'],
    ['-# small', '-\\# small'],
    ['2026. a year', '2026\\. a year'],
    ['12.5%', '12.5%'],
    ['a\\', 'a\\\\'],
    ['one\ntwo', 'one two'],
    ['\u202egnp\u202c', 'gnp'],
    ['a\u200bb\ufeffc', 'abc'],
    ['👩\u200d🚀', '👩\u200d🚀'],
  ])('%j becomes %j', (from, to) => {
    expect(plain(from, 100)).toBe(to);
  });

  test('is clipped between what a reader takes for characters', () => {
    expect(truncateLine('👩‍🚀'.repeat(10), 12)).toBe('👩‍🚀👩‍🚀…');
    expect(truncateLine('x'.repeat(10_000), 300)).toHaveLength(300);
  });

  test('no name can open a mention, a link or a format, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary' })), { maxLength: 6 }), (parts) => {
        const shown = plain(parts.join(''), 400).replaceAll(/\\[^0-9A-Za-z\s]/gu, '');
        expect(shown).not.toMatch(/[*_~`|<>[\]#@]|:\/\//u);
        expect(shown).not.toMatch(/[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/u);
      }),
    );
  });

  test('no cell can leave its block of code', () => {
    const table = reply({
      finding: ['x'],
      blocks: [
        {
          kind: 'table',
          columns: [{ title: '```' }, { title: 'n', align: 'right' }],
          rows: [
            ['``` @everyone', '`1`'],
            ['b', '2'],
          ],
        },
      ],
    });
    expect(said(table).match(/```/gu)).toHaveLength(2);
    expect(inCode('a`b', 10)).not.toContain('`');
  });
});

describe('the first line', () => {
  test('is the finding with its glyph, and a reply of one sentence has no embed', () => {
    expect(rendered(reply({ tone: 'warning', finding: ['No project called x'] }))).toEqual({
      content: '⚠ **No project called x**',
      embed: undefined,
    });
  });

  test('has at most 300 characters, and one that was cut stands whole in the embed', () => {
    const long = '*wave_ '.repeat(40);
    const { content, embed } = rendered(reply({ finding: [{ strong: 'Tidewater' }, ` ${long}`, 'end'] }));
    expect(content.length).toBeLessThanOrEqual(300);
    expect(content).toMatch(/^\*\*Tidewater\*\* .*…$/u);
    expect(embed?.description).toContain('end');
  });

  test('holds no address, bare or as markup', () => {
    const finding = [{ strong: 'see https://evil.example' }, ' and ', { link: 'tx', url: httpsUrl('https://explorer.example/') }];
    const { content } = rendered(replySchema.parse({ finding }));
    expect(content).not.toMatch(/(?<!\\):\/\/|\]\(/u);
    expect(content).toContain('tx');
  });

  test('a reply that shows nothing is not empty, which Discord refuses', () => {
    expect(messageWith(reply({ finding: ['\u200b'] })).content).not.toBe('');
  });
});

const TABLE = ['account', 'token', 'amount', 'proposal'].map((title) => ({ title }));

describe('a reply as an embed', () => {
  test('a table that a phone would break becomes a field for each row, without what is empty', () => {
    const rows = [
      ['Treasury multisig', 'USDC', '4,900,000', 'Retire the old multisig'],
      ['Operations', 'SOL', '12', ''],
    ];
    expect(embedOf(reply({ finding: ['x'], blocks: [{ kind: 'table', columns: TABLE, rows, more: 3 }] }))?.fields).toEqual([
      { name: 'Treasury multisig', value: 'token USDC · amount 4,900,000 · proposal Retire the old multisig' },
      { name: 'Operations', value: 'token SOL · amount 12' },
      { name: '\u200b', value: '… and 3 more' },
    ]);
  });

  test('more rows than an embed has fields become lines', () => {
    const rows = Array.from({ length: 40 }, (_, index) => [`row ${index}`, 'a', 'b', 'c']);
    const embed = embedOf(reply({ finding: ['x'], blocks: [{ kind: 'table', columns: TABLE, rows }] }));
    expect(embed?.fields).toBeUndefined();
    expect(embed?.description?.split('\n')).toHaveLength(40);
  });

  test('three narrow columns stay a table', () => {
    const columns = [{ title: 'Week' }, { title: 'Value', align: 'right' as const }, { title: 'Change', align: 'right' as const }];
    const embed = embedOf(reply({ finding: ['x'], blocks: [{ kind: 'table', columns, rows: [['Nov 20', '$6.31M', '+1.0%']] }] }));
    expect(embed?.description?.split('\n')).toEqual(['```', 'Week     Value  Change', 'Nov 20  $6.31M   +1.0%', '```']);
    expect(embed?.fields).toBeUndefined();
  });

  test('the finding comes first, then the figures, then the list, last the age', () => {
    const tide = reply({
      tone: 'down',
      finding: [{ strong: 'TIDE trades 17.2% below NAV' }, ', wider than on 91% of days'],
      subject: { name: 'Tidewater', url: httpsUrl('https://tide.example/') },
      blocks: [
        {
          kind: 'figures',
          items: [
            { label: 'price', value: '$0.8280' },
            { label: 'NAV/share', value: '' },
          ],
        },
        { kind: 'line', line: [{ strong: 'Proposals' }] },
        {
          kind: 'list',
          items: [
            { tone: 'live', line: [{ strong: 'Heron' }, ' ends ', { at: Date.UTC(2026, 10, 20) }], detail: ['9.8×'] },
            { line: ['x ', { code: '/w' }] },
          ],
          more: 3,
        },
      ],
      asOf: Date.UTC(2026, 10, 20, 12),
    });
    expect(messageWith(tide)).toEqual({
      content: '▼ **TIDE trades 17.2% below NAV**, wider than on 91% of days',
      embeds: [
        {
          color: expect.any(Number),
          title: 'Tidewater',
          url: 'https://tide.example/',
          fields: [
            { name: 'Price', value: '$0.8280', inline: true },
            { name: 'NAV/share', value: 'n/a', inline: true },
            { name: 'Proposals', value: '● **Heron** ends <t:1795132800:R>\n-# 9.8×\n• x `/w`\n… and 3 more' },
          ],
          footer: { text: 'Updated' },
          timestamp: '2026-11-20T12:00:00.000Z',
        },
      ],
    });
  });

  test('lines above the figures are the description', () => {
    const blocks = [
      { kind: 'line' as const, line: ['above'] },
      { kind: 'figures' as const, items: [{ label: 'price', value: '$1' }] },
      { kind: 'line' as const, line: ['below'] },
    ];
    expect(embedOf(reply({ finding: ['x'], blocks }))).toMatchObject({
      description: 'above',
      fields: [{ name: 'Price', inline: true }, { value: 'below' }],
    });
  });

  test('each tone has a colour of its own', () => {
    const tones = ['up', 'down', 'live', 'over', 'warning', 'plain'] as const;
    const colours = tones.map((tone) => embedOf(reply({ tone, finding: ['x'], asOf: instant(0) }))?.color);
    expect(new Set(colours).size).toBe(tones.length);
  });

  test('an old copy says why and from when it is', () => {
    const asOf = instant(0);
    expect(embedOf(reply({ finding: ['x'], asOf, old: true }))).toMatchObject({
      footer: { text: expect.stringContaining('⚠') },
      timestamp: '1970-01-01T00:00:00.000Z',
    });
    const stale = 'The service isn’t responding.';
    expect(embedOf(reply({ finding: ['x'], stale, asOf }))).toMatchObject({
      footer: { text: expect.stringContaining(stale) },
      timestamp: '1970-01-01T00:00:00.000Z',
    });
    expect(embedOf(reply({ finding: ['x'], stale }))).toMatchObject({ footer: { text: expect.stringContaining(stale) } });
  });

  test('a long list loses whole rows and counts them, and markup is never cut', () => {
    const items = Array.from({ length: 400 }, (_, index) => ({ line: [{ strong: `row ${index}` }, ` with_some_underscores_${index}`] }));
    const figures = { kind: 'figures' as const, items: [{ label: 'price', value: '$1' }] };
    const shown = said(reply({ finding: ['long'], blocks: [figures, { kind: 'list', items }] }));
    const rows = shown.split('\n').filter((line) => line.startsWith('•'));
    expect(rows.length).toBeGreaterThan(50);
    expect(shown).toContain(`… and ${400 - rows.length} more`);
    expect(rows.every((row) => /^• \*\*row \d+\*\* with/u.test(row))).toBe(true);
  });

  test('whatever is in it, Discord takes it and it shows something', () => {
    const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 50 }));
    const line = fc.array(
      fc.oneof(
        text,
        text.map((strong) => ({ strong })),
        text.map((code) => ({ code })),
      ),
      { maxLength: 4 },
    );
    const block = fc.oneof(
      line.map((one) => ({ kind: 'line' as const, line: one })),
      fc
        .array(line, { maxLength: 80 })
        .map((lines) => ({ kind: 'list' as const, items: lines.map((one) => ({ line: one, detail: one })) })),
      fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { maxLength: 80 }).map((rows) => ({
        kind: 'table' as const,
        columns: [{ title: 'a' }, { title: 'b' }, { title: 'c' }],
        rows,
      })),
      fc.array(fc.record({ label: text, value: text }), { maxLength: 30 }).map((items) => ({ kind: 'figures' as const, items })),
    );
    fc.assert(
      fc.property(line, fc.array(block, { maxLength: 8 }), text, fc.option(text), (finding, blocks, name, stale) => {
        const of = reply({ finding, blocks, subject: { name }, ...(stale === null ? {} : { stale }) });
        expect(messageWith(of).content.length).toBeLessThanOrEqual(300);
        expect(said(of)).not.toBe('');
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('actions', () => {
  const rowsOf = async (count: number) =>
    componentsOf(
      {
        actions: Array.from({ length: count }, (_, index) => ({ label: `b${index}`, line: `/premium p${index}`, on: index === 1 })),
        links: [],
        fields: [],
      },
      openActions(await openStore('memory://'), systemClock),
    );

  test('a few are buttons, five in a row, and the choice in force stands out', async () => {
    const rows = await rowsOf(7);
    expect(rows.map(({ components }) => components.length)).toEqual([5, 2]);
    expect(rows[0]?.components.map((one) => ('style' in one ? one.style : 0))).toEqual([2, 1, 2, 2, 2]);
  });

  test('many go into menus, and never more than five rows stand there', async () => {
    const rows = await rowsOf(200);
    expect(rows).toHaveLength(5);
    expect(rows.map(({ components: [first] }) => first?.type)).toEqual([2, 2, 3, 3, 3]);
    for (const [menu] of rows.slice(2).map(({ components }) => components))
      expect(menu && 'options' in menu && menu.options?.length).toBe(25);
  });

  test('two for the same line are one, because the platform refuses two ids that are the same', async () => {
    const kept = openActions(await openStore('memory://'), systemClock);
    const same = { label: 'Again', line: '/status', on: false };
    expect(
      (await componentsOf({ links: [], actions: [same, { ...same, label: 'Refresh' }], fields: [] }, kept)).flatMap(
        ({ components }) => components,
      ),
    ).toHaveLength(1);
  });

  test('a label of nothing but invisible marks says its line', async () => {
    const kept = openActions(await openStore('memory://'), systemClock);
    const [row] = await componentsOf({ links: [], actions: [{ label: '\u200b\u202e', line: '/status', on: false }], fields: [] }, kept);
    expect(row?.components[0]).toMatchObject({ label: '/status' });
  });
});

describe('a command that a reply names', () => {
  const ids = new Map([
    ['watch', '1200000000000000001'],
    ['help', '1200000000000000002'],
  ]);
  const descriptionOf = (of: Reply, known?: ReadonlyMap<string, string>) => rendered(of, known).embed?.description;

  test('can be pressed once its id is known, and is text before', () => {
    const of = reply({ finding: ['Hello'], blocks: [{ kind: 'line', line: ['Start with ', { code: '/watch' }, '.'] }] });
    expect(descriptionOf(of, ids)).toBe('Start with </watch:1200000000000000001>.');
    expect(descriptionOf(of)).toBe('Start with `/watch`.');
  });

  test('stays text with its arguments, in the first line, and where nothing of that name is registered', () => {
    const of = reply({
      finding: ['Use ', { code: '/watch' }],
      blocks: [{ kind: 'line', line: [{ code: '/help premium' }, ' ', { code: '/ask' }] }],
    });
    expect(rendered(of, ids).content).toContain('`/watch`');
    expect(descriptionOf(of, ids)).toBe('`/help premium` `/ask`');
  });

  test('is named like a role or a person that alerts mention: in the embed, which notifies nobody, and not in the first line', () => {
    const whom = [{ code: '<@&1200000000000000003>' }, ', ', { code: '<@1200000000000000004>' }];
    const of = reply({ finding: ['Alerts mention ', ...whom], blocks: [{ kind: 'line', line: ['They mention ', ...whom, '.'] }] });
    expect(descriptionOf(of)).toBe('They mention <@&1200000000000000003>, <@1200000000000000004>.');
    expect(rendered(of).content).toContain('`<@&1200000000000000003>`');
    messageWith(of);
  });

  test('is never made of text from outside', () => {
    const of = reply({ finding: ['Hello'], blocks: [{ kind: 'line', line: ['<@&1> /watch </watch:1>', { strong: '/help' }] }] });
    expect(descriptionOf(of, ids)).toBe('\\<\\@&1\\> /watch \\</watch:1\\>**/help**');
  });

  test('stays within the bounds of a message where a line names hundreds', () => {
    const named = Array.from({ length: 400 }, () => ({ code: '/watch' }));
    const of = reply({ finding: ['Hello'], blocks: Array.from({ length: 12 }, () => ({ kind: 'line' as const, line: named })) });
    const { content, embed } = rendered(of, ids);
    readMessage('MessageCreateRequestSchema', JSON.parse(JSON.stringify({ content, embeds: embed === undefined ? [] : [embed] })));
    expect(embed?.description?.length).toBeLessThanOrEqual(4_096);
  });
});
