/** Lines as a hostile member may type them: every command, behind it repeated words, dates, quotes, colons and options, from nothing to more than a line may have. Seeded. */
import type { CommandEntry } from '../../src/chat/catalogue.js';
import { MAX_LINE } from '../../src/chat/inbound.js';

/** A small generator of numbers in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS = [
  ...[
    'a',
    'tide',
    'TIDE',
    '$TIDE',
    'heron',
    'Heron Flats',
    'alder',
    'tidewtaer',
    'all',
    'launches',
    'usual',
    'everything',
    'only',
    'and',
    'off',
  ],
  ...[
    'Dec 1',
    'until Dec 1',
    '18:00',
    'tomorrow 9:00',
    '2h',
    '1 month and 2 weeks',
    '2026-12-01',
    'monday',
    '1.12.',
    '9 pm',
    '22:00-07:00',
    'to',
  ],
  ...[
    '"',
    "'",
    '"tide"',
    '"heron flats"',
    "it's",
    '""',
    '\\',
    '`',
    ':',
    '::',
    'a:',
    ':a',
    'viwe:nav',
    'rnage:3M',
    'stage:mint',
    'https://x',
    '{}',
  ],
  ...[
    'premium<-20',
    'runway>12',
    'sort:premium',
    'usd>10000',
    'supply: at least $10,000',
    'premium below -10 band 2',
    '1,1,1,1',
    '1.1.1.1x',
    '<',
    '>=',
  ],
  ...['🌊', 'ﷺ', 'é', 'é́́́', 'Ｔｉｄｅ', '\u202e', '\u200d', '日本', 'İ', 'ß', '\u0000', '\t', '\n', '    ', '-', '−', '@everyone', '<@&1>'],
  ...[
    '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd',
    '0x1111111111111111111111111111111111111111',
    '[',
    '{"navwatch":"watchlist"',
    '1',
    '%',
    '/',
    '/mute',
  ],
] as const;

const LENGTHS = [0, 10, 40, 250, 1_000, 2_000, MAX_LINE - 200, MAX_LINE, MAX_LINE + 1, 60_000] as const;

/** A line for one of these commands, or one of no command. */
export function fuzzedLine(random: () => number, commands: readonly CommandEntry[]): string {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const command = pick(commands);
  const named = (command?.options ?? []).flatMap(({ name, choices = [] }) => [
    `${name}:`,
    `${name.slice(0, -1)}:x`,
    ...choices,
    `${name}:${choices[0] ?? 'tide'}`,
  ]);
  const words: readonly string[] = [...WORDS, ...named];
  const few = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(words) ?? '');
  // One word or a few again and again, or a mixture.
  const isRepeated = random() < 0.6;
  const between = random() < 0.9 ? ' ' : (pick(['', '  ', '\n', ',', ';']) ?? ' ');
  const length = (pick(LENGTHS) ?? 0) * (random() < 0.5 ? 1 : random());
  let line = random() < 0.97 ? `/${command?.name ?? 'help'} ${random() < 0.5 ? (pick(words) ?? '') : ''}` : '';
  const parts = [line];
  for (let size = line.length; size < length;) {
    const word = `${between}${(isRepeated ? pick(few) : pick(words)) ?? ''}`;
    parts.push(word);
    size += Math.max(1, word.length);
  }
  line = parts.join('');
  return length > MAX_LINE ? line : line.slice(0, MAX_LINE);
}
