/** Renders lines and tables as Discord's Markdown and escapes external text. */
import type { APIEmbedField } from 'discord.js';
import { columns } from '../../chat/plain-text.js';
import { TONES, type Block, type Line, type Reply, type Span, type Tone } from '../../chat/reply.js';
import type { Instant } from '../../domain/scalars.js';
import { truncateLine } from '../truncate.js';

/** The most characters of one name or value, so that a long one cannot displace the rest of the line. */
const MAX_SPAN = 300;
/** The value is in characters. Escaping at most doubles them, so the finding always fits. */
export const MAX_LINE = 1_000;
export const MAX_LABEL = 64;

export const withGlyph = (tone: Tone, text: string): string => (TONES[tone] === '' ? text : `${TONES[tone]} ${text}`);

/** Emphasises the whole finding if no part of it is emphasised. */
export const emphasised = (spans: Line): Line =>
  spans.some((span) => typeof span !== 'string' && 'strong' in span)
    ? spans
    : spans.map((span) => (typeof span === 'string' ? { strong: span } : span));

/** The ids of the registered slash commands by name; empty until they are known. */
export type CommandIds = ReadonlyMap<string, string>;

/** Renders a line. With ids, that is in an embed, a span that is exactly a command, a role or a person becomes its mention. */
export function line(spans: Line, ids?: CommandIds): string {
  let left = MAX_LINE;
  return spans.reduce<string>((before, span) => {
    if (left <= 0) return before;
    const mention = ids === undefined ? undefined : mentionOf(span, ids);
    if (mention !== undefined && mention.length <= left) {
      left -= mention.length;
      return before + mention;
    }
    const piece = renderSpan(span, typeof span !== 'string' && 'link' in span ? left : Math.min(left, MAX_SPAN));
    left -= Math.min(left, typeof span !== 'string' && 'link' in span ? piece.length : Math.min(lengthOf(span), MAX_SPAN));
    // Discord reads four stars in a row as plain text, so a joiner separates them.
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

const ROLE_OR_PERSON = /^<@&?\d{1,20}>$/u;

/**
 * Returns undefined for a command with arguments, because a mention cannot hold any. Mentions in an embed show a name and notify nobody.
 * https://docs.discord.com/developers/reference#message-formatting
 */
function mentionOf(span: Span, ids: CommandIds): string | undefined {
  if (typeof span === 'string' || !('code' in span)) return undefined;
  if (ROLE_OR_PERSON.test(span.code)) return span.code;
  if (!span.code.startsWith('/')) return undefined;
  const id = ids.get(span.code.slice(1));
  return id === undefined ? undefined : `<${span.code}:${id}>`;
}

/** The value is in characters. */
const MOMENT_LENGTH = 20;

const lengthOf = (span: Span): number => {
  if (typeof span === 'string') return span.length;
  if ('strong' in span) return span.strong.length;
  if ('link' in span) return span.link.length;
  return 'code' in span ? span.code.length : MOMENT_LENGTH;
};

/** Writes a timestamp that clients keep current. https://docs.discord.com/developers/reference#message-formatting */
const moment = ({ at, exact }: Extract<Span, { at: Instant }>): string => `<t:${Math.floor(at / 1_000)}:${exact === true ? 'f' : 'R'}>`;

/** Writes a link, or only its text if there is no room. The angle brackets suppress the preview. */
function masked({ link, url }: Extract<Span, { link: string }>, most: number): string {
  const text = plain(link, MAX_LABEL);
  return text.trim() === '' || text.length + url.length + LINK_MARKUP > most ? plain(link, most) : `[${text}](<${url}>)`;
}
const LINK_MARKUP = '[](<>)'.length;

export const small = (markup: string): string => `-# ${markup}`;
export const strong = (markup: string): string => (markup.trim() === '' ? markup : `**${markup}**`);
const code = (text: string): string => (text.trim() === '' ? '' : `\`${text}\``);

/** The most characters with their markup. Phones show fewer; Discord accepts 2,000. */
export const MAX_FIRST_LINE = 300;

export interface FirstLine {
  /** The first line; empty if the finding shows nothing. */
  readonly content: string;
  readonly isWhole: boolean;
}

/** Renders the finding for a notification, which shows links and mentions as raw markup; links become text. */
export function firstLine({ tone, finding }: Pick<Reply, 'tone' | 'finding'>): FirstLine {
  const spans = emphasised(finding).map((span) => (typeof span !== 'string' && 'link' in span ? span.link : span));
  const render = (some: Line): string => {
    const text = line(some);
    return text.trim() === '' ? '' : withGlyph(tone, text);
  };
  const whole = render(spans);
  const isCut = spans.reduce((sum, span) => sum + lengthOf(span), 0) > MAX_FIRST_LINE;
  if (!isCut && whole.length <= MAX_FIRST_LINE) return { content: whole, isWhole: true };
  let most = MAX_FIRST_LINE;
  let content = render(clipped(spans, most));
  // Escaping at most doubles the text, so the loop ends after a few rounds.
  while (content.length > MAX_FIRST_LINE && most > 1) {
    most -= Math.ceil(Math.max(1, (content.length - MAX_FIRST_LINE) / 2));
    content = render(clipped(spans, Math.max(1, most)));
  }
  return { content: content.length > MAX_FIRST_LINE ? '' : content, isWhole: false };
}

/** Cuts the line to this length and puts "…" in place of the rest. */
function clipped(spans: Line, most: number): Line {
  let left = most;
  return spans.flatMap((span, index) => {
    if (left <= 0) return [];
    const length = lengthOf(span);
    const room = left;
    left -= length;
    if (length < room || (length === room && index === spans.length - 1)) return [span];
    left = 0;
    return [shortened(span, room)];
  });
}

function shortened(span: Span, most: number): Span {
  if (typeof span === 'string') return shorter(span, most);
  if ('strong' in span) return { strong: shorter(span.strong, most) };
  if ('code' in span) return { code: shorter(span.code, most) };
  return '…';
}

const shorter = (text: string, most: number): string => truncateLine(`${text}…`, Math.min(most, Math.max(1, text.length)));

export type TableBlock = Extract<Block, { kind: 'table' }>;

const MAX_CELL = 60;
const MAX_COLUMNS = 3;
/** How many characters of code fit in one line of an embed on a phone. */
const PHONE_WIDTH = 38;

/** Returns the table's lines; undefined if a phone would wrap them. */
export function phoneTable(table: TableBlock): readonly string[] | undefined {
  if (table.columns.length > MAX_COLUMNS) return undefined;
  const lines = columns(cells(table));
  return lines.some((row) => [...row].length > PHONE_WIDTH) ? undefined : ['```', ...lines, '```'];
}

export function rowLine(table: TableBlock, row: readonly string[]): string {
  const { name, rest } = partsOf(table, row);
  return rest === '' ? strong(name) : `${strong(name)}: ${rest}`;
}

export function rowField(table: TableBlock, row: readonly string[]): APIEmbedField {
  const { name, rest } = partsOf(table, row);
  return { name, value: rest === '' ? BLANK : rest };
}

/** The text for an empty name or value, which Discord refuses. */
export const BLANK = '\u200b';

function partsOf({ columns: titles }: TableBlock, row: readonly string[]): { readonly name: string; readonly rest: string } {
  const [name = '', ...others] = row.map((cell) => plain(cell, MAX_CELL));
  const rest = others
    .flatMap((cell, index) => (cell.trim() === '' ? [] : [`${plain(titles[index + 1]?.title ?? '', MAX_CELL)} ${cell}`.trim()]))
    .join(' · ');
  return { name: name.trim() === '' ? 'n/a' : name, rest };
}

const cells = (table: TableBlock): TableBlock => ({
  ...table,
  columns: table.columns.map((column) => ({ ...column, title: inCode(column.title, MAX_CELL) })),
  rows: table.rows.map((row) => row.map((cell) => inCode(cell, MAX_CELL))),
});

const MARKUP = /[\\*_~`|<>[\]#@]/gu;
/** The "://" colon. Without it Discord does not link a bare address. */
const SCHEME = /:(?=\/\/)/gu;
const BULLET = /^(\s*)-(?=\s|$)/u;
const NUMBER = /^(\s*\d+)\.(?=\s|$)/u;

export const plain = (text: string, most: number): string =>
  truncateLine(text, most).replace(MARKUP, '\\$&').replace(SCHEME, '\\:').replace(BULLET, '$1\\-').replace(NUMBER, '$1\\.');

/** Replaces backticks, because Discord has no escapes in code. */
export const inCode = (text: string, most: number): string => truncateLine(text, most).replaceAll('`', '\u02cb');
