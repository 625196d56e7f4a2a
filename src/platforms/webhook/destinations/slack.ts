/** Posts to Slack's incoming webhooks, which cannot edit. Rich text blocks are data, so external text can neither format nor mention. */
import { truncate } from '../../truncate.js';
import { bareText, lineText } from '../../../chat/plain-text.js';
import type { Line, Reply, Span } from '../../../chat/reply.js';
import type { Instant } from '../../../domain/scalars.js';
import {
  JSON_HEADERS,
  blockedBy,
  composed,
  fitted,
  goneWith,
  refusedWith,
  type Composed,
  type Destination,
  type ServiceMessage,
} from './destination.js';

/** The value is in characters; Slack splits or cuts longer texts. https://docs.slack.dev/changelog/2018-truncating-really-long-messages */
const MAX_TEXT = 3_000;
const MAX_FALLBACK = 300;

interface Element {
  readonly type: 'text' | 'link';
  readonly text: string;
  readonly url?: string;
  readonly style?: { readonly bold?: true; readonly code?: true };
}

// https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
export const slack: Destination = {
  title: 'Slack',
  example: 'https://hooks.slack.com/services/T…/B…/…',
  isUrl: ({ pathname }) => /^\/services\/[\w-]+\/[\w-]+\/[\w-]+$/u.test(pathname),
  knowsRepeats: false,
  request: (url, message) =>
    message.edits === undefined ? { url: url.href, headers: JSON_HEADERS, body: JSON.stringify(payloadOf(message)) } : undefined,
  read: ({ status, text = '' }) => {
    if (status === 400) return refusedWith(`Slack refuses the message (${wordOf(text)})`);
    if (status === 403) return blockedBy(`Slack does not let the webhook post there (${wordOf(text)})`);
    if (status === 404 || status === 410)
      return goneWith(`Slack says that the webhook or its channel is gone (${wordOf(text)}); create a new webhook there`);
    return undefined;
  },
};

const wordOf = (text: string): string => /^[a-z_]{1,60}$/u.exec(text.trim())?.[0] ?? 'no reason given';

function payloadOf({ reply, at }: ServiceMessage): object {
  const own = fitted(reply, MAX_TEXT, (candidate) => bareText(candidate, at).length);
  const fallback = truncate(lineText(composed(own, at).headline, at, own.zone), MAX_FALLBACK);
  return {
    text: escaped(fallback),
    blocks: [{ type: 'rich_text', elements: elementsOf(composed(own, at), own, at) }],
    unfurl_links: false,
    unfurl_media: false,
  };
}

// https://docs.slack.dev/messaging/formatting-message-text#escaping
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
function elementsOf({ headline, paragraphs, links }: Composed, { zone }: Reply, at: Instant): readonly object[] {
  const section = (elements: readonly Element[]): object => ({ type: 'rich_text_section', elements });
  const lines = (spans: Line, bold: boolean): readonly Element[] => spans.flatMap((span) => elementOf(span, { at, zone, bold }));
  const linkRow = links.flatMap(({ label, url }, index): Element[] => [
    ...(index === 0 ? [] : [{ type: 'text' as const, text: ' · ' }]),
    { type: 'link', url, text: label },
  ]);
  const rows = [
    section(lines(headline, true)),
    ...paragraphs.map((one) =>
      one.kind === 'code'
        ? { type: 'rich_text_preformatted', elements: [{ type: 'text', text: truncate(one.text, MAX_TEXT) }] }
        : section([{ type: 'text', text: '\n' }, ...lines(one.line, false)]),
    ),
  ];
  return linkRow.length === 0 ? rows : [...rows, section([{ type: 'text', text: '\n' }, ...linkRow])];
}

function elementOf(
  span: Span,
  { at, zone, bold }: { readonly at: Instant; readonly zone: string | undefined; readonly bold: boolean },
): readonly Element[] {
  if (typeof span !== 'string' && 'link' in span) return [{ type: 'link', url: span.url, text: truncate(span.link, MAX_TEXT) }];
  const text = truncate(lineText([span], at, zone), MAX_TEXT);
  // Slack refuses an empty element.
  if (text === '') return [];
  if (typeof span !== 'string' && 'code' in span) return [{ type: 'text', text, style: { code: true } }];
  return bold || (typeof span !== 'string' && 'strong' in span)
    ? [{ type: 'text', text, style: { bold: true } }]
    : [{ type: 'text', text }];
}
