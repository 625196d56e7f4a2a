/** Admits only addresses fit for a link: https, a public host, and nothing that ends a link in markup. */
import { z } from 'zod';
import { boundedCache } from '../base/bounded-cache.js';
import { parsedUrl } from '../base/parsed-url.js';

/** https://docs.discord.com/developers/components/reference#button */
export const MAX_URL_LENGTH = 512;

const HOST = /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/u;
/** These characters close a link in Markdown or an attribute, so they are encoded. */
const MARKUP = /[()[\]{}'"`*|\\^<>]/gu;

/** The same address is in many documents and messages, and each of them checks it. */
const MAX_REMEMBERED = 500;
const remembered = boundedCache<string | undefined>(MAX_REMEMBERED);

/** Returns undefined for an address that may not become a link. */
const canonical = (text: string): string | undefined =>
  text.length > MAX_URL_LENGTH ? undefined : remembered(text, () => canonicalOf(text));

function canonicalOf(text: string): string | undefined {
  const url = /[\s\p{Cc}\p{Cf}]/u.test(text) ? undefined : parsedUrl(text);
  if (url === undefined) return undefined;
  if (url.protocol !== 'https:' || `${url.username}${url.password}` !== '' || !HOST.test(url.hostname)) return undefined;
  const encoded = url.href.replace(MARKUP, (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`);
  return encoded.length > MAX_URL_LENGTH ? undefined : encoded;
}

/** Only `httpsUrl` makes values of this type. */
export const httpsUrlSchema = z
  .string()
  .refine((text) => canonical(text) === text, 'not a canonical https address')
  .brand<'HttpsUrl', 'inout'>();
export type HttpsUrl = z.output<typeof httpsUrlSchema>;

export function httpsUrl(text: string): HttpsUrl | undefined {
  const address = canonical(text);
  return address === undefined ? undefined : httpsUrlSchema.parse(address);
}
