/** `parse_mode: HTML` as the platform reads it: its tags, its entities, its complaints, with offsets counted in bytes. */
import type { MessageEntity } from 'grammy/types';
import type { Feature } from '../control.js';
import { badRequest, type Refusal } from '../refusal.js';
import { checkedLink, linkedPerson } from './links.js';

/** Text without markup, and where the markup was. Offsets and lengths are UTF-16 units. */
export interface Formatted {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

const TAGS: Readonly<Record<string, MessageEntity['type'] | 'link'>> = {
  a: 'link',
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
  'tg-emoji': 'custom_emoji',
  'tg-time': 'date_time',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
};

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

interface Open {
  readonly tag: string;
  readonly argument: string;
  /** Of a time: how it is shown. */
  readonly format: string;
  readonly at: number;
}

/** A stretch that closed: `code` keeps its language until it is known whether a `pre` stands around it. */
type Closed = MessageEntity & { argument?: string };

const complaint = (words: string): Refusal => badRequest(`can't parse entities: ${words}`);

/** Reads markup, or throws the platform's own complaint about it. */
export function parseHtml(source: string, lacks: ReadonlySet<Feature> = new Set()): Formatted {
  const open: Open[] = [];
  const closed: Closed[] = [];
  let text = '';
  let at = 0;
  while (at < source.length) {
    const character = source.charAt(at);
    if (character === '&') {
      const [decoded, next] = readEntity(source, at);
      text += decoded;
      at = next;
    } else if (character !== '<') {
      text += character;
      at += 1;
    } else if (source[at + 1] === '/') {
      at = closeTag({ source, at, open, closed, text });
    } else {
      const [tag, next] = openTag(source, at, lacks);
      open.push({ ...tag, at: text.length });
      at = next;
    }
  }
  const left = open.at(-1);
  if (left) throw complaint(`Can't find end tag corresponding to start tag "${left.tag}"`);
  if (/\p{Cs}/u.test(text))
    throw complaint('Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units');
  return { text, entities: closed.map(({ argument: _argument, ...entity }) => entity) };
}

/** The character behind `&…;` (the semicolon may be missing) and where to go on; what is no entity stays an ampersand. */
function readEntity(source: string, at: number): readonly [string, number] {
  const [whole, hex, decimal, name] = /^&(?:#x([0-9a-f]*)|#([0-9]*)|([a-z]*))/i.exec(source.slice(at, at + 40)) ?? ['&'];
  const next = at + whole.length + (source[at + whole.length] === ';' ? 1 : 0);
  if (name !== undefined) {
    const character = NAMED[name];
    return character === undefined ? ['&', at + 1] : [character, next];
  }
  const code = hex === undefined ? Number(decimal ?? '0') : Number.parseInt(hex === '' ? '0' : hex, 16);
  return code === 0 || code >= 0x10_ff_ff || whole.length >= 10 ? ['&', at + 1] : [String.fromCodePoint(code), next];
}

const bytesBefore = (source: string, at: number): number => Buffer.byteLength(source.slice(0, at));
const isSpace = (character: string | undefined): boolean => character === undefined || /[ \t\r\n\v\0]/.test(character);

function skip(source: string, from: number, while_: (character: string | undefined) => boolean): number {
  let at = from;
  while (at < source.length && while_(source[at])) at += 1;
  return at;
}

/** The tags that older servers do not know. */
const LATER: Readonly<Record<string, Feature>> = { 'tg-time': 'local-times', blockquote: 'quotes' };

function openTag(
  source: string,
  begin: number,
  lacks: ReadonlySet<Feature>,
): readonly [{ tag: string; argument: string; format: string }, number] {
  const offset = bytesBefore(source, begin);
  let at = skip(source, begin + 1, (c) => !isSpace(c) && c !== '>');
  if (at >= source.length) throw complaint(`Unclosed start tag at byte offset ${offset}`);
  const tag = source.slice(begin + 1, at).toLowerCase();
  const feature = LATER[tag];
  if (!Object.hasOwn(TAGS, tag) || (feature !== undefined && lacks.has(feature)))
    throw complaint(`Unsupported start tag "${tag}" at byte offset ${offset}`);
  let argument = '';
  let format = '';
  for (;;) {
    at = skip(source, at, isSpace);
    if (source[at] === '>') break;
    const nameAt = at;
    at = skip(source, at, (c) => !isSpace(c) && !/[=>/"']/.test(c ?? ''));
    const name = source.slice(nameAt, at);
    if (name === '') throw complaint(`Empty attribute name in the tag "${tag}" at byte offset ${offset}`);
    at = skip(source, at, isSpace);
    if (at >= source.length) throw complaint(`Unclosed start tag "${tag}" at byte offset ${offset}`);
    if (source[at] !== '=') {
      if (tag === 'blockquote' && name === 'expandable') argument = '1';
      continue;
    }
    const [value, next] = readValue({ source, at: at + 1, tag, offset });
    at = next;
    argument = argumentOf(tag, name, value) ?? argument;
    if (tag === 'tg-time' && name === 'format') format = value;
  }
  if (tag === 'span' && argument !== 'spoiler') throw complaint(`Tag "span" must have class "tg-spoiler" at byte offset ${offset}`);
  return [{ tag, argument, format }, at + 1];
}

function readValue(where: { source: string; at: number; tag: string; offset: number }): readonly [string, number] {
  const { source, tag, offset } = where;
  let at = skip(source, where.at, isSpace);
  const quote = source[at];
  if (quote === undefined) throw complaint(`Unclosed start tag "${tag}" at byte offset ${offset}`);
  if (quote !== '"' && quote !== "'") {
    const begin = at;
    at = skip(source, at, (c) => /[A-Za-z0-9.-]/.test(c ?? ''));
    if (!isSpace(source[at]) && source[at] !== '>')
      throw complaint(`Unexpected end of name token at byte offset ${bytesBefore(source, begin)}`);
    if (at >= source.length) throw complaint(`Unclosed start tag at byte offset ${offset}`);
    return [source.slice(begin, at).toLowerCase(), at];
  }
  let value = '';
  at += 1;
  while (at < source.length && source[at] !== quote) {
    if (source[at] === '&') {
      const [decoded, next] = readEntity(source, at);
      value += decoded;
      at = next;
    } else {
      value += source.charAt(at);
      at += 1;
    }
  }
  if (at + 1 >= source.length) throw complaint(`Unclosed start tag at byte offset ${offset}`);
  return [value, at + 1];
}

function argumentOf(tag: string, name: string, value: string): string | undefined {
  if (tag === 'a' && name === 'href') return value;
  if (tag === 'code' && name === 'class' && value.startsWith('language-')) return value.slice(9);
  if (tag === 'span' && name === 'class' && value.startsWith('tg-')) return value.slice(3);
  if (tag === 'tg-emoji' && name === 'emoji-id') return value;
  if (tag === 'tg-time' && name === 'unix') return value;
  if (tag === 'blockquote' && name === 'expandable') return '1';
  return undefined;
}

function closeTag(where: { source: string; at: number; open: Open[]; closed: Closed[]; text: string }): number {
  const { source, open, closed, text } = where;
  const offset = bytesBefore(source, where.at);
  const last = open.at(-1);
  if (!last) throw complaint(`Unexpected end tag at byte offset ${offset}`);
  let at = skip(source, where.at + 2, (c) => !isSpace(c) && c !== '>');
  const name = source.slice(where.at + 2, at).toLowerCase();
  at = skip(source, at, isSpace);
  if (source[at] !== '>') throw complaint(`Unclosed end tag at byte offset ${offset}`);
  if (name !== '' && name !== last.tag)
    throw complaint(`Unmatched end tag at byte offset ${offset}, expected "</${last.tag}>", found "</${name}>"`);
  open.pop();
  const length = text.length - last.at;
  if (length > 0) addEntity(closed, last, length, text.slice(last.at));
  return at + 1;
}

type TimeFormat = MessageEntity.DateTimeMessageEntity['date_time_format'];

/** https://core.telegram.org/bots/api#date-time-entity-formatting */
const isTimeFormat = (format: string): format is TimeFormat => /^(?:r|w?[dD]?[tT]?)$/.test(format);

function addEntity(closed: Closed[], { tag, argument, format, at: offset }: Open, length: number, inner: string): void {
  const type = TAGS[tag];
  const before = closed.at(-1);
  const covers = before?.offset === offset && before.length === length;
  if (type === 'link') {
    const address = argument === '' ? inner : argument;
    const user = linkedPerson(address);
    const url = user === undefined ? checkedLink(address) : undefined;
    // Whether such a person exists is not known here: `format` puts the account in, or drops the link.
    if (user !== undefined) closed.push({ type: 'text_mention', offset, length, user: { id: user, is_bot: false, first_name: '' } });
    else if (url !== undefined) closed.push({ type: 'text_link', offset, length, url });
  } else if (type === 'custom_emoji') {
    if (!/^[1-9][0-9]*$/.test(argument)) throw complaint('Invalid custom emoji identifier specified');
    closed.push({ type, offset, length, custom_emoji_id: argument });
  } else if (type === 'date_time') {
    if (!isTimeFormat(format)) throw complaint(`Invalid date-time format "${format}"`);
    if (/^[1-9][0-9]*$/.test(argument)) closed.push({ type, offset, length, unix_time: Number(argument), date_time_format: format });
  } else if (tag === 'pre' && covers && before.type === 'code' && before.argument !== undefined) {
    closed[closed.length - 1] = { type: 'pre', offset, length, language: before.argument };
  } else if (tag === 'code' && covers && before.type === 'pre' && argument !== '') {
    closed[closed.length - 1] = { type: 'pre', offset, length, language: argument };
  } else if (tag === 'code') {
    closed.push({ type: 'code', offset, length, ...(argument === '' ? {} : { argument }) });
  } else if (tag === 'blockquote') {
    closed.push({ type: argument === '' ? 'blockquote' : 'expandable_blockquote', offset, length });
  } else if (
    type === 'bold' ||
    type === 'italic' ||
    type === 'underline' ||
    type === 'strikethrough' ||
    type === 'spoiler' ||
    type === 'pre'
  ) {
    closed.push({ type, offset, length });
  }
}
