import { expect, test } from 'vitest';
import { parsedUrl } from '../../src/base/parsed-url.js';

test('a URL with a letter such as ü stays one, however often URLs are parsed', () => {
  let refused = 0;
  for (let time = 0; time < 20_000; time += 1) if (parsedUrl('https://bücher.example/') === undefined) refused += 1;
  expect(refused).toBe(0);
});

test('text that is no URL is none', () => {
  expect(['', 'example', 'https://', 'https://a b.example'].map(parsedUrl)).toEqual([undefined, undefined, undefined, undefined]);
});
