/** A reply as one embed; drops rows that do not fit. Pure. */
import type { APIEmbed } from 'discord.js';
import { never } from '../../base/never.js';
import { fit } from '../../chat/fit.js';
import { TONES, type Block, type Line, type Reply, type Span, type Tone } from '../../chat/reply.js';
import { andMore, columns } from '../../chat/text.js';
import type { Instant } from '../../domain/scalars.js';
import { inCode, plain } from './escape.js';

/** Characters, https://docs.discord.com/developers/resources/message#embed-object-embed-limits; all of an embed may have 6,000. */
const MAX_DESCRIPTION = 4_096;
/** Characters, so that a name cannot displace the rest. */
const MAX_SPAN = 300;
/** Characters before escaping, which at most doubles it, so that the finding always fits. */
const MAX_LINE = 1_000;
const MAX_LABEL = 64;
const MAX_VALUE = 128;
const MAX_CELL = 60;
/** Characters; a phone shows fewer and scrolls or wraps. */
const EMBED_COLUMNS = 52;

const COLOURS: Readonly<Record<Tone, number>> = {
  up: 0x2f9e6e,
  down: 0xc8504f,
  live: 0x3d7fc4,
  over: 0x8b929c,
  warning: 0xd8942f,
  plain: 0x56616f,
};

export function embedOf(reply: Reply): APIEmbed {
  const description = markdown(fit(reply, (candidate) => markdown(candidate).length <= MAX_DESCRIPTION));
  return { color: COLOURS[reply.tone], description: description === '' ? '…' : description };
}

const markdown = (reply: Reply): string =>
  [
    ...(reply.finding.length === 0 ? [] : [withGlyph(reply.tone, finding(reply.finding))]),
    ...reply.blocks.flatMap(renderBlock),
    ...foot(reply),
  ].join('\n');

/** A finding without an emphasised part is emphasised whole. */
const finding = (spans: Line): string =>
  line(
    spans.some((span) => typeof span !== 'string' && 'strong' in span)
      ? spans
      : spans.map((span) => (typeof span === 'string' ? { strong: span } : span)),
  );

function renderBlock(block: Block): readonly string[] {
  switch (block.kind) {
    case 'line':
      return [line(block.line)];
    case 'figures':
      return [block.items.map(({ label, value }) => `${plain(label, MAX_LABEL)} ${strong(plain(value, MAX_VALUE))}`).join(' · ')];
    case 'list':
      return [
        ...block.items.flatMap((item) => [
          `${TONES[item.tone] === '' ? '•' : TONES[item.tone]} ${line(item.line)}`,
          ...(item.detail === undefined ? [] : [small(line(item.detail))]),
        ]),
        ...andMore(block.more),
      ];
    case 'table':
      return [...table(block), ...andMore(block.more)];
    default:
      return never(block);
  }
}

type Table = Extract<Block, { kind: 'table' }>;

function table(block: Table): readonly string[] {
  const lines = columns(cells(block));
  if (lines.some((row) => [...row].length > EMBED_COLUMNS)) return block.rows.map((row) => asLine(block, row));
  return [`\`\`\`\n${lines.join('\n')}\n\`\`\``];
}

function asLine({ columns: titles }: Table, row: readonly string[]): string {
  const [name = '', ...others] = row.map((cell) => plain(cell, MAX_CELL));
  const rest = others
    .flatMap((cell, index) => (cell.trim() === '' ? [] : [`${plain(titles[index + 1]?.title ?? '', MAX_CELL)} ${cell}`.trim()]))
    .join(' · ');
  const head = strong(name.trim() === '' ? 'n/a' : name);
  return rest === '' ? head : `${head}: ${rest}`;
}

const cells = (table: Table): Table => ({
  ...table,
  columns: table.columns.map((column) => ({ ...column, title: inCode(column.title, MAX_CELL) })),
  rows: table.rows.map((row) => row.map((cell) => inCode(cell, MAX_CELL))),
});

function foot({ asOf, old = false, stale }: Reply): readonly string[] {
  if (asOf === undefined) return stale === undefined ? [] : [small(plain(stale, MAX_LINE))];
  const age = moment(asOf);
  if (stale !== undefined) return [small(`${plain(stale, MAX_LINE)} Showing data from ${age}.`)];
  return [small(withGlyph(old ? 'warning' : 'plain', `Updated ${age}`))];
}

const withGlyph = (tone: Tone, text: string): string => (TONES[tone] === '' ? text : `${TONES[tone]} ${text}`);

function line(spans: Line): string {
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
  return moment(span.at);
}

/** Characters. */
const MOMENT_LENGTH = 20;

const lengthOf = (span: Span): number => {
  if (typeof span === 'string') return span.length;
  if ('strong' in span) return span.strong.length;
  if ('link' in span) return span.link.length;
  return 'code' in span ? span.code.length : MOMENT_LENGTH;
};

/** Clients keep it current. https://docs.discord.com/developers/reference#message-formatting */
const moment = (at: Instant): string => `<t:${Math.floor(at / 1_000)}:R>`;

/** Only its text where there is no room. The brackets suppress a preview; an address has none of its own. */
function masked({ link, url }: Extract<Span, { link: string }>, most: number): string {
  const text = plain(link, MAX_LABEL);
  return text.trim() === '' || text.length + url.length + LINK_MARKUP > most ? plain(link, most) : `[${text}](<${url}>)`;
}
const LINK_MARKUP = '[](<>)'.length;

const small = (markup: string): string => `-# ${markup}`;
const strong = (markup: string): string => (markup.trim() === '' ? markup : `**${markup}**`);
const code = (text: string): string => (text.trim() === '' ? '' : `\`${text}\``);
