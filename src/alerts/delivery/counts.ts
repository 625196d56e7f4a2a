/** Many events in one line: "5 burns at Tidewater, 1 proposal passed, 2 launches closed". Pure. */
import { cut } from '../../base/one-line.js';
import type { FeedEvent } from '../../domain/event.js';
import { THRESHOLD_STAGE } from '../../feeds/feed.js';

/** One and several of it, by kind and stage; a kind's own line stands for all stages that have none. */
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  'supply/mint': ['mint', 'mints'],
  'supply/burn': ['burn', 'burns'],
  supply: ['supply event', 'supply events'],
  'proposals/created': ['proposal created', 'proposals created'],
  'proposals/live': ['proposal went live', 'proposals went live'],
  'proposals/twap': ['TWAP window opened', 'TWAP windows opened'],
  'proposals/ending': ['proposal about to end', 'proposals about to end'],
  'proposals/passed': ['proposal passed', 'proposals passed'],
  'proposals/failed': ['proposal failed', 'proposals failed'],
  'proposals/removed': ['proposal removed', 'proposals removed'],
  proposals: ['proposal changed', 'proposals changed'],
  'launches/new': ['launch announced', 'launches announced'],
  'launches/live': ['launch opened', 'launches opened'],
  'launches/minimum': ['launch reached its minimum', 'launches reached their minimum'],
  'launches/extended': ['launch extended', 'launches extended'],
  'launches/ending': ['launch about to end', 'launches about to end'],
  'launches/closed': ['launch closed', 'launches closed'],
  'launches/complete': ['launch complete', 'launches complete'],
  'launches/refunding': ['launch refunding', 'launches refunding'],
  'launches/graveyard': ['launch ended for good', 'launches ended for good'],
  launches: ['launch changed', 'launches changed'],
  'growth/restated': ['growth figure corrected', 'growth figures corrected'],
  'growth/published': ['growth feed published', 'growth feeds published'],
  growth: ['growth figure', 'growth figures'],
  premium: ['premium alert', 'premium alerts'],
  treasury: ['treasury alert', 'treasury alerts'],
  movements: ['treasury movement', 'treasury movements'],
  'vesting/cliff': ['cliff passed', 'cliffs passed'],
  'vesting/near': ['price near a threshold', 'prices near a threshold'],
  vesting: ['tranche changed', 'tranches changed'],
  'wallet/new': ['new holding', 'new holdings'],
  'wallet/exit': ['holding given up', 'holdings given up'],
  'wallet/rank': ['rank change', 'rank changes'],
  [`wallet/${THRESHOLD_STAGE}`]: ['rank change', 'rank changes'],
  'wallet/trades': ['round of trades', 'rounds of trades'],
  'wallet/ico': ['ICO joined', 'ICOs joined'],
  wallet: ['balance change', 'balance changes'],
};

/** More would be a list and not a line. */
const MOST_COUNTS = 6;

interface Counted {
  readonly event: Pick<FeedEvent, 'feed' | 'stage'>;
  /** Whom it concerns, by name. */
  readonly about: string;
}

/** In the order first met. Where all of a count concern one project or wallet, it is named; where all of everything do, it is named once. */
export function countsOf(all: readonly Counted[]): string {
  const groups = new Map<string, { readonly words: readonly [string, string]; readonly group: Counted[] }>();
  for (const one of all) {
    const words = WORDS[`${one.event.feed}/${one.event.stage}`] ??
      WORDS[one.event.feed] ?? [`${one.event.feed} event`, `${one.event.feed} events`];
    const group = groups.get(words[0])?.group ?? [];
    group.push(one);
    groups.set(words[0], { words, group });
  }
  const everybody = namesOf(all);
  const counts = [...groups.values()].map(({ words: [one, several], group }) => {
    const names = namesOf(group);
    return `${group.length} ${group.length === 1 ? one : several}${everybody.length > 1 && names.length === 1 ? ` at ${names[0]}` : ''}`;
  });
  const rest = [...groups.values()].slice(MOST_COUNTS).reduce((total, { group }) => total + group.length, 0);
  const listed = [...counts.slice(0, MOST_COUNTS), ...(rest === 0 ? [] : [`${rest} more`])];
  return listed.join(', ') + (everybody.length === 1 ? ` at ${everybody[0]}` : '');
}

const namesOf = (all: readonly Counted[]): readonly string[] => [...new Set(all.map(({ about }) => shortened(about)))];

/** So much of a name, so that none pushes out what is said about it. */
const MOST_NAME = 60;
export const shortened = (name: string): string => cut(name, MOST_NAME);
