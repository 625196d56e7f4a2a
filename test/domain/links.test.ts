import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  httpsUrl,
  DEFAULT_TEMPLATES,
  LINKS,
  makeLinks,
  templateFault,
  unfitTemplates,
  type LinkKind,
  httpsUrlSchema,
  MAX_URL_LENGTH,
} from '../../src/domain/links.js';

const KEY = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const KINDS: readonly LinkKind[] = ['transaction', 'token', 'wallet', 'site', 'proposal', 'chart'];
const links = makeLinks(DEFAULT_TEMPLATES);
const urls = (made: ReturnType<typeof links>): readonly string[] => made.map(({ url }) => url);

test('every kind has a usable default, and the defaults lead to the page of what they name', () => {
  expect(KINDS.map((kind) => templateFault(kind, LINKS[kind].usual))).toEqual(KINDS.map(() => undefined));
  expect(
    urls(
      links([
        { to: 'transaction', signature: SIGNATURE },
        { to: 'token', mint: KEY },
        { to: 'wallet', wallet: KEY },
        { to: 'site', website: 'https://tide.example' },
        { to: 'proposal', publicKey: KEY, slug: 'tide' },
        { to: 'chart', mint: KEY },
      ]),
    ),
  ).toEqual([
    `https://solscan.io/tx/${SIGNATURE}`,
    `https://solscan.io/token/${KEY}`,
    `https://solscan.io/account/${KEY}`,
    'https://tide.example/',
    `https://www.metadao.fi/projects/tide/proposal/${KEY}`,
    `https://dexscreener.com/solana/${KEY}`,
  ]);
});

test('an empty template, an unknown value and a second link to the same page make no link', () => {
  expect(makeLinks({ ...DEFAULT_TEMPLATES, token: '' })([{ to: 'token', mint: KEY }])).toEqual([]);
  expect(links([{ to: 'token' }, { to: 'transaction', signature: undefined }])).toEqual([]);
  expect(
    makeLinks({ ...DEFAULT_TEMPLATES, proposal: LINKS.wallet.usual.replace('{wallet}', '{publicKey}') })([
      { to: 'wallet', wallet: KEY },
      { to: 'proposal', publicKey: KEY },
    ]),
  ).toMatchObject([{ label: 'Wallet' }]);
});

test('a template with two placeholders needs both values', () => {
  const own = makeLinks({ ...DEFAULT_TEMPLATES, proposal: 'https://dao.example/{slug}/p/{publicKey}?x={slug}' });
  expect(urls(own([{ to: 'proposal', publicKey: KEY, slug: 'tide' }]))).toEqual([`https://dao.example/tide/p/${KEY}?x=tide`]);
  expect(own([{ to: 'proposal', publicKey: KEY }])).toEqual([]);
});

test('a template fits unless values that it needs are all there and make no link', () => {
  expect(unfitTemplates(DEFAULT_TEMPLATES, { slug: 'tide', publicKey: KEY, wallet: KEY })).toEqual([]);
  expect(unfitTemplates(DEFAULT_TEMPLATES, { slug: 'tide', publicKey: '0xab', wallet: '0xab' })).toEqual(['wallet', 'proposal']);
  expect(unfitTemplates(DEFAULT_TEMPLATES, { publicKey: '0xab' })).toEqual([]);
  expect(unfitTemplates({ ...DEFAULT_TEMPLATES, wallet: '' }, { wallet: '0xab' })).toEqual([]);
});

describe('a template', () => {
  test.each<readonly [LinkKind, string]>([
    ['transaction', 'http://explorer.example/{signature}'],
    ['transaction', 'javascript:{signature}'],
    ['transaction', '//explorer.example/{signature}'],
    ['transaction', 'https://{signature}.example/'],
    ['transaction', 'https://{signature}/'],
    ['transaction', 'https://{signature}@explorer.example/'],
    ['transaction', 'https://me:secret@explorer.example/{signature}'],
    ['transaction', 'https://localhost/{signature}'],
    ['transaction', 'https://explorer.example/'],
    ['transaction', 'https://explorer.example/{mint}'],
    ['transaction', 'https://explorer.example/{}'],
    ['site', 'https://go.example/{website}'],
    ['token', `https://explorer.example/${'x'.repeat(300)}{mint}`],
  ])('of %s that is %j is refused, with what to do', (kind, template) => {
    expect(templateFault(kind, template)).toMatch(/such as \S+, or leave it empty for no link$/u);
  });

  test.each<readonly [LinkKind, string]>([
    ['transaction', ''],
    ['transaction', 'https://explorer.example:8443/tx/{signature}?cluster=devnet#x'],
    ['site', 'https://dao.example/{slug}'],
    ['site', '{website}'],
  ])('of %s that is %j is usable', (kind, template) => {
    expect(templateFault(kind, template)).toBeUndefined();
  });
});

test('whatever the service sends, a link stays at the host of its template or at the https address that is the website', () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      '../../evil',
      '//evil.example',
      '@evil.example/',
      'x](https://evil.example)',
      '"><a href=//evil.example>',
      'javascript:alert(1)',
      KEY,
      SIGNATURE,
      'tide',
    ),
    fc.webUrl(),
    fc.string({ unit: 'binary', maxLength: 100 }),
  );
  fc.assert(
    fc.property(
      fc.record({ signature: hostile, mint: hostile, wallet: hostile, publicKey: hostile, slug: hostile, website: hostile }),
      (values) => {
        const own = makeLinks({
          ...DEFAULT_TEMPLATES,
          proposal: 'https://dao.example/{slug}/{publicKey}',
          token: 'https://dao.example/t/{slug}',
        });
        for (const { label, url } of own(KINDS.map((to) => ({ ...values, to })))) {
          expect(httpsUrl(url)).toBe(url);
          const site = new Set([httpsUrl(values.website)]);
          const isTemplate = ['solscan.io', 'dexscreener.com', 'dao.example'].includes(new URL(url).hostname);
          expect(label === 'Site' ? site.has(url) : isTemplate).toBe(true);
        }
      },
    ),
  );
});

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
