import fc from 'fast-check';
import { expect, test } from 'vitest';
import { httpsUrl, httpsUrlSchema, MAX_URL_LENGTH } from '../../src/domain/https-url.js';

test.each([
  ['https://example.org', 'https://example.org/'],
  ['https://EXAMPLE.org/a b'.replace(' ', '%20'), 'https://example.org/a%20b'],
  ['https://example.org/(x)[y]', 'https://example.org/%28x%29%5By%5D'],
  ['https://example.org/?q=\'"<>|', 'https://example.org/?q=%27%22%3C%3E%7C'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://example.org:8443/x', 'https://example.org:8443/x'],
])('%j becomes %j', (text, url) => {
  expect(httpsUrl(text)).toBe(url);
});

test.each([
  'http://example.org/',
  'javascript:alert(1)',
  'data:text/html,x',
  'tg://user?id=1',
  'discord://x.example',
  '//example.org/',
  'example.org',
  'https://me:secret@example.org/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://2130706433/',
  'https://example.org/a b',
  'https://example.org/\n',
  'https://example.org/\u202egnp',
  `https://example.org/${'x'.repeat(MAX_URL_LENGTH)}`,
  `https://example.org/${'('.repeat(MAX_URL_LENGTH / 2)}`,
  '',
])('%j may not become a link', (text) => {
  expect(httpsUrl(text)).toBeUndefined();
});

test('whatever becomes a link is https, stays the same when it is read again, and closes no markup', () => {
  const part = fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string({ unit: 'binary', maxLength: 30 }));
  fc.assert(
    fc.property(part, part, (head, tail) => {
      const url = httpsUrl(`${head}${tail}`);
      if (url === undefined) return;
      expect(new URL(url).protocol).toBe('https:');
      expect(url).toMatch(/^[!#$%&+,\-./0-9:;=?@A-Z_a-z~]+$/u);
      expect(httpsUrlSchema.parse(url)).toBe(url);
    }),
  );
});
