/** Lines about second and later crossings. */
import type { Line } from '../chat/reply.js';
import type { Crossing } from '../domain/crossing.js';
import { crossingWords, type CrossingSubject } from '../domain/crossing-words.js';

export function alsoCrossed(crossings: readonly Crossing[], about: CrossingSubject): readonly Line[] {
  const [first, ...others] = crossings;
  return others.map((crossing): Line => {
    const { measure } = crossing.rule;
    const words = crossingWords(crossing, about);
    return [measure === first?.rule.measure ? `Also: ${words.finding}` : `Also: ${words.finding}: ${words.value} (${words.was})`];
  });
}
