/** Applies faults to a response: another shape, or unreadable rows. */
import type { Envelope } from './page.js';
import { struckBy, type Fault } from './faults.js';

type BrokenRow = Extract<Fault, { kind: 'broken-row' }>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function broken(row: unknown, how: BrokenRow['how']): unknown {
  if (how === 'null') return null;
  if (how === 'text' || !isObject(row)) return 'not a row';
  return Object.fromEntries(Object.keys(row).map((name) => [name, { unreadable: true }]));
}

function breakRow(rows: readonly unknown[], { index, field, value, how }: BrokenRow): readonly unknown[] {
  const hit = (row: unknown, at: number): boolean =>
    field === undefined ? at === index : isObject(row) && String(row[field]) === String(value);
  return rows.map((row, at) => (hit(row, at) ? broken(row, how) : row));
}

function overList(data: unknown, change: (rows: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(data)) return change(data);
  if (!isObject(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? change(value) : value]));
}

/** Text if it is no longer JSON. */
export function corrupt(answer: Envelope, struck: readonly Fault[]): unknown {
  const rows = struck.filter((fault): fault is BrokenRow => fault.kind === 'broken-row');
  const whole: Envelope =
    rows.length === 0
      ? answer
      : { ...answer, data: rows.reduce((data, fault) => overList(data, (all) => breakRow(all, fault)), answer.data) };
  switch (struckBy(struck, 'shape')?.shape) {
    case undefined:
      return whole;
    case 'envelope':
      return { result: whole.data, ok: true };
    case 'object':
      return { ...whole, data: { unexpected: true } };
    case 'null':
      return { ...whole, data: null };
    case 'html':
      return '<!doctype html><title>Be right back</title><p>We are improving things.</p>';
  }
}
