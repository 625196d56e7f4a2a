/** Events in one line: "5 burns at Tidewater, 1 proposal passed". Pure. */
import { CORRECTED_STAGE } from '../../feeds/event-content.js';
import { cut } from '../../base/one-line.js';
import type { FeedEvent } from '../../domain/event.js';
import type { CountWords } from '../../feeds/alert-kind.js';
import { alertKind } from '../rules/kinds.js';

export function wordsFor({ feed, stage }: Pick<FeedEvent, 'feed' | 'stage'>): CountWords {
  if (stage === CORRECTED_STAGE) return [`correction of ${feed}`, `corrections of ${feed}`];
  const kind = alertKind(feed);
  return kind?.stages[stage]?.words ?? kind?.words ?? [`${feed} event`, `${feed} events`];
}

const MAX_COUNTS = 6;

interface Counted {
  readonly event: Pick<FeedEvent, 'feed' | 'stage'>;
  readonly about: string;
}

export function countsOf(all: readonly Counted[]): string {
  const groups = new Map<string, { readonly words: readonly [string, string]; readonly group: Counted[] }>();
  for (const one of all) {
    const words = wordsFor(one.event);
    const group = groups.get(words[0])?.group ?? [];
    group.push(one);
    groups.set(words[0], { words, group });
  }
  const everybody = namesOf(all);
  const counts = [...groups.values()].map(({ words: [one, several], group }) => {
    const names = namesOf(group);
    return `${group.length} ${group.length === 1 ? one : several}${everybody.length > 1 && names.length === 1 ? ` at ${names[0]}` : ''}`;
  });
  const rest = [...groups.values()].slice(MAX_COUNTS).reduce((total, { group }) => total + group.length, 0);
  const listed = [...counts.slice(0, MAX_COUNTS), ...(rest === 0 ? [] : [`${rest} more`])];
  return listed.join(', ') + (everybody.length === 1 ? ` at ${everybody[0]}` : '');
}

const namesOf = (all: readonly Counted[]): readonly string[] => [...new Set(all.map(({ about }) => shortened(about)))];

const MAX_NAME = 60;
export const shortened = (name: string): string => cut(name, MAX_NAME);
