/** Size limits of the console, in bytes. */
import { fit } from '../../chat/fit.js';
import type { Block, Reply } from '../../chat/reply.js';
import type { ConsoleMessage } from './conversation-log.js';

/** The limit for a reply as JSON, without its files. */
export const MAX_REPLY = 256 * 1024;
/** The limit for the files of one reply together. */
export const MAX_FILES = 16 * 1024 * 1024;
/** The limit for the messages of one response, without their files. */
export const MAX_PAGE = 4 * 1024 * 1024;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
const wordsOf = ({ files: _files, ...words }: Reply): number => bytesOf(words);

const capped = (block: Block, rows: number): Block => {
  if (block.kind === 'list' && block.items.length > rows)
    return { ...block, items: block.items.slice(0, rows), more: block.more + block.items.length - rows };
  if (block.kind === 'table' && block.rows.length > rows)
    return { ...block, rows: block.rows.slice(0, rows), more: block.more + block.rows.length - rows };
  return block;
};

/** Cuts rows until the reply fits. Finds their number by bisection. */
function withFewerRows(reply: Reply): Reply {
  const cut = (rows: number): Reply => ({ ...reply, blocks: reply.blocks.map((block) => capped(block, rows)) });
  let fits = 1;
  let over = Math.max(2, ...reply.blocks.map((block) => ('items' in block ? block.items.length : 'rows' in block ? block.rows.length : 0)));
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (wordsOf(cut(middle)) <= MAX_REPLY) fits = middle;
    else over = middle;
  }
  return fit(cut(fits), (candidate) => wordsOf(candidate) <= MAX_REPLY);
}

/** Makes a reply fit: drops rows from the end of the longest blocks, and files that have no room. */
export function bounded(reply: Reply): Reply {
  let left = MAX_FILES;
  const files = reply.files.filter(({ text }) => {
    const bytes = Buffer.byteLength(text);
    const isKept = bytes <= left;
    if (isKept) left -= bytes;
    return isKept;
  });
  const kept = wordsOf(reply) <= MAX_REPLY ? reply : withFewerRows(reply);
  if (files.length === reply.files.length) return kept;
  const missing = `⚠ ${reply.files.length - files.length} of ${reply.files.length} files are too large to be kept here. Ask for a shorter range.`;
  return { ...kept, files, blocks: [...kept.blocks, { kind: 'line', line: [missing] }] };
}

/** Returns the messages that fit in one response, counted from `from`; at least one. */
export function page(messages: readonly ConsoleMessage[], from: 'first' | 'last'): readonly ConsoleMessage[] {
  let left = MAX_PAGE;
  const ordered = from === 'first' ? messages : messages.toReversed();
  const end = ordered.findIndex(({ reply, text }, index) => {
    left -= Buffer.byteLength(text) + (reply === undefined ? 0 : wordsOf(reply));
    return left < 0 && index > 0;
  });
  const taken = end === -1 ? ordered : ordered.slice(0, end);
  return from === 'first' ? taken : taken.toReversed();
}
