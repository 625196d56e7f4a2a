/** Reads how an operator is notified. */
import { z } from 'zod';
import { setting } from '../base/settings.js';
import { parsedUrl } from '../base/parsed-url.js';

/** The address has the form of ACCESS, and a topic may follow. */
const POSTED_IN = ['chat', 'channel'];

/** `telegram/chat/-100/7` is the address `telegram/-100/7`. */
function addressIn(text: string): string {
  const [platform, , ...rest] = text.split('/');
  return [platform, ...rest].join('/');
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

function isSafeUrl(text: string): boolean {
  const { protocol, hostname, username, password, hash } = new URL(text);
  return (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))) && `${username}${password}${hash}` === '';
}

const URL_REMEDY = 'give an https address such as https://hc.example/ping/your-id; http only on this machine; without a user or a fragment';

interface PlatformCircles {
  readonly name: string;
  readonly kinds: readonly string[];
  /** The text is a regular expression. */
  readonly id: string;
}

export function operatorSettings(circles: readonly PlatformCircles[]) {
  const forms = circles.flatMap(({ name, kinds, id }) => kinds.flatMap((kind) => (POSTED_IN.includes(kind) ? [{ name, kind, id }] : [])));
  const chat = new RegExp(`^(?:${forms.map(({ name, kind, id }) => `${name}/${kind}/${id}(?:/\\d+)?`).join('|')})$`, 'u');
  return {
    OPERATOR_CHAT: setting(
      z
        .string()
        .max(100)
        .regex(chat, `give one chat: ${forms.map(({ name, kind }) => `${name}/${kind}/<id>`).join(' or ')}`)
        .transform(addressIn)
        .optional(),
      {
        says: 'The chat that is notified when data goes stale, the API budget will run out early, the disk fills or a token is refused.',
        example: 'telegram/chat/1234567890',
      },
    ),
    HEARTBEAT_URL: setting(
      z
        .url({ protocol: /^https?$/, error: URL_REMEDY })
        .max(2_000)
        .refine(isSafeUrl, { error: URL_REMEDY, when: ({ value }) => parsedUrl(String(value)) !== undefined })
        .optional(),
      {
        says: 'Called (GET) every minute while all is well, for a service that alarms when calls stop. Keep it secret.',
        example: 'https://hc.example/ping/your-id',
      },
    ),
  };
}
