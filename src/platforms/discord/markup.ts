/** Lines of a reply as Discord's Markdown. */
import { TONES, type Line, type Span, type Tone } from '../../chat/reply.js';
import type { Instant } from '../../domain/scalars.js';
import { inCode, plain } from './escape.js';

/** A name cannot displace the rest. */
const MAX_SPAN = 300;
/** Escaping at most doubles it, so the finding always fits. */
export const MAX_LINE = 1_000;
export const MAX_LABEL = 64;

export const withGlyph = (tone: Tone, text: string): string => (TONES[tone] === '' ? text : `${TONES[tone]} ${text}`);

/** A finding without emphasis is emphasised whole. */
export const emphasised = (spans: Line): Line =>
  spans.some((span) => typeof span !== 'string' && 'strong' in span)
    ? spans
    : spans.map((span) => (typeof span === 'string' ? { strong: span } : span));

export function line(spans: Line): string {
  let left = MAX_LINE;
  return spans.reduce<string>((before, span) => {
    if (left <= 0) return before;
    const piece = renderSpan(span, typeof span !== 'string' && 'link' in span ? left : Math.min(left, MAX_SPAN));
    left -= Math.min(left, typeof span !== 'string' && 'link' in span ? piece.length : Math.min(lengthOf(span), MAX_SPAN));
    // Four stars in a row would be neither an end nor a beginning.
    return before.endsWith('**') && piece.startsWith('**') ? `${before}\u200b${piece}` : before + piece;
  }, '');
}

function renderSpan(span: Span, most: number): string {
  if (typeof span === 'string') return plain(span, most);
  if ('strong' in span) return strong(plain(span.strong, most));
  if ('code' in span) return code(inCode(span.code, most));
  if ('link' in span) return masked(span, most);
  return moment(span);
}

/** Characters. */
const MOMENT_LENGTH = 20;

export const lengthOf = (span: Span): number => {
  if (typeof span === 'string') return span.length;
  if ('strong' in span) return span.strong.length;
  if ('link' in span) return span.link.length;
  return 'code' in span ? span.code.length : MOMENT_LENGTH;
};

/** Clients keep it current. https://docs.discord.com/developers/reference#message-formatting */
const moment = ({ at, exact }: Extract<Span, { at: Instant }>): string => `<t:${Math.floor(at / 1_000)}:${exact === true ? 'f' : 'R'}>`;

/** Only its text where there is no room. The brackets suppress a preview. */
function masked({ link, url }: Extract<Span, { link: string }>, most: number): string {
  const text = plain(link, MAX_LABEL);
  return text.trim() === '' || text.length + url.length + LINK_MARKUP > most ? plain(link, most) : `[${text}](<${url}>)`;
}
const LINK_MARKUP = '[](<>)'.length;

export const small = (markup: string): string => `-# ${markup}`;
export const strong = (markup: string): string => (markup.trim() === '' ? markup : `**${markup}**`);
const code = (text: string): string => (text.trim() === '' ? '' : `\`${text}\``);
