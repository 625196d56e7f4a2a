/** Address of an endpoint, as typed. */
import { isIP } from 'node:net';
import { isLoopback, isPublic } from './public-address.js';
import { parsedUrl } from '../../base/parsed-url.js';

const MAX_URL = 2_000;

export type ParsedUrl = { readonly url: string } | { readonly refused: string };

/** Without brackets around an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/gu, '');

/** As typed, not as resolved. */
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
  if (isIP(host) !== 0 && !isPrivateAllowed && !isLoopback(host) && !isPublic(host))
    return { refused: `${host} is an address of a private network. WEBHOOK_PRIVATE=true allows such endpoints.` };
  return { url: url.href };
}
