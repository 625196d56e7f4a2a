/** Renders a reply as Telegram's HTML. Drops rows that do not fit, or splits a long answer into messages. */
import { HOUR, SECOND } from '../../base/clock.js';
import { never } from '../../base/never.js';
import { fit } from '../../chat/fit.js';
import { andMore, footLine } from '../../chat/plain-text.js';
import { TONES, type Block, type Line, type Reply, type Span, type Tone } from '../../chat/reply.js';
import { clockTime } from '../../domain/format.js';
import type { HttpsUrl } from '../../domain/links.js';
import type { Instant } from '../../domain/scalars.js';
import { graphemes, truncateLine } from '../truncate.js';

/** UTF-16 units after entities, https://core.telegram.org/bots/api#sendmessage */
export const MAX_TEXT = 4_096;
/** UTF-16 units after entities, https://core.telegram.org/bots/api#sendphoto */
export const MAX_CAPTION = 1_024;
const MAX_MESSAGES = 3;
/** The most characters of one name or value, so that a long one cannot displace the rest of the line. */
const MAX_SPAN = 400;
/** The value is in characters. */
const MAX_LINE = 1_000;
const MAX_LABEL = 64;
const MAX_VALUE = 128;

/** Renders one message. Leaves out what does not fit: rows first, then blocks. */
export const renderOne = (reply: Reply, now: Instant): string => htmlOf(fit(reply, fits(now)), now);

export const partsOf = (reply: Reply, now: Instant, most = MAX_MESSAGES): readonly Reply[] =>
  most === 1 ? [fit(reply, fits(now))] : split(reply, { fits: fits(now), most });

export const fitsCaption = (reply: Reply, now: Instant): boolean => fits(now, MAX_CAPTION)(reply);

export const captionOf = (reply: Reply, now: Instant): Reply => fit(reply, fits(now, MAX_CAPTION));

const fits =
  (now: Instant, most = MAX_TEXT) =>
  (candidate: Reply): boolean =>
    withoutTags(htmlOf(candidate, now)).length <= most;

/** Returns the text whose length Telegram counts. */
const withoutTags = (markup: string): string =>
  markup
    .replace(/<[^>]*>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

export function htmlOf(reply: Reply, now: Instant): string {
  const foot = footLine(reply, now);
  const reading = { now, zone: reply.zone };
  const lines = reply.blocks.flatMap((block) => renderBlock(block, reading));
  return [
    ...(reply.finding.length === 0 ? [] : [withGlyph(reply.tone, finding(reply.finding, reading))]),
    ...(isFolded(reply, lines) ? [`<blockquote expandable>${lines.join('\n')}</blockquote>`] : lines),
    ...(foot === undefined ? [] : [`<i>${line(foot, reading)}</i>`]),
  ].join('\n');
}

/** A summary with more lines is folded; Telegram then shows its first three lines. */
const MAX_UNFOLDED = 6;

/** A reply with a table is not folded, because a quote breaks the columns. https://core.telegram.org/bots/api#html-style */
const isFolded = ({ isSummary, blocks }: Reply, lines: readonly string[]): boolean =>
  isSummary === true && lines.length > MAX_UNFOLDED && blocks.every(({ kind }) => kind !== 'table');

/** Removes the quote tags; the lines are then shown unfolded. */
export const withoutQuotes = (html: string): string => html.replace(/<\/?blockquote\b[^>]*>/gu, '');

interface Reading {
  readonly now: Instant;
  readonly zone: string | undefined;
}

/** Renders the finding, in bold as a whole if no part of it is emphasised. */
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
  // Telegram does not link text in code, and a tap copies it exactly.
  if ('code' in span) return tagged('code', escape(truncateLine(span.code, most)));
  if ('link' in span) return anchor(words(span.link, most), span.url);
  return localTime(span.at, now, words(clockTime(span.at, now, zone), most));
}

/** Within this distance a time of day is clear without a date in any timezone. */
const NEAR = 12 * HOUR;

/** Clients show the moment in the reader's own timezone; the text is what older ones show. https://core.telegram.org/bots/api#date-time-entity-formatting */
function localTime(at: Instant, now: Instant, text: string): string {
  const seconds = Math.floor(at / SECOND);
  if (!Number.isSafeInteger(seconds) || seconds <= 0) return text;
  return `<tg-time unix="${seconds}" format="${Math.abs(at - now) < NEAR ? 't' : 'dt'}">${text}</tg-time>`;
}

/** Removes the time tags and keeps their texts, which are in the chat's timezone. */
export const withoutLocalTimes = (html: string): string => html.replace(/<\/?tg-time\b[^>]*>/gu, '');

const words = (text: string, most: number): string => escape(plain(text, most));
const strong = (markup: string): string => tagged('b', markup);
/** An `HttpsUrl` cannot hold a quotation mark, so only "&" must be escaped. */
const anchor = (markup: string, url: HttpsUrl): string => (markup.trim() === '' ? markup : `<a href="${escape(url)}">${markup}</a>`);
const tagged = (tag: string, markup: string): string => (markup.trim() === '' ? markup : `<${tag}>${markup}</${tag}>`);

