import { expect, test } from 'vitest';
import { files, read } from './repository.js';

/** What must never be committed. Each pattern comes with something it must find; a test's own bait says `planted` or `secret`. */
const SECRETS = [
  { what: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/, such: ['-----BEGIN', 'PRIVATE KEY-----'].join(' ') },
  {
    what: 'a Discord bot token',
    pattern: /\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,40}\b/,
    such: `M${'a'.repeat(24)}.${'b'.repeat(6)}.${'c'.repeat(30)}`,
  },
  { what: 'a Telegram bot token', pattern: /\b\d{8,10}:[\w-]{35}\b/, such: `1234567890:${'d'.repeat(35)}` },
  { what: 'a GitHub token', pattern: /\bgh[pousr]_\w{36}\b/, such: `ghp_${'e'.repeat(36)}` },
  { what: 'an npm token', pattern: /\bnpm_\w{36}\b/, such: `npm_${'f'.repeat(36)}` },
  { what: 'a cloud key', pattern: /\bAKIA[0-9A-Z]{16}\b/, such: `AKIA${'A'.repeat(16)}` },
  {
    what: 'a password in an address',
    pattern: /\b[a-z]+:\/\/(?!\S*(planted|:secret@))[^\s:/@'"`$<>{}]+:[^\s:/@'"`$<>{}]+@/,
    such: ['https://me', 'word@host'].join(':'),
  },
];

/** Folders that exist on one machine only; an invented home belongs to `someone`. */
const MACHINE = /(?<![\w.$}-])\/(?!home\/someone)(home|Users|root|work|mnt)\/[\w.-]+/;

const text = (file: string): boolean => !/\.(png|ico|woff2?|ttf|sqlite|gz)$/.test(file);

test.each(SECRETS)('no file holds $what', ({ pattern, such }) => {
  expect(such).toMatch(pattern);
  expect(files.filter((file) => text(file) && pattern.test(read(file)))).toEqual([]);
});

test('no file names a folder of one machine', () => {
  expect(['', 'work', 'shared'].join('/')).toMatch(MACHINE);
  expect(files.filter((file) => text(file) && MACHINE.test(read(file)))).toEqual([]);
});
