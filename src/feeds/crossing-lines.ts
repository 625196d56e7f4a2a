/** Lines about second and later crossings, and when the rule alerts again. */
import type { Line } from '../chat/reply.js';
import type { Crossing } from '../domain/crossing.js';
import { crossingWords, type CrossingSubject, type CrossingWords } from '../domain/crossing-words.js';

/** "next alert after it is back at or above −8%, at the earliest 1 h after this one". */
export const nextAlert = (words: CrossingWords | undefined): readonly string[] =>
  words?.next === undefined ? [] : [`next alert after ${words.next}`];

/** Repeats no value of the headline. */
export function alsoCrossed(crossings: readonly Crossing[], about: CrossingSubject): readonly Line[] {
  const [first, ...others] = crossings;
  return others.map((crossing): Line => {
    const { measure } = crossing.rule;
    const words = crossingWords(crossing, about);
    return [measure === first?.rule.measure ? `also: ${words.finding}` : `also: ${words.finding}: ${words.value} (${words.was})`];
  });
}
