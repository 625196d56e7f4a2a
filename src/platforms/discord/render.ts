/** Renders a reply as a first line and one embed. Drops rows that do not fit. */
import type { APIEmbed, APIEmbedField } from 'discord.js';
import { capitalised } from '../../base/sentence-lists.js';
import { never } from '../../base/never.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { fit } from '../../chat/fit.js';
import { andMore } from '../../chat/plain-text.js';
import { TONES, type Block, type Line, type Reply, type Tone } from '../../chat/reply.js';
import { truncateLine } from '../truncate.js';
import {
  BLANK,
  MAX_LABEL,
  MAX_LINE,
  type CommandIds,
  emphasised,
  firstLine,
  line,
  phoneTable,
  plain,
  rowField,
  rowLine,
  small,
  strong,
  withGlyph,
} from './markup.js';

const MAX_VALUE = 128;
/** The value is in characters. Escaping at most doubles them, and Discord accepts 256. */
const MAX_TITLE = 120;

export const COLOURS: Readonly<Record<Tone, number>> = {
  up: 0x2f9e6e,
  down: 0xc8504f,
  live: 0x3d7fc4,
  over: 0x8b929c,
  warning: 0xd8942f,
  plain: 0x56616f,
};

const NO_IDS: CommandIds = new Map();

export interface Rendered {
  /** The first line; empty if the reply has no finding. */
  readonly content: string;
  /** Undefined if the content is the whole reply. */
  readonly embed: APIEmbed | undefined;
}

/** Renders a reply. Mentions are only in the embed, because a notification shows the first line without rendering it. */
export function rendered(reply: Reply, ids: CommandIds = NO_IDS): Rendered {
  const { content, isWhole } = firstLine(reply);
  // A first line that was cut is repeated in full in the embed.
  const rest = isWhole ? [] : [withGlyph(reply.tone, line(emphasised(reply.finding)))];
  const around = surroundings(reply);
  const inFields = { ...around, ...laidOut(reply.blocks, { above: rest, ids }) };
  const whole = fitsEmbed(inFields) ? inFields : { ...around, ...inLines(reply, { above: rest, ids }) };
  const { title, description, fields, footer } = whole;
  const isEmpty = [title, description, fields, footer].every((part) => part === undefined);
  const embed = isEmpty ? undefined : { color: COLOURS[reply.tone], ...whole };
  return { content: content === '' && embed === undefined ? '…' : content, embed };
}

/** Returns the title and the footer of the embed. */
function surroundings(reply: Reply): APIEmbed {
  const { subject, asOf } = reply;
  const title = subject === undefined ? '' : plain(subject.name, MAX_TITLE).trim();
  const footer = footerText(reply);
  return omitUndefined({
    title: title === '' ? undefined : title,
    url: title === '' ? undefined : subject?.url,
    footer: footer === undefined ? undefined : { text: footer },
    timestamp: asOf === undefined ? undefined : isoOf(asOf),
  });
}

/** Writes the footer. Clients add the time from the embed's timestamp. */
function footerText({ asOf, old = false, stale }: Pick<Reply, 'asOf' | 'old' | 'stale'>): string | undefined {
  const cause = stale === undefined ? '' : truncateLine(stale, MAX_LINE).trim();
  if (asOf === undefined) return cause === '' ? undefined : withGlyph('warning', cause);
  return cause === '' ? withGlyph(old ? 'warning' : 'plain', 'Updated') : withGlyph('warning', `${cause} Showing data from`);
}

/** The last moment that a Date can hold. */
const LAST = 8.64e15;
const isoOf = (at: number): string => new Date(Math.max(-LAST, Math.min(LAST, at))).toISOString();

type Parts = Pick<APIEmbed, 'description' | 'fields'>;

const partsOf = (lines: readonly string[], fields: readonly APIEmbedField[]): Parts => {
  const description = lines.join('\n');
  return omitUndefined({
    description: description.trim() === '' ? undefined : description,
    fields: fields.length === 0 ? undefined : [...fields],
  });
};

interface Surroundings {
  readonly above: readonly string[];
  readonly ids: CommandIds;
}

/** Puts blocks into the description up to the first measurements or wide table, and the rest into fields. */
function laidOut(blocks: readonly Block[], { above, ids }: Surroundings): Parts {
  const description = [...above];
  const fields: APIEmbedField[] = [];
  let pending: Unit[] = [];
  const flush = (): void => {
    fields.push(...fieldsOf(pending));
    pending = [];
  };
  for (const block of blocks) {
    const own = ownFields(block);
    if (own !== undefined) {
      flush();
      fields.push(...own);
      if (block.kind === 'table') pending.push(...andMore(block.more).map((text) => ({ lines: [text] })));
    } else if (fields.length === 0) description.push(...linesOf(units(block, ids)));
    else pending.push(...units(block, ids));
  }
  flush();
  return partsOf(description, fields);
}

