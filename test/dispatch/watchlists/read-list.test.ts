import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readList } from '../../../src/dispatch/watchlists/read-list.js';
import { runs } from '../../support/properties.js';

const KEY = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const OTHER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

const entries = async (text: string) => {
  const read = await readList(text);
  return read.read ? read.list.items.map(({ entry, fault }) => entry ?? fault) : read.says;
};

describe('a line of a list is read as people write them', () => {
  test.each([
    [`${KEY} fund-1`, { wallet: KEY, label: 'fund-1' }],
    [KEY, { wallet: KEY }],
    [`${KEY}   my first fund `, { wallet: KEY, label: 'my first fund' }],
    [`${KEY},fund-1`, { wallet: KEY, label: 'fund-1' }],
    [`${KEY}, fund-1`, { wallet: KEY, label: 'fund-1' }],
    [`${KEY};fund-1`, { wallet: KEY, label: 'fund-1' }],
    [`${KEY}\tfund-1`, { wallet: KEY, label: 'fund-1' }],
    [`"${KEY}","fund, the first"`, { wallet: KEY, label: 'fund, the first' }],
    [`${KEY} fund, the first`, { wallet: KEY, label: 'fund, the first' }],
    [`fund-1 ${KEY}`, { wallet: KEY, label: 'fund-1' }],
    [`my fund,${KEY}`, { wallet: KEY, label: 'my fund' }],
    [`/watch ${KEY} fund-1`, { wallet: KEY, label: 'fund-1' }],
    [`${KEY} "it's mine`, { wallet: KEY, label: '"it\'s mine' }],
    [`7,my fund,${KEY}`, { wallet: KEY, label: 'my fund' }],
    [`my fund,${KEY},a remark`, { wallet: KEY, label: 'my fund' }],
    [`1. ${KEY} fund-1`, { wallet: KEY, label: 'fund-1' }],
    [`- ${KEY} fund-1`, { wallet: KEY, label: 'fund-1' }],
    ['* [x] tide', { project: 'tide' }],
    ['12) Heron Flats', { project: 'Heron Flats' }],
    [`https://solscan.io/account/${KEY} fund-1`, { wallet: KEY, label: 'fund-1' }],
    [`https://explorer.solana.com/address/${KEY}?cluster=mainnet-beta`, { wallet: KEY }],
    [`fund-1, https://solana.fm/address/${KEY}/transactions`, { wallet: KEY, label: 'fund-1' }],
    [`https://solscan.io/token/${KEY}`, { project: `https://solscan.io/token/${KEY}` }],
    ['Heron Flats', { project: 'Heron Flats' }],
    ['ALL', { watch: 'all' }],
    ['launches', { watch: 'launches' }],
    [KEY.slice(0, -1), { wallet: KEY.slice(0, -1) }],
  ])('%j', async (line, entry) => {
    expect(await entries(line)).toEqual([entry]);
  });
});

test('a byte order mark, line ends of any system, blank lines, comments and a header are no entries', async () => {
  const text = `\u{FEFF}Address,Label\r\n\r\n# funds\r\n${KEY},fund-1\r${OTHER},fund-2\n// projects\ntide\n-- end\n`;
  expect(await entries(text)).toEqual([{ wallet: KEY, label: 'fund-1' }, { wallet: OTHER, label: 'fund-2' }, { project: 'tide' }]);
  const read = await readList(text);
  expect(read.read && read.list.items.map(({ where }) => where)).toEqual(['line 4', 'line 5', 'line 7']);
});

test('several names in one line are each taken for themselves', async () => {
  expect(await entries(`tide, Heron Flats; ${KEY} fund-1; all`)).toEqual([
    { project: 'tide' },
    { project: 'Heron Flats' },
    { wallet: KEY, label: 'fund-1' },
    { watch: 'all' },
  ]);
  expect(await entries('tide, Heron Flats, all')).toEqual([{ project: 'tide' }, { project: 'Heron Flats' }, { watch: 'all' }]);
});

test('a list that was squeezed into one line is taken apart at its keys', async () => {
  expect(await entries(`${KEY} fund-1 ${OTHER} my second fund`)).toEqual([
    { wallet: KEY, label: 'fund-1' },
    { wallet: OTHER, label: 'my second fund' },
  ]);
  expect(await entries(`${KEY},fund-1 ${OTHER}, fund-2`)).toEqual([
    { wallet: KEY, label: 'fund-1' },
    { wallet: OTHER, label: 'fund-2' },
  ]);
});

test('a squeezed list may begin with a header, have labels first, or quotes', async () => {
  const both = [
    { wallet: KEY, label: 'fund-1' },
    { wallet: OTHER, label: 'fund-2' },
  ];
  expect(await entries(`address,label ${KEY},fund-1 ${OTHER},fund-2`)).toEqual(both);
  expect(await entries(`fund-1 ${KEY} fund-2 ${OTHER}`)).toEqual(both);
  expect(await entries(`"${KEY}","fund-1" "${OTHER}","fund-2"`)).toEqual(both);
  expect(await entries(`${KEY} ${OTHER}`)).toEqual([{ wallet: KEY }, { wallet: OTHER }]);
});

test('lists of other tools are read: texts, or objects with an address and a name', async () => {
  expect(await entries(JSON.stringify([KEY, { address: OTHER, name: 'fund-2', emoji: '!' }, { size: 1 }, 7]))).toEqual([
    { wallet: KEY },
    { wallet: OTHER, label: 'fund-2' },
    'it has no "address"',
    'it has no "address"',
  ]);
});

