import { expect, test } from 'vitest';
import { filled } from '../../src/chat/command-line.js';

test.each([
  ['what was typed takes the place', '/watch {}', 'tide', '/watch tide'],
  ['several lines become one', '/watch {}', '  tide\n heron\r\n', '/watch tide heron'],
  ['characters that mean something to a replacement mean nothing', '/watch {}', "$& $' $1", "/watch $& $' $1"],
  ['what looks like the place is kept as typed', '/watch {}', '{}', '/watch {}'],
  ['what stands behind the place stays', '/alerts tide least:{} page:2', '10000', '/alerts tide least:10000 page:2'],
])('%s', (_what, line, typed, expected) => {
  expect(filled(line, typed)).toBe(expected);
});
