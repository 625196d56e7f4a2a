/** What a chat has asked for, by its requests alone. */
import type { Address } from '../../../src/chat/address.js';
import type { Played } from '../run/play.js';
import type { Ask } from '../scenario/scenario.js';

export interface Wish {
  readonly ask: Ask;
  readonly askedAt: number;
  /** Infinite: never answered. */
  readonly doneAt: number;
}

export interface Entry {
  /** It began between the two. */
  readonly since: { readonly from: number; readonly to: number };
  /** In USD, of mints and burns. */
  readonly least: number;
  /** In USD, of movements. */
  readonly leastMoved: number;
  readonly off: ReadonlySet<string>;
  /** Growth was switched on between the two; undefined: it is off. */
  readonly growth: Span | undefined;
}

export type ChatState = ReadonlyMap<string, Entry>;

/** In the order in which they were answered. */
export const wishesOf = ({ requests, unanswered }: Played, chat: Address): readonly Wish[] =>
  [...requests, ...unanswered.map((one) => ({ ...one, doneAt: Number.POSITIVE_INFINITY }))]
    .filter((one) => one.chat === chat)
    .toSorted((a, b) => a.doneAt - b.doneAt || a.askedAt - b.askedAt);

/** docs/alerts.md: Important begins at $10K for supply and movements, and has no growth; Everything begins at nothing. */
const IMPORTANT = 10_000;
const preset = (since: Entry['since'], least: number, off: readonly string[] = []): Entry => ({
  ...{ since, least, leastMoved: least },
  off: new Set(off),
  growth: undefined,
});

function after(state: ChatState, { ask, askedAt, doneAt }: Wish): ChatState {
  const since = { from: askedAt, to: doneAt };
  const change = (project: string, how: (entry: Entry) => Entry): ChatState => {
    const entry = state.get(project);
    return entry === undefined ? state : new Map(state).set(project, how(entry));
  };
  switch (ask.kind) {
    case 'watch':
      return state.has(ask.project) ? state : new Map(state).set(ask.project, preset(since, IMPORTANT));
    case 'import':
      // A file has the settings of its entries, also of those that stand already.
      return new Map([
        ...state,
        ...ask.projects.map((project) => [project, preset(state.get(project)?.since ?? since, IMPORTANT, ask.off)] as const),
      ]);
    case 'unwatch':
      return new Map([...state].filter(([project]) => project !== ask.project));
    case 'preset':
      return change(ask.project, (entry) => {
        if (ask.preset === 'important') return preset(entry.since, IMPORTANT);
        return { ...preset(entry.since, 0), growth: entry.growth ?? since };
      });
    case 'filter':
      // A rule switches its kind on.
      return change(ask.project, (entry) => ({
        ...entry,
        least: ask.usd,
        off: new Set([...entry.off].filter((feed) => feed !== 'supply')),
      }));
    case 'mode':
      if (ask.feed === 'growth')
        return change(ask.project, (entry) => ({ ...entry, growth: ask.on ? (entry.growth ?? since) : undefined }));
      return change(ask.project, (entry) => ({
        ...entry,
        off: new Set(ask.on ? [...entry.off].filter((feed) => feed !== ask.feed) : [...entry.off, ask.feed]),
      }));
    default:
      return state;
  }
}

/** An answer says yes a moment after the change is durable: in ms. */
export const MOMENT = 1_000;

/** Every state that the chat may have had between two moments. */
export function statesBetween(wishes: readonly Wish[], from: number, to: number): readonly ChatState[] {
  let state: ChatState = new Map();
  const states: ChatState[] = [];
  const asked = wishes.filter(({ askedAt }) => askedAt <= to);
  for (const wish of asked.filter(({ doneAt }) => doneAt < from)) state = after(state, wish);
  states.push(state);
  for (const wish of asked.filter(({ doneAt }) => doneAt >= from)) {
    state = after(state, wish);
    states.push(state);
  }
  return states;
}

/** docs/alerts.md: where several entries cover the same event, the most specific one decides. */
export const entryFor = (state: ChatState, project: string): Entry | undefined => state.get(project) ?? state.get('all');

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Of each day, in UTC. */
const DAY = 24 * 3_600_000;
const HOUR = 3_600_000;

/** Times in which the chat is surely quiet, until `end`. */
export const quietOf = (wishes: readonly Wish[], end: number): readonly Span[] =>
  wishes.flatMap(({ ask, doneAt }) => {
    if (ask.kind !== 'quiet' || doneAt === Number.POSITIVE_INFINITY) return [];
    const spans: Span[] = [];
    for (let day = Math.floor(doneAt / DAY) * DAY - DAY; day < end; day += DAY) {
      const from = Math.max(doneAt, day + ask.from * HOUR);
      const to = day + ask.to * HOUR + (ask.to <= ask.from ? DAY : 0);
      if (from < to && ask.from !== ask.to) spans.push({ from, to });
    }
    return spans;
  });

/** Times in which the whole chat was surely muted. */
export function mutesOf(wishes: readonly Wish[]): { readonly surely: readonly Span[]; readonly perhaps: readonly Span[] } {
  const surely: Span[] = [];
  const perhaps: Span[] = [];
  for (const { ask, askedAt, doneAt } of wishes) {
    if (ask.kind !== 'mute') continue;
    const length = ask.minutes * 60_000;
    // A later one replaces it. Both may be done in the same millisecond, after a start.
    const isLater = (one: Wish): boolean => one.doneAt > doneAt || (one.doneAt === doneAt && one.askedAt > askedAt);
    const next = wishes.filter((one) => (one.ask.kind === 'mute' || one.ask.kind === 'unmute') && isLater(one));
    const ended = Math.min(...next.map((one) => one.askedAt), askedAt + length);
    if (doneAt < ended) surely.push({ from: doneAt, to: ended });
    perhaps.push({ from: askedAt, to: doneAt === Number.POSITIVE_INFINITY ? doneAt : doneAt + length });
  }
  return { surely, perhaps };
}
