/** Finds exact values in parsed responses and names them after their fields. Pure. */
import { clockTime, day as dayText } from '../domain/format.js';
import { daySchema, instantSchema, type Instant } from '../domain/scalars.js';
import { conversionOf } from '../analytics/wire-values.js';
import { cutName, type FigureInput } from './snapshot.js';

/** Values visited per response. */
const MAX_VISITED = 60_000;
const MAX_DEPTH = 8;
/** Fields that name the row they are in, the best first. */
const IDENTITIES = ['symbol', 'name', 'title', 'label', 'source', 'metric', 'word', 'range', 'slug'] as const;
/** Fields that date their row. */
const MOMENTS = ['at', 'day'] as const;
/** Of a name in a row. */
const MAX_IDENTITY = 40;

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

const plain = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;

interface Reading {
  readonly now: Instant;
  readonly zone?: string | undefined;
}

/** The first field of each wanted value. */
export function fieldsOf(wanted: ReadonlySet<string>, records: readonly unknown[], reading: Reading): ReadonlyMap<string, FigureInput> {
  const found = new Map<string, FigureInput>();
  for (const [record, data] of records.entries()) {
    let left = MAX_VISITED;
    const visit = (value: unknown, field: string, rows: readonly Tree[]): void => {
      left -= 1;
      if (left < 0 || found.size === wanted.size) return;
      const text = plain(value);
      if (text !== undefined) {
        if (!wanted.has(text) || found.has(text)) return;
        const conversion = conversionOf(rows.at(-1) ?? {}, field);
        found.set(text, { value: text, name: nameOf(field, rows, reading), record, ...(conversion === undefined ? {} : { conversion }) });
      } else if (rows.length > MAX_DEPTH) return;
      else if (Array.isArray(value)) for (const item of value) visit(item, field, rows);
      else if (isTree(value)) for (const [name, part] of entriesOf(value)) if (!SKIPPED.test(name)) visit(part, name, [...rows, value]);
    };
    visit(data, '', []);
  }
  return found;
}

/** Of a token at a dollar `value` and price are equal. A value as the service sends it comes before an equal one that was converted. */
function entriesOf(row: Tree): readonly (readonly [string, unknown])[] {
  const rank = (field: string): number => (field === 'value' ? 0 : conversionOf(row, field) === undefined ? 1 : 2);
  return Object.entries(row).toSorted(([a], [b]) => rank(a) - rank(b));
}

/** Moments, numbers of rows and of pages. */
const SKIPPED = /(?:^at|At|Time|^id|Id|^order|^currentPage|^itemsPerPage|^totalPages|^code)$/u;

/** "NAV per share, Nov 20". */
function nameOf(field: string, rows: readonly Tree[], reading: Reading): string {
  const words = field
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/\bnav\b/gu, 'NAV');
  const row = rows.at(-1) ?? {};
  const identity = IDENTITIES.map((name) => row[name]).find((one) => typeof one === 'string' && one !== '');
  const moment = MOMENTS.map((name) => row[name]).find((one) => typeof one === 'string' || typeof one === 'number');
  const counted = typeof row['count'] === 'number' && field !== 'count' ? `of ${row['count']} values` : undefined;
  const dated = momentText(moment, reading);
  return cutName(
    [words, ...[identity, counted, dated].flatMap((one) => (typeof one === 'string' ? [one.slice(0, MAX_IDENTITY)] : []))].join(', '),
  );
}

function momentText(moment: unknown, { now, zone }: Reading): string | undefined {
  const [at, day] = [instantSchema.safeParse(moment), daySchema.safeParse(moment)];
  if (at.success) return clockTime(at.data, now, zone);
  return day.success ? dayText(day.data, now) : typeof moment === 'string' ? moment : undefined;
}
