/** Text from outside as much of one visible line as there is room for. Pure. */
import { oneLine } from '../base/one-line.js';

/** Clipped to so many UTF-16 units. No markup is escaped: that is each platform's own. */
export const truncateLine = (text: string, most: number): string => truncate(oneLine(text), most);

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What a reader takes for characters. */
export const graphemes = (text: string): readonly string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** At most so many UTF-16 units, cut between what a reader takes for characters, with "…" where something is missing. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = '';
  // Lazily: of a text of any length only as much is taken apart as is kept.
  for (const { segment } of segmenter.segment(text)) {
    if (kept.length + segment.length > most - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