/** Splits a reply into at most `most` messages. The last one has what still fits, the buttons and the age. */
function split(reply: Reply, { fits, most }: { fits: (candidate: Reply) => boolean; most: number }): readonly Reply[] {
  if (fits(reply)) return [reply];
  const parts: Reply[] = [];
  const { asOf: _age, stale: _why, ...rest } = reply;
  let part: Reply = { ...rest, blocks: [], links: [], actions: [], fields: [] };
  const pieces = reply.blocks.flatMap(piecesOf);
  for (const [index, piece] of pieces.entries()) {
    const longer = append(part, piece);
    if (fits(longer) || part.blocks.length === 0) {
      part = longer;
      continue;
    }
    if (parts.length === most - 2) {
      const left = pieces.slice(index).reduce(append, { ...reply, finding: [], tone: 'plain', blocks: [] });
      return [...parts, part, fit(left, fits)];
    }
    parts.push(part);
    part = append({ ...part, finding: [], tone: 'plain', blocks: [] }, piece);
  }
  const last = { ...reply, finding: part.finding, tone: part.tone, blocks: part.blocks };
  return [...parts, fit(last, fits)];
}

function piecesOf(block: Block): readonly Block[] {
  switch (block.kind) {
    case 'line':
      return [block];
    case 'figures':
      return block.items.map((item) => ({ ...block, items: [item] }));
    case 'list':
      return block.items.map((item, index) => ({ ...block, items: [item], more: index === block.items.length - 1 ? block.more : 0 }));
    case 'table':
      return block.rows.map((row, index) => ({ ...block, rows: [row], more: index === block.rows.length - 1 ? block.more : 0 }));
    default:
      return [block];
  }
}

function append(reply: Reply, piece: Block): Reply {
  const before = reply.blocks.slice(0, -1);
  const last = reply.blocks.at(-1);
  const grown = last === undefined ? undefined : grow(last, piece);
  return { ...reply, blocks: grown === undefined ? [...reply.blocks, piece] : [...before, grown] };
}

function grow(last: Block, piece: Block): Block | undefined {
  if (last.kind === 'figures' && piece.kind === 'figures') return { ...last, items: [...last.items, ...piece.items] };
  if (last.kind === 'list' && piece.kind === 'list')
    return { ...last, items: [...last.items, ...piece.items], more: last.more + piece.more };
  if (last.kind === 'table' && piece.kind === 'table' && last.columns === piece.columns)
    return { ...last, rows: [...last.rows, ...piece.rows], more: last.more + piece.more };
  return undefined;
}

/** The characters that fit one line on a narrow phone. */
const PHONE_COLUMNS = 34;
const MAX_CELL = 64;
const GAP = '  ';

type Table = Extract<Block, { kind: 'table' }>;

function table(block: Table): readonly string[] {
  const rows = [block.columns.map(({ title }) => title), ...block.rows].map((row) =>
    block.columns.map((_, index) => truncateLine(row[index] ?? '', MAX_CELL)),
  );
  const widths = block.columns.map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] ?? ''))));
  const width = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1);
  if (width > PHONE_COLUMNS) return block.rows.map((row) => asLine(block, row));
  const lines = rows.map((row) =>
    row
      .map((cell, index) => {
        const room = ' '.repeat((widths[index] ?? 0) - widthOf(cell));
        return block.columns[index]?.align === 'right' ? room + cell : cell + room;
      })
      .join(GAP)
      .trimEnd(),
  );
  return [`<pre>${escape(lines.join('\n'))}</pre>`];
}

function asLine({ columns }: Table, row: readonly string[]): string {
  const [name = '', ...cells] = row.map((cell) => escape(plain(cell, MAX_CELL)));
  const rest = cells
    .flatMap((cell, index) => (cell.trim() === '' ? [] : [`${escape(plain(columns[index + 1]?.title ?? '', MAX_CELL))} ${cell}`.trim()]))
    .join(' · ');
  const head = name.trim() === '' ? 'n/a' : name;
  return rest === '' ? `<b>${head}</b>` : `<b>${head}</b>: ${rest}`;
}

const JOINER = '\u2060';
const MENTION = /@(?=[\p{L}\p{N}_])/gu;
const LINK = /(?<=[\p{L}\p{N}_-])\.(?=\p{L})|:(?=\/\/)/gu;

/** Makes external text plain: an invisible joiner keeps Telegram from linking mentions and addresses in it. */
export const plain = (text: string, most: number): string =>
  truncateLine(text, most)
    .replace(MENTION, `@${JOINER}`)
    .replace(LINK, (mark) => (mark === '.' ? `${JOINER}.` : `:${JOINER}`));

const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115e\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** Texts in which each unit is one column. Most cells are such, and splitting them took a fifth of the time of an answer with a table. */
const NARROW = /^[ -~–—…−]*$/u;

/** The width in columns of a fixed-width font. */
const widthOf = (text: string): number =>
  NARROW.test(text) ? text.length : graphemes(text).reduce((width, one) => width + (WIDE.test(one) ? 2 : 1), 0);

/** https://core.telegram.org/bots/api#html-style */
export const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
