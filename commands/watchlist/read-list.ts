/** Reads a watchlist from a file or pasted text. */
import { MAX_LINES, refuse, tooMany, withinLimit, type ListItem, type ReadList } from './imported-list.js';
import { readJson } from './read-json.js';
import { yieldToEventLoop } from '../../src/base/yield.js';
import { HEADER, fieldsOf, itemsOf, piecesOf } from './list-items.js';

export async function readList(text: string): Promise<ReadList> {
  const plain = text.replace(/^\u{FEFF}/u, '').trim();
  if (plain === '') return refuse('That list is empty. It needs one line for each thing to watch, or is a file of /watchlist export.');
  return /^[[{]/u.test(plain) ? readJson(plain) : readLines(plain);
}

/** Characters; each line is scanned several times. */
const MAX_LINE_LENGTH = 10_000;
const MAX_BREAKS = 10 * MAX_LINES;
/** Characters between pauses. */
const STEP = 4_000;
const COMMENT = /^(#|\/\/|--)/u;

async function readLines(text: string): Promise<ReadList> {
  const items: ListItem[] = [];
  // Checked before the lines are split, because many empty lines take time too.
  const breaks = text.match(/\r\n|\n|\r/gu)?.length ?? 0;
  if (breaks > MAX_BREAKS) return tooMany(breaks + 1);
  const lines = text.split(/\r\n|\n|\r/u).map((line) => line.trim());
  const isEntry = (line: string): boolean => line !== '' && !COMMENT.test(line);
  // A header is one more line.
  const entries = lines.filter(isEntry).length;
  if (entries > MAX_LINES + 1) return tooMany(entries);
  let sincePause = 0;
  for (const [index, line] of lines.entries()) {
    if (!isEntry(line)) continue;
    const where = `line ${index + 1}`;
    if (line.length > MAX_LINE_LENGTH)
      return refuse(
        `Line ${index + 1} is too long (${line.length.toLocaleString('en-US')} characters, at most ${MAX_LINE_LENGTH.toLocaleString('en-US')}). Put each wallet or project on a separate line.`,
      );
    sincePause += line.length;
    if (sincePause > STEP) {
      await yieldToEventLoop();
      sincePause = line.length;
    }
    for (const piece of piecesOf(line)) {
      const fields = fieldsOf(piece);
      if (items.length === 0 && fields.length > 1 && fields.every((field) => field === '' || HEADER.test(field))) continue;
      items.push(...itemsOf(where, fields));
    }
  }
  return items.length === 0 ? refuse('This list is empty. Put each wallet or project on a separate line.') : withinLimit(items, undefined);
}
