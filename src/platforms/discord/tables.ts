/** A block of code where it fits a phone, else row by row. */
import type { APIEmbedField } from 'discord.js';
import type { Block } from '../../chat/reply.js';
import { columns } from '../../chat/plain-text.js';
import { inCode, plain } from './escape.js';
import { strong } from './markup.js';

export type TableBlock = Extract<Block, { kind: 'table' }>;

const MAX_CELL = 60;
const MAX_COLUMNS = 3;
/** Of code, in one line of an embed. */
const PHONE_WIDTH = 38;

/** Undefined where a phone would wrap it. */
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

/** Discord refuses an empty name or value. */
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