function ownFields(block: Block): readonly APIEmbedField[] | undefined {
  if (block.kind === 'figures')
    return block.items.map(({ label, value }) => ({
      name: shown(capitalised(plain(label, MAX_LABEL)), BLANK),
      value: shown(plain(value, MAX_VALUE), 'n/a'),
      inline: true,
    }));
  return block.kind === 'table' && phoneTable(block) === undefined ? block.rows.map((row) => rowField(block, row)) : undefined;
}

const shown = (text: string, otherwise: string): string => (text.trim() === '' ? otherwise : text);

/** Builds the fields. A heading becomes the name of its field. */
function fieldsOf(all: readonly Unit[]): readonly APIEmbedField[] {
  const fields: APIEmbedField[] = [];
  for (const { lines, heading } of all) {
    const text = lines.join('\n');
    const last = fields.at(-1);
    if (heading !== undefined) fields.push({ name: heading, value: '' });
    else if (last !== undefined && last.value.length + 1 + text.length <= MAX_FIELD_VALUE)
      last.value += last.value === '' ? text : `\n${text}`;
    else fields.push({ name: BLANK, value: text });
  }
  return fields
    .map(({ name, value }) => ({ name, value: shown(value, BLANK) }))
    .filter(({ name, value }) => name !== BLANK || value !== BLANK);
}

function inLines(reply: Reply, { above, ids }: Surroundings): Parts {
  const markdown = (of: Reply): string => [...above, ...of.blocks.flatMap((block) => plainLines(block, ids))].join('\n');
  return partsOf([markdown(fit(reply, (candidate) => markdown(candidate).length <= MAX_DESCRIPTION))], []);
}

function plainLines(block: Block, ids: CommandIds): readonly string[] {
  if (block.kind === 'figures')
    return [block.items.map(({ label, value }) => `${plain(label, MAX_LABEL)} ${strong(plain(value, MAX_VALUE))}`).join(' · ')];
  if (block.kind === 'table') return [...(phoneTable(block) ?? block.rows.map((row) => rowLine(block, row))), ...andMore(block.more)];
  return linesOf(units(block, ids));
}

interface Unit {
  readonly lines: readonly string[];
  /** The first line of the unit, if it is emphasised as a whole. */
  readonly heading?: string;
}

const linesOf = (all: readonly Unit[]): readonly string[] => all.flatMap(({ lines }) => lines);

function units(block: Block, ids: CommandIds): readonly Unit[] {
  switch (block.kind) {
    case 'line':
      return [omitUndefined({ lines: [line(block.line, ids)], heading: headingOf(block.line) })];
    case 'list':
      return [
        ...block.items.map((item) => ({
          lines: [
            `${TONES[item.tone] === '' ? '•' : TONES[item.tone]} ${line(item.line, ids)}`,
            ...(item.detail === undefined ? [] : [small(line(item.detail, ids))]),
          ],
        })),
        ...andMore(block.more).map((text) => ({ lines: [text] })),
      ];
    case 'figures':
    case 'table':
      return [{ lines: plainLines(block, ids) }];
    default:
      return never(block);
  }
}

function headingOf([span, ...others]: Line): string | undefined {
  if (span === undefined || others.length > 0 || typeof span === 'string' || !('strong' in span)) return undefined;
  const text = plain(span.strong, MAX_TITLE);
  return text.trim() === '' || text.endsWith('…') ? undefined : text;
}

const MAX_DESCRIPTION = 4_096;
const MAX_FIELDS = 25;
const MAX_FIELD_VALUE = 1_024;
const MAX_FIELD_NAME = 256;
/** The most characters of all embeds of a message together. */
const MAX_TOTAL = 6_000;

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
function fitsEmbed({ title = '', description = '', fields = [], footer }: APIEmbed): boolean {
  const inFields = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  return (
    description.length <= MAX_DESCRIPTION &&
    fields.length <= MAX_FIELDS &&
    fields.every(({ name, value }) => name.length <= MAX_FIELD_NAME && value.length <= MAX_FIELD_VALUE) &&
    title.length + description.length + inFields + (footer?.text.length ?? 0) <= MAX_TOTAL
  );
}