test('a bad entry of a file spoils no other, and says what is wrong with it', async () => {
  const file = {
    navwatch: 'watchlist',
    version: 1,
    entries: [{ project: 'tide' }, { project: 'tide', rule: 'x' }, { wallet: KEY, maxAgeHours: 0 }, { project: 'a', watch: 'all' }, 7, {}],
  };
  expect(await entries(JSON.stringify(file))).toEqual([
    { project: 'tide', preset: 'everything' },
    'unknown field "rule"; did you mean "rules"?',
    'invalid "maxAgeHours"; use a whole number of hours from 1 to 720',
    'it needs exactly one of "project", "wallet", "market", "screen" or "watch"',
    'it is not an entry',
    'it needs exactly one of "project", "wallet", "market", "screen" or "watch"',
  ]);
});

describe('what is no list is answered with a sentence', () => {
  test.each([
    ['', 'That list is empty.'],
    ['\u{FEFF} \n', 'That list is empty.'],
    ['# nothing\n', 'This list is empty.'],
    ['{"navwatch": "watchlist", "version": 1, "entr', 'This file is damaged'],
    ['{"a": 1}', 'This JSON file is not a watchlist'],
    ['{"navwatch": "watchlist", "version": 3, "entries": []}', 'is from a newer Navwatch (file version 3; this bot reads up to 2)'],
    ['{"navwatch": "watchlist", "version": 0, "entries": []}', 'Unknown file version 0'],
    ['{"navwatch": "watchlist", "version": 1}', 'invalid "entries"'],
    ['{"navwatch": "watchlist", "version": 1, "quiet": {"from": "25:00", "to": "07:00"}, "entries": []}', 'invalid "quiet.from"'],
    [`tide\n${'x'.repeat(10_001)}`, 'Line 2 is too long (10,001 characters, at most 10,000).'],
    [Array.from({ length: 1_001 }, (_, index) => `p${index}`).join('\n'), 'A list has at most 1,000 lines; this one has 1,001.'],
  ])('%.60j', async (text, sentence) => {
    expect(await entries(text)).toContain(sentence);
  });
});

test('what a broken file holds is not repeated in the answer', async () => {
  expect(await entries('{"secret": "planted", }')).not.toContain('planted');
});

test('whatever is sent is read or answered, and quickly', async () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.json(),
    fc
      .array(fc.constantFrom(KEY, OTHER, 'tide', '"', ',', ';', '\t', '\n', ' ', '#', '{', '['), { maxLength: 60 })
      .map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(nasty, async (text) => (await readList(text)).read || (await entries(text)).length > 0),
    { numRuns: runs(500) },
  );
  const LONG = 250_000;
  // Each in as many lines as fit, each as long as is read: what takes time with the square of a line's length takes minutes here.
  const wide = (line: (room: number) => string): string => Array.from({ length: 25 }, () => line(9_900)).join('\n');
  for (const text of [
    '['.repeat(LONG),
    `${'['.repeat(LONG / 2)}${']'.repeat(LONG / 2)}`,
    '"'.repeat(LONG),
    `${KEY} `.repeat(LONG / 45),
    ','.repeat(LONG),
    wide((room) => `a${' '.repeat(room)}b c`),
    wide((room) => `a${' '.repeat(room)}\u2028b\u2028c`),
    wide((room) => `${KEY} ${','.repeat(room - 100)}x ${OTHER}`),
    wide((room) => `x${' '.repeat(room - 100)}y ${KEY} ${OTHER}`),
    `a${' '.repeat(LONG)}b c`,
  ])
    expect(['string', 'object']).toContain(typeof (await entries(text)));
});

test.each([
  ['quotes that are never closed', Array.from({ length: 1_000 }, () => `"${'a,'.repeat(120)}`).join('\n')],
  ['long lines', Array.from({ length: 26 }, () => `"${'a,'.repeat(4_990)}`).join('\n')],
])('%s let others run while they are read', async (_, text) => {
  let turns = 0;
  let done = false;
  const turn = (): void => {
    turns += 1;
    if (!done) setImmediate(turn);
  };
  setImmediate(turn);
  await readList(text);
  done = true;
  expect(turns).toBeGreaterThan(text.length / 10_000);
});

test('tens of thousands of lines are refused by their number, also where most are empty', async () => {
  expect(await entries('tide\n'.repeat(51_600))).toContain('has 51,600. Split it.');
  expect(await entries(`tide${'\n'.repeat(51_600)}tide`)).toContain('has 51,601. Split it.');
});

test.each([
  ['digset', { digset: { every: 'day', at: '09:00' } }, /unknown field "digset"[.] Did you mean "digest"[?]$/u],
  ['a field that resembles none', { x9z: 1 }, /unknown field "x9z"[.] Remove it[.]$/u],
])('a misspelt setting of a file is refused instead of lost: %s', async (_, more, says) => {
  const file = { navwatch: 'watchlist', version: 2, entries: [], ...more };
  expect(await readList(JSON.stringify(file))).toMatchObject({ read: false, says: expect.stringMatching(says) });
});

test('a setting that is written twice is refused, and equal words elsewhere are not', async () => {
  const text = '{"navwatch":"watchlist","version":2,"timezone":"UTC","entries":[{"project":"a"},{"project":"timezone"}]}';
  expect(await readList(text)).toMatchObject({ read: true });
  const twice = text.replace('{"project":"a"}', String.raw`{"project":"a\"{,","pro\u006aect":"b"}`);
  expect(await readList(twice)).toMatchObject({ read: false, says: expect.stringContaining('"project" twice') });
});
