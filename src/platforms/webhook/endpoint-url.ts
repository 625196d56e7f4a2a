/** Parses an endpoint's URL, and tells which IP addresses belong to the public internet. */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { parsedUrl } from '../../base/parsed-url.js';

const MAX_URL = 2_000;

export type ParsedUrl = { readonly url: string } | { readonly refused: string };

/** Returns the host, without brackets around an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/gu, '');

/** Tells whether the host as typed is this machine. Names are not resolved. */
export const isLocalHost = (host: string): boolean => host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));

export function parseUrl(text: string, { isPrivateAllowed }: { readonly isPrivateAllowed: boolean }): ParsedUrl {
  const typed = text.trim();
  if (typed.length > MAX_URL) return { refused: `The URL has more than ${MAX_URL.toLocaleString('en')} characters.` };
  const url = parsedUrl(typed);
  if (url === undefined) return { refused: 'Give a whole URL, such as https://example.com/hooks/navwatch.' };
  const host = hostOf(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocalHost(host)))
    return { refused: 'The URL must begin with https. Only this machine (localhost) may be reached over http.' };
  if (url.username !== '' || url.password !== '')
    return { refused: 'The URL may not have a user or a password. The receiver recognises Navwatch by the signature.' };
  if (url.hash !== '') return { refused: 'The URL may not have a fragment (#…): it is not sent.' };
  if (isIP(host) !== 0 && !isPlain(typed, url)) return { refused: `Write this address in its usual form: ${url.hostname}.` };
  if (isIP(host) !== 0 && !isPrivateAllowed && !isLoopback(host) && !isPublic(host))
    return { refused: `${host} is an address of a private network. WEBHOOK_PRIVATE=true allows such endpoints.` };
  return { url: url.href };
}

/** Refuses spellings such as 0x7f.1 or 2130706433, which do not show that they mean 127.0.0.1. */
const isPlain = (typed: string, { protocol, hostname }: URL): boolean => {
  const start = `${protocol}//${hostname}`;
  return typed.toLowerCase().startsWith(start) && /^(?:[:/?#]|$)/u.test(typed.slice(start.length));
};

// https://www.iana.org/assignments/iana-ipv4-special-registry and -ipv6-
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Link-local. At 169.254.169.254 cloud providers give out credentials of the machine.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The special ranges within global unicast, 2000::/3. Everything outside that is refused. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const rangesOf = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

const specialIpv4 = rangesOf(SPECIAL_IPV4, 'ipv4');
const specialIpv6 = rangesOf(SPECIAL_IPV6, 'ipv6');
const globalUnicast = rangesOf(['2000::/3'], 'ipv6');
const loopback = rangesOf(['127.0.0.0/8'], 'ipv4');

const familyOf = (ip: string): 'ipv4' | 'ipv6' => (isIPv6(ip) ? 'ipv6' : 'ipv4');

export const isPublic = (ip: string): boolean =>
  familyOf(ip) === 'ipv4' ? !specialIpv4.check(ip, 'ipv4') : globalUnicast.check(ip, 'ipv6') && !specialIpv6.check(ip, 'ipv6');

/** Tells whether an IP address is loopback. Mapped addresses such as ::ffff:127.0.0.1 do not count, because nobody types them for this machine. */
export const isLoopback = (ip: string): boolean => ip === '::1' || (isIPv4(ip) && loopback.check(ip, 'ipv4'));
