/** Addresses of outgoing webhooks: whatever is accepted is https or this machine, without user, fragment or an address of a private network. */
import { isIP } from 'node:net';
import { parseUrl } from '../../../src/platforms/webhook/endpoint-url.js';
import type { Target } from '../fuzz.js';

/** Written apart from the product: the first parts of IPv4 networks that are not public. */
const PRIVATE = /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|2[3-5]\d)\./u;
const SAMPLES = [
  ...[
    'https://example.com/hooks/navwatch',
    'http://localhost:3000/x',
    'http://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
  ],
  ...[
    'https://169.254.169.254/latest',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://user:secret@example.com/',
    'https://example.com/#x',
  ],
  ...[
    'https://bücher.example/',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://１２７.0.0.1/',
    'https://[fe80::1%25eth0]/',
    'https://[64:ff9b::a00:1]/',
    'https://localhost./',
    'http://localhost.example/',
  ],
];

export async function webhookAddresses(): Promise<Target> {
  return {
    name: 'webhook-addresses',
    json: false,
    inputs: SAMPLES,
    words: ['https://', 'http://', '@', '[', ']', '::', '127.0.0.1', 'localhost', '0x', '%', '.', '/', '\\', '?', '#', ':443', '１'],
    async run(input) {
      const parsed = parseUrl(input, { isPrivateAllowed: false });
      if ('refused' in parsed) return 'refused';
      const { protocol, hostname, username, password, hash } = new URL(parsed.url);
      const host = hostname.replace(/^\[|\]$/gu, '');
      const isHere = host === 'localhost' || host === '::1' || host.startsWith('127.');
      if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) throw new Error(`${protocol} is accepted`);
      if (`${username}${password}${hash}` !== '') throw new Error('a user or a fragment is accepted');
      if (!isHere && isIP(host) === 4 && PRIVATE.test(host)) throw new Error(`${host} is accepted`);
      if (!isHere && isIP(host) === 6 && !host.startsWith('2') && !host.startsWith('3')) throw new Error(`${host} is accepted`);
      if (parseUrl(parsed.url, { isPrivateAllowed: false }) === undefined) throw new Error('what was accepted is refused');
      return 'accepted';
    },
  };
}
