/** Reads a watchlist from a file or pasted text. */
import { refuse, type ReadList } from './imported-list.js';
import { readJson } from './read-json.js';
import { readLines } from './read-lines.js';

export async function readList(text: string): Promise<ReadList> {
  const plain = text.replace(/^\u{FEFF}/u, '').trim();
  if (plain === '') return refuse('That list is empty. It needs one line for each thing to watch, or is a file of /watchlist export.');
  return /^[[{]/u.test(plain) ? readJson(plain) : readLines(plain);
}
