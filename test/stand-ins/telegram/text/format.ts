/** From what a request carries to what a reader sees: markup parsed, characters cleaned, ends trimmed, links found. */
import type { Feature } from '../control.js';
import type { MessageEntity, User } from 'grammy/types';
import { z } from 'zod';
import { badRequest } from '../refusal.js';
import { detect, overlap } from './detect.js';
import { parseHtml, type Formatted } from './html.js';

export interface Source {
  readonly text: string;
  /** As it came; empty means plain. */
  readonly parseMode: string;
  /** As they came in `entities` or `caption_entities`; read only without a parse mode. */
  readonly entities: unknown;
  /** An account by its id, for links to people; those to strangers are dropped. */
  readonly person: (id: number) => User | undefined;
  /** What the server is too old for. */
  readonly lacks?: ReadonlySet<Feature>;
}

/** More bytes than this are refused before anything is parsed. */
const MOST_BYTES = 32_768;

/** Parses, cleans and trims; what comes out may be empty. Throws the platform's complaints. */
export function format(source: Source): Formatted {
  if (Buffer.byteLength(source.text) > MOST_BYTES) throw badRequest('Text is too long');
  const parsed = parse(source);
  const known = parsed.entities.flatMap((entity) => resolve(entity, source.person));
  const { text, entities } = trimmed(cleaned({ text: parsed.text, entities: known }));
  const solid = entities.filter(({ type }) => type === 'code' || type === 'pre');
  const own = entities.filter((entity) => solid.includes(entity) || !solid.some((code) => overlap(code, entity) && !isQuote(entity)));
  const closedToLinks = own.filter(({ type }) => ['code', 'pre', 'text_link', 'text_mention', 'custom_emoji'].includes(type));
  const links = detect(text).filter((entity) => !closedToLinks.some((other) => overlap(other, entity)));
  return { text, entities: [...own, ...links].toSorted((a, b) => a.offset - b.offset || b.length - a.length) };
}

const isQuote = ({ type }: MessageEntity): boolean => type === 'blockquote' || type === 'expandable_blockquote';

const given = z.array(
  z.object({
    type: z.string(),
    offset: z.coerce.number().int(),
    length: z.coerce.number().int(),
    url: z.string().optional(),
    language: z.string().optional(),
    custom_emoji_id: z.string().optional(),
    user: z.looseObject({ id: z.number() }).optional(),
  }),
);

function parse({ text, parseMode, entities, lacks }: Source): Formatted {
  const mode = parseMode.toLowerCase();
  if (mode === 'html') return parseHtml(text, lacks);
  // The Markdown modes exist on the platform; nobody here speaks them, and a silent plain text would hide a mistake.
  if (mode !== '' && mode !== 'none') throw badRequest('Unsupported parse_mode');
  const read = given.safeParse(entities ?? []);
  if (!read.success) throw badRequest('Can\'t parse MessageEntity: Field "type" must be of type String');
  const inside = read.data.filter(({ offset, length }) => offset >= 0 && length > 0 && offset + length <= text.length);
  return { text, entities: inside as unknown as MessageEntity[] };
}

/** Puts the account into a link to a person; a link to somebody unknown is dropped. */
function resolve(entity: MessageEntity, person: Source['person']): readonly MessageEntity[] {
  if (entity.type !== 'text_mention') return [entity];
  const user = person(entity.user.id);
  return user === undefined ? [] : [{ ...entity, user }];
}

/** Control characters become blanks; carriage returns, line separators, direction marks and stacked lines vanish. */
function cleaned({ text, entities }: Formatted): Formatted {
  const dropped = /[\r\u2028-\u202e]|\u0333|\u033f|\u030a/;
  const kept: string[] = [];
  // Where each old offset stands now.
  const moved: number[] = [];
  for (const unit of text.split('')) {
    moved.push(kept.length);
    if (!dropped.test(unit)) kept.push(/[\u0000-\u0009\u000b-\u001f]/.test(unit) ? ' ' : unit);
  }
  moved.push(kept.length);
  return { text: kept.join(''), entities: entities.flatMap((entity) => between(entity, moved)) };
}

function between(entity: MessageEntity, moved: readonly number[]): readonly MessageEntity[] {
  const from = moved[entity.offset] ?? 0;
  const to = moved[entity.offset + entity.length] ?? from;
  return to > from ? [{ ...entity, offset: from, length: to - from }] : [];
}

/** Blanks at both ends go; leading ones only as far as the first marked stretch. */
function trimmed({ text, entities }: Formatted): Formatted {
  const firstMarked = Math.min(text.length, ...entities.map(({ offset }) => offset));
  const lead = Math.min(firstMarked, text.length - text.trimStart().length);
  const shown = text.slice(lead).trimEnd();
  const moved = Array.from({ length: text.length + 1 }, (_, old) => Math.min(Math.max(0, old - lead), shown.length));
  return { text: shown, entities: entities.flatMap((entity) => between(entity, moved)) };
}
