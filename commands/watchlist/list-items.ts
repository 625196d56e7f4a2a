/** Splits a line of a pasted list into entries. */
import { parse as parseCsv } from 'csv-parse/sync';
import { z } from 'zod';
import { brief } from '../../src/base/one-line.js';
import { keyFault, looksLikeKey } from '../../src/domain/wallet.js';
import type { ListItem } from './imported-list.js';
import type { FileEntry } from './list-file.js';

const BULLET = /^(?:[-*•–]|\d{1,4}[.)])\s+(?:\[[ x]\]\s+)?/iu;
const LINK = /https?:\/\/[^\s,;"]+/giu;
export const HEADER = /^(address|wallet|wallet address|public ?key|pubkey|account|label|name)$/iu;

/** A public key begins a piece, or ends one if labels come first. */
export function piecesOf(line: string): readonly string[] {
  const bare = line
    .replace(BULLET, '')
    .replace(/^\/watch(@\S+)?\s+/iu, '')
    .replaceAll(LINK, walletOfLink);
  const keys = [...bare.matchAll(/(?<![^\s,;"])[A-Za-z0-9]{32,44}(?![^\s,;"])/gu)].filter(([key]) => keyFault(key) === undefined);
  if (keys.length < 2) return [bare];
  const before = within(bare.slice(0, keys[0]?.index), /["\s,;]/u);
  const isHeader = before.split(/[\s,;]+/u).every((word) => word === '' || HEADER.test(word));
  const cuts = isHeader
    ? keys.map(({ index }) => index - (bare[index - 1] === '"' ? 1 : 0))
    : [0, ...keys.map(({ index, 0: key }) => index + key.length + (bare[index + key.length] === '"' ? 1 : 0))];
  return cuts.map((from, at) => within(bare.slice(from, cuts[at + 1]), /[\s,;]/u)).filter((piece) => piece !== '');
}

/** A regular expression would take quadratic time. */
function within(text: string, edge: RegExp): string {
  let [from, to] = [0, text.length];
  while (from < to && edge.test(text.charAt(from))) from += 1;
  while (to > from && edge.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function walletOfLink(link: string): string {
  const [, key] = /\/(?:accounts?|address(?:es)?|wallets?)\/([A-Za-z0-9]{32,44})(?![A-Za-z0-9])/iu.exec(link) ?? [];
  return key !== undefined && keyFault(key) === undefined ? key : link;
}

export function fieldsOf(line: string): readonly string[] {
  const delimiter = ['\t', ';', ','].find((one) => line.includes(one));
  if (delimiter !== undefined) {
    const cells = cellsOf(line, delimiter).map((cell) => cell.trim());
    // A label may contain a comma: "<key> first, second".
    if (delimiter === '\t' || !/\s/u.test(cells[0] ?? '') || keyFault((cells[0] ?? '').split(/\s/u)[0] ?? '') !== undefined) return cells;
  }
  const words = line.split(/\s+/u);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (looksLikeKey(first)) return [first, line.slice(first.length).trim()];
  return words.length > 1 && keyFault(last) === undefined ? [last, line.slice(0, -last.length).trim()] : [line];
}

function cellsOf(line: string, delimiter: string): readonly string[] {
  try {
    const [cells] = z.array(z.array(z.string())).parse(parseCsv(line, { delimiter, relax_quotes: true, relax_column_count: true }));
    return cells ?? [line];
  } catch {
    // An unclosed quote: the line is taken unchanged.
    return line.split(delimiter);
  }
}

export function itemsOf(where: string, fields: readonly string[]): readonly ListItem[] {
  const cells = fields.map((field) => field.trim());
  const whole = cells.findIndex((cell) => cell !== '' && keyFault(cell) === undefined);
  const at = whole >= 0 ? whole : cells.findIndex(looksLikeKey);
  const wallet = cells[at];
  if (wallet !== undefined) {
    const label = (at === 0 ? cells[1] : cells[at - 1]) ?? '';
    return [{ where, what: brief(`${wallet} ${label}`.trim()), entry: label === '' ? { wallet } : { wallet, label } }];
  }
  const names = cells.filter((cell) => cell !== '');
  if (names.length === 0) return [{ where, what: brief(fields.join(', ')), fault: 'empty' }];
  return names.flatMap((name) => {
    const inner = fieldsOf(name);
    return inner.length > 1 ? itemsOf(where, inner) : [{ where, what: brief(name), entry: namedEntry(name) }];
  });
}

export function namedEntry(name: string): FileEntry {
  const word = name.toLowerCase();
  return word === 'all' || word === 'launches' ? { watch: word } : { project: name };
}
