/** Truncates external text for display. */
import { oneLine } from '../base/one-line.js';

/** Returns one line of at most `most` UTF-16 units. Markup is not escaped. */
export const truncateLine = (text: string, most: number): string => truncate(oneLine(text), most);

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits a text into grapheme clusters. */
export const graphemes = (text: string): readonly string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Cuts a text to `most` UTF-16 units, between grapheme clusters, and adds "…". */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = '';
  // The iteration is lazy, so that only the part that is kept is segmented.
  for (const { segment } of segmenter.segment(text)) {
    if (kept.length + segment.length > most - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
