import { expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import { managersOnlyText } from '../../src/dispatch/error-sentences.js';
import { placeWord } from '../../src/platforms/index.js';

test.each([
  [address('discord', '1'), 'channel'],
  [address('telegram', '-1001'), 'chat'],
  [address('telegram', '5'), 'chat'],
  [address('console', 'main'), 'chat'],
])('a place is called what people call it: %s', (where, word) => {
  expect(placeWord(where)).toBe(word);
  expect(managersOnlyText(placeWord(where))).toContain(`this ${word} can`);
});
