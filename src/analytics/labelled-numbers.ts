/** All numbers of an unknown layout, by field name. */
import { z } from 'zod';
import type { Decimal } from '../domain/scalars.js';
import { attempt, decimal, UNREADABLE } from './wire-values.js';

export interface Labelled {
  /** `averageTradeSize` becomes "average trade size". */
  readonly label: string;
  readonly value: Decimal;
}

const MAX_LABELS = 24;
const MAX_DEPTH = 4;

const tree = z.record(z.string(), z.unknown());

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/[_-]+/gu, ' ')
    .toLowerCase();

const MAX_VISITED = 1_000;

/** Outside lists, in order. */
export function labelled(root: unknown): readonly Labelled[] {
  const found: Labelled[] = [];
  let visited = 0;
  const visit = (value: unknown, above: readonly string[]): void => {
    const read = tree.safeParse(value);
    if (!read.success || Array.isArray(value) || above.length > MAX_DEPTH) return;
    for (const [name, field] of Object.entries(read.data)) {
      visited += 1;
      if (found.length >= MAX_LABELS || visited > MAX_VISITED) return;
      const number = attempt(decimal, field);
      const path = [...above, wordsOf(name)];
      if (number === UNREADABLE) visit(field, path);
      else found.push({ label: path.join(', '), value: number });
    }
  };
  visit(root, []);
  return found;
}
