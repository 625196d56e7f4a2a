/**
 * What an answer of unknown layout says beyond the names we know: its numbers, each under the words of its field's name. A view shows them where it would
 * otherwise be empty.
 */
import { z } from 'zod';
import type { Decimal } from '../domain/scalars.js';
import { decimal } from './scalars.js';

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

/** Every number outside of lists, in the order it stands there; one that is nested has the names above it before its own. */
export function labelled(value: unknown, above: readonly string[] = []): readonly Labelled[] {
  const read = tree.safeParse(value);
  if (!read.success || Array.isArray(value) || above.length > DEEPEST) return [];
  const found = Object.entries(read.data).flatMap(([name, field]): readonly Labelled[] => {
    const number = decimal.safeParse(field);
    const path = [...above, wordsOf(name)];
    return number.success ? [{ label: path.join(', '), value: number.data }] : labelled(field, path);
  });
  return found.slice(0, MOST);
}
