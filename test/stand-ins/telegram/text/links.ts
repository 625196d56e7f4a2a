/** Which addresses the platform takes for links. */
import { parsedUrl } from '../../../../src/base/parsed-url.js';

const KNOWN_SCHEMES = new Set(['http:', 'https:', 'ftp:', 'tg:', 'ton:', 'tonsite:']);

/** The account behind `tg://user?id=…`. */
export function linkedPerson(address: string): number | undefined {
  const id = /^tg:(?:\/\/)?user\?id=([0-9]+)$/i.exec(address.trim())?.[1];
  return id === undefined ? undefined : Number(id);
}

/** The address as it is stored (with a scheme and a path), or undefined where the platform silently drops the link. */
export function checkedLink(address: string): string | undefined {
  const trimmed = address.trim();
  if (trimmed === '' || /\s/.test(trimmed)) return undefined;
  const full = /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[^/:]+\.[^/:]+:[0-9]/.test(trimmed) ? trimmed : `http://${trimmed}`;
  const url = parsedUrl(full);
  if (url === undefined) return undefined;
  if (!KNOWN_SCHEMES.has(url.protocol)) return undefined;
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:' || url.protocol === 'ftp:';
  return isWeb && !url.hostname.includes('.') ? undefined : url.href;
}
