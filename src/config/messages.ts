/** Settings of what is sent: the links in messages, what happens to an interrupted one, and how an operator is notified. */
import { z } from 'zod';
import { parsedUrl } from '../base/parsed-url.js';
import { setting, settingOrEmpty } from '../base/settings.js';
import { LINKS, templateFault, type LinkKind } from '../domain/links.js';

export const DELIVERY = {
  AMBIGUOUS_SENDS: setting(
    z
      .enum(
        ['repeat', 'hold'],
        'choose repeat (an alert may come twice) or hold (it may never come) for a message that was cut off on Telegram, or in a Discord channel that the bot may not read',
      )
      .default('repeat'),
    {
      says: 'A message that was cut off may have arrived. Telegram cannot tell, nor can Discord without Read Message History: repeat it (it may come twice) or hold it (it may never come).',
      example: 'repeat',
    },
  ),
};

const template = (kind: LinkKind, says: string) =>
  settingOrEmpty(
    z
      .string()
      .default(LINKS[kind].usual)
      .superRefine((text, context) => {
        const message = templateFault(kind, text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      }),
    {
      says: `${says} Placeholders: ${LINKS[kind].placeholders.map((name) => `{${name}}`).join(', ')}. Empty: no link.`,
      example: LINKS[kind].usual,
    },
  );

export const LINK_TEMPLATES = {
  LINK_TRANSACTION: template('transaction', 'The page of a transaction.'),
  LINK_TOKEN: template('token', 'The page of a token.'),
  LINK_WALLET: template('wallet', 'The page of a wallet.'),
  LINK_PROPOSAL: template('proposal', 'The page of a proposal.'),
  LINK_SITE: template('site', 'The site of a project; {website} is the address that the service gives, where it gives one.'),
  LINK_CHART: template('chart', 'The price chart of a token.'),
};

/** The kinds of places in an address, which has the form of ACCESS with an optional topic. */
const POSTED_IN = ['chat', 'channel'];

/** Parses `telegram/chat/-100/7` to the address `telegram/-100/7`. */
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
  /** A regular expression. */
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
        .refine(isSafeUrl, { error: URL_REMEDY, when: ({ value }) => /^https?:$/u.test(parsedUrl(String(value))?.protocol ?? '') })
        .optional(),
      {
        says: 'Called (GET) every minute while all is well, for a service that alarms when calls stop. Keep it secret.',
        example: 'https://hc.example/ping/your-id',
      },
    ),
  };
}
