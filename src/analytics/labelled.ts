/**
 * What an answer of unknown layout says beyond the names we know: its numbers, each under the words of its field's name. A view shows them where it would
 * otherwise be empty.
 */
import { z } from 'zod';
import type { Decimal } from '../domain/scalars.js';
import { attempt, decimal, UNREADABLE } from './scalars.js';

export interface Labelled {
  /** `averageTradeSize` is "average trade size". */
  readonly label: string;
  readonly value: Decimal;
}

/** More than this is no summary. */
const MOST = 24;
const DEEPEST = 4;

const tree = z.record(z.string(), z.unknown());

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/[_-]+/gu, ' ')
    .toLowerCase();

/** More fields than this are not looked through: of a hostile answer, every one could be an object. */
const MAX_VISITED = 1_000;

/** Every number outside of lists, in the order it stands there; one that is nested has the names above it before its own. */
export function labelled(root: unknown): readonly Labelled[] {
  const found: Labelled[] = [];
  let visited = 0;
  const visit = (value: unknown, above: readonly string[]): void => {
    const read = tree.safeParse(value);
    if (!read.success || Array.isArray(value) || above.length > DEEPEST) return;
    for (const [name, field] of Object.entries(read.data)) {
      visited += 1;
      if (found.length >= MOST || visited > MAX_VISITED) return;
      const number = attempt(decimal, field);
      const path = [...above, wordsOf(name)];
      if (number === UNREADABLE) visit(field, path);
      else found.push({ label: path.join(', '), value: number });
    }
  };
  visit(root, []);
  return found;
}
