/** What the platform makes clickable by itself: a careful sender has to know that these work without any markup. */
import type { MessageEntity } from 'grammy/types';

type Found = 'url' | 'email' | 'mention' | 'bot_command' | 'hashtag' | 'cashtag';

/** Names shorter than four characters that exist all the same. */
const SHORT_NAMES = new Set(['gif', 'vid', 'pic']);

/** Endings after which a bare name is a link. The platform knows all of them; these are the usual ones and every two-letter one. */
const ENDINGS =
  '[a-z]{2}|com|net|org|info|biz|xyz|app|dev|fun|pro|top|site|online|tech|shop|club|live|fyi|money|finance|exchange|trade|markets|network|systems|world|link|page|wiki|name|mobi|gov|edu|dao|eth|onion';

/** In the order in which they win where two overlap. */
const PATTERNS: readonly (readonly [Found, RegExp])[] = [
  ['email', /(?<![\p{L}\p{N}._%+-])[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?![\p{L}\p{N}])/gu],
  ['url', /(?<![\p{L}\p{N}])(?:https?|ftp|tg|ton):\/\/[^\s<>"«»]+/giu],
  [
    'url',
    new RegExp(
      `(?<![\\p{L}\\p{N}@$#._/-])(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?\\.)+(?:${ENDINGS})(?![\\p{L}\\p{N}_-])(?::[0-9]{1,5})?(?:[/?#][^\\s<>"«»]*)?`,
      'giu',
    ),
  ],
  ['mention', /(?<![\p{L}\p{N}_])@[A-Za-z0-9_]{2,32}(?![\p{L}\p{N}_])/gu],
  ['bot_command', /(?<![\p{L}\p{N}_/<>])\/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\p{L}\p{N}_/<>])/gu],
  ['hashtag', /(?<![\p{L}\p{N}_\u200c])#[\p{L}\p{N}_\u200c]{1,256}(?![\p{L}\p{N}_\u200c]*#)/gu],
  ['cashtag', /(?<![$\p{L}\p{N}_\u200c])\$(?:1INCH|[A-Z]{1,8})(?![$\p{L}\p{N}_\u200c])/gu],
];

/** Links, mentions, commands and tags in a plain text, in their order. */
export function detect(text: string): readonly MessageEntity[] {
  const found: MessageEntity[] = [];
  for (const [type, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const shown = type === 'url' ? withoutTail(match[0]) : match[0];
      const entity: MessageEntity = { type, offset: match.index, length: shown.length };
      if (holds(type, shown) && !found.some((other) => overlap(other, entity))) found.push(entity);
    }
  }
  return found.toSorted((a, b) => a.offset - b.offset);
}

export const overlap = (a: MessageEntity, b: MessageEntity): boolean => a.offset < b.offset + b.length && b.offset < a.offset + a.length;

function holds(type: Found, shown: string): boolean {
  if (type === 'mention') return shown.length > 4 || SHORT_NAMES.has(shown.slice(1).toLowerCase());
  if (type === 'hashtag') return /[^0-9#]/.test(shown);
  // "1.30 am" is no address, "x.ai" is.
  if (type === 'url') return shown.includes('://') || /[\p{L}]/u.test(shown.split(/[/?#:]/, 1)[0] ?? '');
  return true;
}

/** A sentence's stop or bracket after an address is not part of it. */
function withoutTail(address: string): string {
  let shown = address.replace(/[.,:;!?'"]+$/, '');
  while (/[)\]]$/.test(shown) && !/[([]/.test(shown)) shown = shown.slice(0, -1).replace(/[.,:;!?'"]+$/, '');
  return shown;
}
