/** Reply as Telegram's HTML; drops rows that do not fit. */
import { never } from '../../base/never.js';
import { fit } from '../../chat/fit.js';
import { TONES, type Block, type Line, type Reply, type Span, type Tone } from '../../chat/reply.js';
import { andMore, footText } from '../../chat/plain-text.js';
import { clockTime } from '../../domain/format.js';
import type { HttpsUrl } from '../../domain/https-url.js';
import type { Instant } from '../../domain/scalars.js';
import { truncateLine } from '../truncate.js';
import { escape, plain } from './sanitize.js';
import { split } from './split.js';
import { table } from './table.js';

/** UTF-16 units after entities, https://core.telegram.org/bots/api#sendmessage */
export const MAX_TEXT = 4_096;
/** As `MAX_TEXT`, https://core.telegram.org/bots/api#sendphoto */
export const MAX_CAPTION = 1_024;
const MAX_MESSAGES = 3;
/** A name cannot displace the rest. */
const MAX_SPAN = 400;
/** Characters. */
const MAX_LINE = 1_000;
const MAX_LABEL = 64;
const MAX_VALUE = 128;

/** Rows go first, then blocks. */
export const renderOne = (reply: Reply, now: Instant): string => htmlOf(fit(reply, fits(now)), now);

export const partsOf = (reply: Reply, now: Instant, most = MAX_MESSAGES): readonly Reply[] =>
  most === 1 ? [fit(reply, fits(now))] : split(reply, { fits: fits(now), most });

export const fitsCaption = (reply: Reply, now: Instant): boolean => fits(now, MAX_CAPTION)(reply);

export const captionOf = (reply: Reply, now: Instant): Reply => fit(reply, fits(now, MAX_CAPTION));

const fits =
  (now: Instant, most = MAX_TEXT) =>
  (candidate: Reply): boolean =>
    withoutTags(htmlOf(candidate, now)).length <= most;

/** What Telegram counts. */
const withoutTags = (markup: string): string =>
  markup
    .replace(/<[^>]*>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

export function htmlOf(reply: Reply, now: Instant): string {
  const foot = footText(reply, now);
  const reading = { now, zone: reply.zone };
  return [
    ...(reply.finding.length === 0 ? [] : [withGlyph(reply.tone, finding(reply.finding, reading))]),
    ...reply.blocks.flatMap((block) => renderBlock(block, reading)),
    ...(foot === undefined ? [] : [`<i>${words(foot, MAX_LINE)}</i>`]),
  ].join('\n');
}

interface Reading {
  readonly now: Instant;
  readonly zone: string | undefined;
}

/** A finding without emphasis is emphasised whole. */
const finding = (spans: Line, reading: Reading): string =>
  line(
    spans.some((span) => typeof span !== 'string' && 'strong' in span)
      ? spans
      : spans.map((span) => (typeof span === 'string' ? { strong: span } : span)),
    reading,
  );

function renderBlock(block: Block, reading: Reading): readonly string[] {
  switch (block.kind) {
    case 'line':
      return [line(block.line, reading)];
    case 'figures':
      return [block.items.map(({ label, value }) => `${words(label, MAX_LABEL)} ${strong(words(value, MAX_VALUE))}`).join(' · ')];
    case 'list':
      return [
        ...block.items.flatMap((item) => [
          `${TONES[item.tone] === '' ? '•' : TONES[item.tone]} ${line(item.line, reading)}`,
          ...(item.detail === undefined ? [] : [`    ${line(item.detail, reading)}`]),
        ]),
        ...andMore(block.more),
      ];
    case 'table':
      return [...table(block), ...andMore(block.more)];
    default:
      return never(block);
  }
}

const withGlyph = (tone: Tone, text: string): string => (TONES[tone] === '' ? text : `${TONES[tone]} ${text}`);

function line(spans: Line, reading: Reading): string {
  let left = MAX_LINE;
  return spans
    .map((span) => {
      if (left <= 0) return '';
      const piece = renderSpan(span, reading, Math.min(left, MAX_SPAN));
      left -= withoutTags(piece).length;
      return piece;
    })
    .join('');
}

function renderSpan(span: Span, { now, zone }: Reading, most: number): string {
  if (typeof span === 'string') return words(span, most);
  if ('strong' in span) return strong(words(span.strong, most));
  // Telegram links nothing in code, and a command in it is copied exactly.
  if ('code' in span) return tagged('code', escape(truncateLine(span.code, most)));
  if ('link' in span) return anchor(words(span.link, most), span.url);
  return words(clockTime(span.at, now, zone), most);
}

const words = (text: string, most: number): string => escape(plain(text, most));
const strong = (markup: string): string => tagged('b', markup);
/** An address has no quotation mark. */
const anchor = (markup: string, url: HttpsUrl): string => (markup.trim() === '' ? markup : `<a href="${escape(url)}">${markup}</a>`);
const tagged = (tag: string, markup: string): string => (markup.trim() === '' ? markup : `<${tag}>${markup}</${tag}>`);
