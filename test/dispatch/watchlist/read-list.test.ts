import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readList } from '../../../src/dispatch/watchlist/read-list.js';
import { runs } from '../../support/properties.js';

const KEY = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const OTHER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

const entries = (text: string) => {
  const read = readList(text);
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
  ])('%j', (line, entry) => {
    expect(entries(line)).toEqual([entry]);
  });
});

test('a byte order mark, line ends of any system, blank lines, comments and a header are no entries', () => {
  const text = `\u{FEFF}Address,Label\r\n\r\n# funds\r\n${KEY},fund-1\r${OTHER},fund-2\n// projects\ntide\n-- end\n`;
  expect(entries(text)).toEqual([{ wallet: KEY, label: 'fund-1' }, { wallet: OTHER, label: 'fund-2' }, { project: 'tide' }]);
  const read = readList(text);
  expect(read.read && read.list.items.map(({ where }) => where)).toEqual(['line 4', 'line 5', 'line 7']);
});

test('several names in one line are each taken for themselves', () => {
  expect(entries(`tide, Heron Flats; ${KEY} fund-1; all`)).toEqual([
    { project: 'tide' },
    { project: 'Heron Flats' },
    { wallet: KEY, label: 'fund-1' },
    { watch: 'all' },
  ]);
  expect(entries('tide, Heron Flats, all')).toEqual([{ project: 'tide' }, { project: 'Heron Flats' }, { watch: 'all' }]);
});

test('a list that was squeezed into one line is taken apart at its keys', () => {
  expect(entries(`${KEY} fund-1 ${OTHER} my second fund`)).toEqual([
    { wallet: KEY, label: 'fund-1' },
    { wallet: OTHER, label: 'my second fund' },
  ]);
  expect(entries(`${KEY},fund-1 ${OTHER}, fund-2`)).toEqual([
    { wallet: KEY, label: 'fund-1' },
    { wallet: OTHER, label: 'fund-2' },
  ]);
});

test('a squeezed list may begin with a header, have labels first, or quotes', () => {
  const both = [
    { wallet: KEY, label: 'fund-1' },
    { wallet: OTHER, label: 'fund-2' },
  ];
  expect(entries(`address,label ${KEY},fund-1 ${OTHER},fund-2`)).toEqual(both);
  expect(entries(`fund-1 ${KEY} fund-2 ${OTHER}`)).toEqual(both);
  expect(entries(`"${KEY}","fund-1" "${OTHER}","fund-2"`)).toEqual(both);
  expect(entries(`${KEY} ${OTHER}`)).toEqual([{ wallet: KEY }, { wallet: OTHER }]);
});

test('lists of other tools are read: texts, or objects with an address and a name', () => {
  expect(entries(JSON.stringify([KEY, { address: OTHER, name: 'fund-2', emoji: '!' }, { size: 1 }, 7]))).toEqual([
    { wallet: KEY },
    { wallet: OTHER, label: 'fund-2' },
    'it has no "address"',
    'it has no "address"',
  ]);
});

test('a bad entry of a file spoils no other, and says what is wrong with it', () => {
  const file = {
    navwatch: 'watchlist',
    version: 1,
    entries: [{ project: 'tide' }, { project: 'tide', rule: 'x' }, { wallet: KEY, maxAgeHours: 0 }, { project: 'a', watch: 'all' }, 7, {}],
  };
  expect(entries(JSON.stringify(file))).toEqual([
    { project: 'tide' },
    'I do not know “rule” in it',
    'its “maxAgeHours” does not fit; it takes a whole number of hours from 1 to 720',
    'it needs one of "project", "wallet" and "watch"',
    'it is no entry',
    'it needs one of "project", "wallet" and "watch"',
  ]);
});

describe('what is no list is answered with a sentence', () => {
  test.each([
    ['', 'That list is empty.'],
    ['\u{FEFF} \n', 'That list is empty.'],
    ['# nothing\n', 'That list has only comments.'],
    ['{"navwatch": "watchlist", "version": 1, "entr', 'cannot be read to its end'],
    ['{"a": 1}', 'That is JSON, but no watchlist'],
    ['{"navwatch": "watchlist", "version": 2, "entries": []}', 'was written by a newer Navwatch (version 2 of the file; this one reads 1)'],
    ['{"navwatch": "watchlist", "version": 0, "entries": []}', 'There is no version 0 of that file'],
    ['{"navwatch": "watchlist", "version": 1}', 'its “entries” does not fit'],
    ['{"navwatch": "watchlist", "version": 1, "quiet": {"from": "25:00", "to": "07:00"}, "entries": []}', 'its “quiet.from” does not fit'],
    [`tide\n${'x'.repeat(10_001)}`, 'That list has 10001 characters in line 2; at most 10000 are read.'],
    [Array.from({ length: 1_001 }, (_, index) => `p${index}`).join('\n'), 'A list has at most 1000 lines; that one has 1001.'],
  ])('%.60j', (text, sentence) => {
    expect(entries(text)).toContain(sentence);
  });
});

test('what a broken file holds is not repeated in the answer', () => {
  expect(entries('{"secret": "planted", }')).not.toContain('planted');
});

test('whatever is sent is read or answered, and quickly', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.json(),
    fc
      .array(fc.constantFrom(KEY, OTHER, 'tide', '"', ',', ';', '\t', '\n', ' ', '#', '{', '['), { maxLength: 60 })
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(nasty, (text) => readList(text).read || entries(text).length > 0),
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
    expect(['string', 'object']).toContain(typeof entries(text));
});
