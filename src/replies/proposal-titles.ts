/** Matches and shortens proposal titles. */
import { cut } from '../base/one-line.js';

const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();

/** This title, else all its words or prefixes. */
export function matching<T extends { readonly title?: string | undefined }>(rows: readonly T[], text: string): readonly T[] {
  const wanted = folded(text);
  if (wanted === '') return [];
  const same = rows.filter(({ title }) => folded(title ?? '') === wanted);
  if (same.length > 0) return same;
  const words = wanted.split(/\s+/u);
  return rows.filter(({ title }) => {
    const own = folded(title ?? '');
    return words.every((word) => own.includes(word));
  });
}

const MAX_LABEL_LENGTH = 32;

export function shortened(title: string, mark?: string): string {
  const room = MAX_LABEL_LENGTH - (mark === undefined ? 0 : [...mark].length + 3);
  const short = cut(title, Math.max(2, room));
  return mark === undefined ? short : `${short} · ${mark}`;
}
