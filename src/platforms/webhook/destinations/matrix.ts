/** Posts to Matrix's client-server API. The transaction id makes a repeat harmless, and a message can be replaced. */
import { truncate } from '../../truncate.js';
import { lineText } from '../../../chat/plain-text.js';
import type { Line, Reply } from '../../../chat/reply.js';
import type { Instant } from '../../../domain/scalars.js';
import {
  JSON_HEADERS,
  blockedBy,
  composed,
  fieldOf,
  fitted,
  isSuccess,
  lostTo,
  refusedWith,
  restText,
  sentAs,
  withoutMentions,
  type Composed,
  type Destination,
  type ServiceMessage,
} from './destination.js';

/** The value is in characters. An event has at most 65,536 bytes, and an edit holds its content twice, as text and as HTML. https://spec.matrix.org/v1.11/client-server-api/#size-limits */
const MAX_TEXT = 4_000;
const ROOM = /^\/(?:_matrix\/client\/v3\/rooms\/)?((?:!|%21)[^/]{1,255})(?:\/|$)/u;
const EVENT = /^\$[\w$/+:.-]{1,255}$/u;

export const matrix: Destination = {
  title: 'Matrix',
  example: 'https://matrix.example.com/!room:example.com?access_token=…',
  isUrl: (url) => ROOM.test(url.pathname) && url.searchParams.has('access_token'),
  knowsRepeats: true,
  // https://spec.matrix.org/v1.11/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
  request(url, message) {
    if (message.edits !== undefined && !EVENT.test(message.edits)) return undefined;
    const room = encodeURIComponent(decodeURIComponent(ROOM.exec(url.pathname)?.[1] ?? ''));
    return {
      method: 'PUT',
      url: new URL(`/_matrix/client/v3/rooms/${room}/send/m.room.message/${encodeURIComponent(message.id)}`, url).href,
      // The token goes into a header, because the server logs URLs.
      headers: { ...JSON_HEADERS, authorization: `Bearer ${url.searchParams.get('access_token') ?? ''}` },
      body: JSON.stringify(payloadOf(message)),
    };
  },
  read(answer, { id, edits }) {
    const code = fieldOf(answer, 'errcode');
    if (isSuccess(answer)) return sentAs(edits ?? fieldOf(answer, 'event_id') ?? id);
    if (code === 'M_UNKNOWN_TOKEN' || code === 'M_MISSING_TOKEN')
      return blockedBy('Matrix does not accept the access token; give a new one');
    if (code === 'M_FORBIDDEN') return blockedBy('Matrix does not let the account post there; invite it to the room and let it join');
    if (code === 'M_NOT_FOUND' && edits !== undefined) return lostTo('deleted');
    if (answer.status === 400 || answer.status === 413)
      return refusedWith(`Matrix refuses the message (${/^\w{1,60}$/u.exec(code ?? '')?.[0] ?? answer.status})`);
    return undefined;
  },
};

function payloadOf({ reply, at, silent, replyTo, edits }: ServiceMessage): object {
  const textOf = (candidate: Reply): string => {
    const parts = composed(candidate, at);
    const rest = restText(parts, { at, zone: candidate.zone });
    const links = parts.links.map(({ label, url }) => `${lineText([label], at)}: ${url}`);
    return [lineText(parts.headline, at, candidate.zone), rest, ...links].filter((part) => part !== '').join('\n');
  };
  const own = fitted(reply, MAX_TEXT, (candidate) => textOf(candidate).length);
  const content = {
    // Clients make no sound for a notice.
    msgtype: silent ? 'm.notice' : 'm.text',
    body: withoutMentions(truncate(textOf(own), MAX_TEXT)),
    ...(textOf(own).length > MAX_TEXT ? {} : { format: 'org.matrix.custom.html', formatted_body: htmlOf(composed(own, at), own, at) }),
    // An empty field keeps names and @room in the text from mentioning anybody. https://spec.matrix.org/v1.11/client-server-api/#user-and-room-mentions
    'm.mentions': {},
  };
  if (edits !== undefined)
    return { ...content, body: `* ${content.body}`, 'm.new_content': content, 'm.relates_to': { rel_type: 'm.replace', event_id: edits } };
  if (replyTo === undefined || !EVENT.test(replyTo)) return content;
  return { ...content, 'm.relates_to': { 'm.in_reply_to': { event_id: replyTo } } };
}

function htmlOf({ headline, paragraphs, links }: Composed, { zone }: Reply, at: Instant): string {
  const rows = [
    `<strong>${lineOf(headline, { at, zone })}</strong>`,
    ...paragraphs.map((one) => (one.kind === 'code' ? `<pre><code>${escaped(one.text)}</code></pre>` : lineOf(one.line, { at, zone }))),
    ...(links.length === 0 ? [] : [links.map(({ label, url }) => anchor(label, url)).join(' · ')]),
  ];
  return rows.join('<br>');
}

const lineOf = (spans: Line, { at, zone }: { readonly at: Instant; readonly zone: string | undefined }): string =>
  spans
    .map((span) => {
      if (typeof span !== 'string' && 'link' in span) return anchor(span.link, span.url);
      const text = escaped(lineText([span], at, zone));
      if (typeof span === 'string' || 'at' in span) return text;
      return 'strong' in span ? `<strong>${text}</strong>` : `<code>${text}</code>`;
    })
    .join('');

const anchor = (label: string, url: string): string => `<a href="${entities(url)}">${escaped(label)}</a>`;
const entities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const escaped = (text: string): string => entities(withoutMentions(text));
