/** Rows of a ledger as differences between neighbours, because watermarks are written often. Pure. */
import { z } from 'zod';
import { instantSchema } from '../domain/scalars.js';

export const ledgerRowSchema = z.object({ id: z.string(), at: instantSchema });
export type LedgerRow = z.infer<typeof ledgerRowSchema>;

interface PackedRows {
  /** A number is the difference to the last id that is one. */
  readonly ids: readonly (number | string)[];
  /** Milliseconds since the date before. */
  readonly dates: readonly number[];
}

/** Without leading zeros; exact with every difference. */
const NUMBER = /^(?:0|[1-9]\d{0,14})$/u;

export type StoredRows = PackedRows | readonly LedgerRow[];

/** The rows themselves where a difference would not be exact. */
export function packed(rows: readonly LedgerRow[]): StoredRows {
  let lastId = 0;
  let lastAt = 0;
  const ids: (number | string)[] = [];
  const dates: number[] = [];
  for (const { id, at } of rows) {
    const number = NUMBER.test(id) ? Number(id) : undefined;
    ids.push(number === undefined ? id : number - lastId);
    lastId = number ?? lastId;
    dates.push(at - lastAt);
    lastAt = at;
  }
  return dates.every(Number.isSafeInteger) ? { ids, dates } : rows;
}

function unpacked({ ids, dates }: PackedRows): readonly { readonly id: string; readonly at: number }[] {
  let lastId = 0;
  let lastAt = 0;
  return ids.map((id, index) => {
    if (typeof id === 'number') lastId += id;
    lastAt += dates[index] ?? 0;
    return { id: typeof id === 'number' ? String(lastId) : id, at: lastAt };
  });
}

/** `packed` keeps the rows themselves where a difference would not be exact. */
export const storedRowsSchema = z.union([
  z.array(ledgerRowSchema).readonly(),
  z
    .object({ ids: z.array(z.union([z.int(), z.string()])).readonly(), dates: z.array(z.int()).readonly() })
    .refine(({ ids, dates }) => ids.length === dates.length)
    .transform(unpacked)
    .pipe(z.array(ledgerRowSchema).readonly()),
]);
