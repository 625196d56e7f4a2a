/** Addresses of database servers, and what of them may be shown. Pure. */
import { StoreError } from './store.js';
import { parsedUrl } from '../base/parsed-url.js';

/** Undefined: not a URL (Node's own error would hold the password), or a password with signs that end it: its rest would be shown as the host. */
export function parsedServerUrl(url: string): URL | undefined {
  const parsed = parsedUrl(url);
  return parsed?.hash === '' && !parsed.pathname.includes('@') ? parsed : undefined;
}

/** Throws a `StoreError` that does not repeat the address. */
export function serverUrl(scheme: string, rest: string): URL {
  const url = parsedServerUrl(`${scheme}://${rest}`);
  if (url !== undefined) return url;
  throw new StoreError(
    'failed',
    `store: the ${scheme}:// address in STORE_URL is not understood; use ${scheme}://<user>:<password>@<host>:<port>/<database>, with %40 for an @ in the password, %2F for a / and %23 for a #`,
  );
}

/** No password, and no options. */
export function placeOf(url: URL): string {
  const place = new URL(url);
  place.password = '';
  place.search = '';
  place.hash = '';
  return String(place);
}

/** As they are written, and as they are. */
export function passwordsOf({ password, searchParams }: URL): readonly string[] {
  const option = searchParams.get('password');
  return [password, decoded(password), ...(option === null ? [] : [option])].filter((text) => text !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A % that begins no escape: the password is what is written.
  }
}
