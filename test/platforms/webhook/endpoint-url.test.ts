import { describe, expect, test } from 'vitest';
import { isLoopback, isPublic, parseUrl } from '../../../src/platforms/webhook/endpoint-url.js';

describe('addresses', () => {
  test.each([
    '1.1.1.1',
    '93.184.215.14',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.0.1',
    '192.167.1.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('%s is public', (ip) => expect(isPublic(ip)).toBe(true));

  test.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.9.9.9', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ...['192.0.0.192', '192.168.0.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1'],
    ...['fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1', '2002:a9fe:a9fe::1', '2001::1', '2001:db8::1', '100::1'],
  ])('%s is not', (ip) => expect(isPublic(ip)).toBe(false));

  test('loopback is its own kind', () => {
    for (const ip of ['127.0.0.1', '127.255.0.1', '::1']) expect(isLoopback(ip)).toBe(true);
    for (const ip of ['128.0.0.1', '::2', '10.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1'])
      expect(isLoopback(ip)).toBe(false);
  });
});

describe('the URL of an endpoint', () => {
  const parsed = (url: string, isPrivateAllowed = false) => parseUrl(url, { isPrivateAllowed });

  test.each([
    ['https://example.com/hooks', 'https://example.com/hooks'],
    ['  https://Example.COM:8443/h?key=1  ', 'https://example.com:8443/h?key=1'],
    // Names in other scripts are shown as what is resolved.
    ['https://exаmple.com/', 'https://xn--exmple-4nf.com/'],
    ['http://localhost:3000/', 'http://localhost:3000/'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/'],
    ['http://[::1]:3000/', 'http://[::1]:3000/'],
  ])('%s is %s', (url, expected) => expect(parsed(url)).toEqual({ url: expected }));

  test.each([
    'http://example.com/',
    'http://localhost.example.com/',
    'http://localhost./',
    'ftp://example.com/',
    'javascript:alert(1)',
    'example.com',
    '',
    'https://',
    'https://ada:secret@example.com/',
    'https://ada@example.com/',
    'https://example.com/#part',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:169.254.169.254]/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://10.0.0.1/',
    // These are other spellings of this machine.
    'http://127.1/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://2130706433/',
    'http://127.0.0.1./',
    'http://127。0。0。1/',
    'http:127.0.0.1',
    'http:/\\127.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::127.0.0.1]/',
    'https://0.0.0.0/',
    'https://[::]/',
    // These are addresses of IPv4 inside IPv6: NAT64, 6to4 and Teredo.
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b:1::a00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    `https://example.com/${'x'.repeat(2_000)}`,
  ])('%s is refused with a sentence', (url) => {
    expect(parsed(url)).toEqual({ refused: expect.stringMatching(/\.$/u) });
  });

  test('a private address is taken where the operator allows it, over https', () => {
    expect(parsed('https://10.0.0.1/', true)).toEqual({ url: 'https://10.0.0.1/' });
    expect(parsed('http://10.0.0.1/', true)).toHaveProperty('refused');
  });
});
