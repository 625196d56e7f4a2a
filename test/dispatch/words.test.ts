import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitWords } from '../../src/dispatch/words.js';
import { commandLine, UserError } from '../../src/reply/index.js';

test.each([
  ['/premium tide 3M', ['/premium', 'tide', '3M']],
  ['  /premium   tide\t3M ', ['/premium', 'tide', '3M']],
  ['/treasury "Heron Flats"', ['/treasury', 'Heron Flats']],
  ['/treasury project:"Heron Flats"', ['/treasury', 'project:Heron Flats']],
  ['/treasury “Heron Flats”', ['/treasury', 'Heron Flats']],
  ["/treasury 'Heron Flats'", ['/treasury', 'Heron Flats']],
  ["/treasury O'Brien Works", ['/treasury', "O'Brien", 'Works']],
  ["/search builders' pool", ['/search', "builders'", 'pool']],
  ['/treasury ""', ['/treasury', '']],
])('%s has the words %j', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

test.each(['/treasury "Heron Flats', "/treasury 'Heron Flats", '/a "b" "'])('%s leaves a quote open, which is said', (line) => {
  expect(() => splitWords(line)).toThrow(UserError);
});

test('whatever words a button carries are read back as the same words', () => {
  const word = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/[\u{F8F1}\u{F8F2}]/u.test(text));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(splitWords(commandLine('do', ...words))).toEqual(['/do', ...words]);
    }),
    { examples: [[['a"b']], [["it's"]], [['“x” y']], [[`"'"`]], [['a b', "c'd", 'e“f']]] },
  );
});
