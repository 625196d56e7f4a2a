/** Posts to Discord's incoming webhooks, and edits messages in place. The text cannot mention anybody. */
import { truncate } from '../../truncate.js';
import { lineText } from '../../../chat/plain-text.js';
import type { Line, Reply } from '../../../chat/reply.js';
import type { Instant } from '../../../domain/scalars.js';
import {
  JSON_HEADERS,
  composed,
  fieldOf,
  fitted,
  goneWith,
  isSuccess,
  lostTo,
  refusedWith,
  sentAs,
  type Composed,
  type Destination,
  type ServiceMessage,
} from './destination.js';

// https://docs.discord.com/developers/resources/webhook#execute-webhook
const MAX_CONTENT = 2_000;
// https://docs.discord.com/developers/resources/message#message-object-message-flags
const [SUPPRESS_EMBEDS, SUPPRESS_NOTIFICATIONS] = [4, 4_096];
const SNOWFLAKE = /^\d{1,20}$/u;

export const discord: Destination = {
  title: 'Discord',
  example: 'https://discord.com/api/webhooks/…/…',
  isUrl: ({ pathname }) => /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+$/u.test(pathname),
  knowsRepeats: false,
  request(url, message) {
    const target = new URL(url);
    if (message.edits === undefined) target.searchParams.set('wait', 'true');
    else if (SNOWFLAKE.test(message.edits)) target.pathname += `/messages/${message.edits}`;
    else return undefined;
    const method = message.edits === undefined ? 'POST' : 'PATCH';
    return { method, url: target.href, headers: JSON_HEADERS, body: JSON.stringify(payloadOf(message)) };
  },
  read(answer, { id, edits }) {
    const code = fieldOf(answer, 'code');
    if (isSuccess(answer)) return sentAs(fieldOf(answer, 'id') ?? edits ?? id);
    if (code === '10008') return lostTo('deleted');
    if (code === '10015' || code === '50027') return goneWith('Discord says that the webhook was deleted; create a new one there');
    if (answer.status === 400) return refusedWith(`Discord refuses the message (code ${code ?? 'unknown'})`);
    return undefined;
  },
};

function payloadOf({ reply, at, silent, edits }: ServiceMessage): object {
  const contentOf = (candidate: Reply): string => markdownOf(composed(candidate, at), candidate, at);
  const own = fitted(reply, MAX_CONTENT, (candidate) => contentOf(candidate).length);
  const content = contentOf(own);
  // Text that is too long cannot be cut inside markup, so only the headline is sent, without markup.
  const short = escaped(truncate(lineText(composed(own, at).headline, at, own.zone), MAX_CONTENT / 2));
  const flags = silent && edits === undefined ? SUPPRESS_EMBEDS + SUPPRESS_NOTIFICATIONS : SUPPRESS_EMBEDS;
  return { content: content.length > MAX_CONTENT ? short : content, flags, allowed_mentions: { parse: [] } };
}

function markdownOf({ headline, paragraphs, links }: Composed, { zone }: Reply, at: Instant): string {
  const isPlain = headline.every((span) => typeof span === 'string');
  const emphasised = isPlain ? [{ strong: headline.join('') }] : headline;
  const rows = [
    lineOf(emphasised, { at, zone }),
    ...paragraphs.map((one) => (one.kind === 'code' ? `\`\`\`\n${uncoded(one.text)}\n\`\`\`` : lineOf(one.line, { at, zone }))),
    ...(links.length === 0 ? [] : [links.map(({ label, url }) => masked(label, url)).join(' · ')]),
  ];
  return rows.join('\n');
}

const lineOf = (spans: Line, { at, zone }: { readonly at: Instant; readonly zone: string | undefined }): string =>
  spans
    .map((span) => {
      if (typeof span !== 'string' && 'link' in span) return masked(span.link, span.url);
      const text = lineText([span], at, zone);
      if (typeof span === 'string' || text.trim() === '') return escaped(text);
      if ('strong' in span) return `**${escaped(text)}**`;
      return 'code' in span ? `\`${uncoded(text)}\`` : `<t:${Math.floor(span.at / 1_000)}:f>`;
    })
    .join('');

const masked = (label: string, url: string): string => `[${escaped(label)}](<${url}>)`;
const escaped = (text: string): string => text.replaceAll(/[\\*_~`|<>[\]#@]|:(?=\/\/)|^-(?=\s)/gu, '\\$&');
/** Replaces backticks, because Discord has no escapes in code. */
const uncoded = (text: string): string => text.replaceAll('`', '\u02cb');
