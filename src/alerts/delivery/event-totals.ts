/** This module shows ten or more events of a kind, stage and project as one total. It is pure. */
import type { Line, Tone } from '../../chat/reply.js';
import { lineText } from '../../chat/plain-text.js';
import { compare, divide, multiply, sum } from '../../domain/decimal.js';
import { momentOf, type FeedEvent } from '../../domain/event.js';
import { amount, countText, percent, tokens, usd } from '../../domain/format.js';
import { decimal, type Decimal } from '../../domain/scalars.js';
import { type EventContent, CORRECTED_STAGE } from '../../feeds/event-content.js';
import { rankOf, sizeOf } from '../rules/filter.js';
import { cut } from '../../base/one-line.js';
import type { CountWords } from '../../feeds/alert-kind.js';
import { alertKind } from '../rules/kinds.js';

const MIN_IN_TOTAL = 10;
const MAX_NAMED = 3;

interface TotalledEvent {
  readonly event: FeedEvent;
  readonly content: EventContent;
}

export interface Total {
  readonly tone: Tone;
  /** Text such as "**300 mints: +1.2M TIDE** ($702K)". */
  readonly line: Line;
  /** Text such as "Largest: 40,112 TIDE, …", or "Latest: …" without sizes. */
  readonly detail: Line;
}

export type EventGroup<E> = readonly [E, ...E[]];

export function withTotals<E extends TotalledEvent>(events: readonly E[]): readonly (E | EventGroup<E>)[] {
  const groups = new Map<string, [E, ...E[]]>();
  for (const one of events) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return [...groups.values()].flatMap((group): readonly (E | EventGroup<E>)[] => (group.length < MIN_IN_TOTAL ? group : [group]));
}

/** Groups events of one kind, stage and rank. Mints and burns have different stages, so they are never netted. */
const keyOf = ({ event, content }: TotalledEvent): string =>
  JSON.stringify([event.feed, event.stage, rankOf(event), event.project ?? event.wallet ?? content.about]);

interface Sized {
  readonly one: TotalledEvent;
  readonly amount: Decimal | undefined;
  readonly usd: Decimal | undefined;
  readonly percent: Decimal | undefined;
}

export function totalOf(events: EventGroup<TotalledEvent>): Total {
  const [first] = events;
  const sizes = events.map((one) => ({ one, size: sizeOf(one.event) }));
  const symbols = new Set(sizes.flatMap(({ size }) => (size.amount === undefined ? [] : [size.symbol])));
  const [symbol = 'tokens', ...others] = symbols;
  // Amounts of different tokens have no sum.
  const isOneToken = symbols.size > 0 && others.length === 0;
  const sized = sizes.map(({ one, size }): Sized => ({
    one,
    usd: size.usd,
    percent: size.percent,
    amount: isOneToken ? size.amount : undefined,
  }));
  const words = `${countText(events.length)} ${wordsFor(first.event)[1]}`;
  const sign = SIGN[first.content.tone] ?? '';
  const total = isOneToken ? `: ${sign}${amount(sum(known(sized, 'amount')))} ${symbol}` : '';
  // The token's symbol already names the project, so the total does not name it again.
  const isOneAbout = events.every(({ content }) => content.about === first.content.about);
  const where = !isOneAbout || sizes.every(({ size }) => size.whole !== undefined) ? '' : ` at ${shortened(first.content.about)}`;
  const isSized = sized.some(hasSize);
  const parts = [
    ...(isOneToken ? shareOf(events, sum(known(sized, 'amount'))).map((share) => `${sign}${share}`) : []),
    ...(known(sized, 'usd').length === 0 ? [] : [usd(sum(known(sized, 'usd')))]),
    ...(isOneToken ? unknown(sized, 'amount', 'amount') : []),
    ...(known(sized, 'usd').length === 0 ? [] : unknown(sized, 'usd', 'value')),
  ];
  return {
    tone: first.content.tone,
    line: [{ strong: `${words}${where}${total}` }, parts.length === 0 ? '' : ` (${parts.join(', ')})`],
    detail: [
      isSized ? 'Largest: ' : 'Latest: ',
      sized
        .toSorted(isSized ? bySize : latestFirst)
        .slice(0, MAX_NAMED)
        .map(namedAs(symbol))
        .join(isOneToken ? ', ' : ' · '),
    ],
  };
}

const hasSize = ({ amount: size, usd: value, percent: part }: Sized): boolean => (size ?? value ?? part) !== undefined;

const SIGN: Partial<Readonly<Record<Tone, string>>> = { up: '+', down: '−' };

const known = (sized: readonly Sized[], what: 'amount' | 'usd'): readonly Decimal[] => sized.flatMap((one) => one[what] ?? []);

const unknown = (sized: readonly Sized[], what: 'amount' | 'usd', called: string): readonly string[] => {
  const count = sized.length - known(sized, what).length;
  return count === 0 ? [] : [`${count} of unknown ${called}`];
};

function shareOf(events: readonly TotalledEvent[], total: Decimal): readonly string[] {
  const [earliest] = events.toSorted((a, b) => momentOf(a.event) - momentOf(b.event));
  const { whole } = earliest === undefined ? {} : sizeOf(earliest.event);
  const part = whole && divide(multiply(total, decimal('100')), whole);
  return part === undefined ? [] : [`${percent(part).replace('+', '')} of supply`];
}

const latestFirst = (a: Sized, b: Sized): number => momentOf(b.one.event) - momentOf(a.one.event);

function bySize(a: Sized, b: Sized): number {
  for (const what of ['amount', 'usd', 'percent'] as const) {
    const [left, right] = [a[what], b[what]];
    if (left !== undefined && right !== undefined && compare(left, right) !== 0) return compare(right, left);
    if ((left === undefined) !== (right === undefined)) return left === undefined ? 1 : -1;
  }
  return 0;
}

const namedAs =
  (symbol: string) =>
  ({ one, amount: size }: Sized): string =>
    size === undefined ? lineText(one.content.headline, one.event.detectedAt) : `${tokens(size)} ${symbol}`;

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
