/** Table in a fixed-width font, or each row as a line. */
import type { Block } from '../../chat/reply.js';
import { truncateLine } from '../truncate.js';
import { escape, plain, widthOf } from './sanitize.js';

/** Characters, on a narrow phone. */
const PHONE_COLUMNS = 34;
const MAX_CELL = 64;
const GAP = '  ';

type Table = Extract<Block, { kind: 'table' }>;

export function table(block: Table): readonly string[] {
  const rows = [block.columns.map(({ title }) => title), ...block.rows].map((row) =>
    block.columns.map((_, index) => truncateLine(row[index] ?? '', MAX_CELL)),
  );
  const widths = block.columns.map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] ?? ''))));
  const width = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1);
  if (width > PHONE_COLUMNS) return block.rows.map((row) => asLine(block, row));
  const lines = rows.map((row) =>
    row
      .map((cell, index) => {
        const room = ' '.repeat((widths[index] ?? 0) - widthOf(cell));
        return block.columns[index]?.align === 'right' ? room + cell : cell + room;
      })
      .join(GAP)
      .trimEnd(),
  );
  return [`<pre>${escape(lines.join('\n'))}</pre>`];
}

function asLine({ columns }: Table, row: readonly string[]): string {
  const [name = '', ...cells] = row.map((cell) => escape(plain(cell, MAX_CELL)));
  const rest = cells
    .flatMap((cell, index) => (cell.trim() === '' ? [] : [`${escape(plain(columns[index + 1]?.title ?? '', MAX_CELL))} ${cell}`.trim()]))
    .join(' · ');
  const head = name.trim() === '' ? 'n/a' : name;
  return rest === '' ? `<b>${head}</b>` : `<b>${head}</b>: ${rest}`;
}
