/** What a chat has asked for, by its requests alone. */
import type { Address } from '../../../src/chat/address.js';
import type { Played } from '../run/play.js';
import type { Ask } from '../scenario/scenario.js';
import type { LedgerRow } from '../world/world.js';

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
  /** Only movements of this token, or of one that is unknown. */
  readonly token?: string | undefined;
  readonly off: ReadonlySet<string>;
  /** Growth was switched on between the two; undefined: it is off. */
  readonly growth: Span | undefined;
  /** A rule on single trades, in USD. */
  readonly trades?: { readonly above: number; readonly since: Span };
  /** What differs for a project; only the entry for all projects has it. */
  readonly exceptions?: ReadonlyMap<string, Exception> | undefined;
}

interface Exception {
  readonly excluded?: boolean;
  /** It came back between the two. */
  readonly since?: Entry['since'];
  readonly least?: number;
  readonly modes?: ReadonlyMap<string, boolean>;
  readonly growth?: Span | undefined;
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
  /** A project that the entry for all projects covers gets an exception. */
  const except = (project: string, how: (before: Exception) => Exception): ChatState =>
    change('all', (all) => ({ ...all, exceptions: new Map(all.exceptions).set(project, how(all.exceptions?.get(project) ?? {})) }));
  const isFollowing = (project: string): boolean => project !== 'all' && !state.has(project) && state.has('all');
  const isExcluded = (project: string): boolean => isFollowing(project) && state.get('all')?.exceptions?.get(project)?.excluded === true;
  switch (ask.kind) {
    case 'watch':
      if (isExcluded(ask.project)) return except(ask.project, (before) => ({ ...before, excluded: false, since }));
      return state.has(ask.project) ? state : new Map(state).set(ask.project, preset(since, IMPORTANT));
    case 'import':
      // A file has the settings of its entries, also of those that stand already.
      return new Map([
        ...state,
        ...ask.projects.map((project) => [project, preset(state.get(project)?.since ?? since, IMPORTANT, ask.off)] as const),
      ]);
    case 'unwatch':
      if (isFollowing(ask.project)) return except(ask.project, (before) => ({ ...before, excluded: true }));
      return new Map([...state].filter(([project]) => project !== ask.project));
    case 'follow':
      return state.has(followOf(ask.one)) ? state : new Map(state).set(followOf(ask.one), preset(since, IMPORTANT));
    case 'unfollow':
      return new Map([...state].filter(([name]) => name !== followOf(ask.one)));
    case 'preset':
      return change(ask.project, (entry) => {
        const { exceptions } = entry;
        if (ask.preset === 'important') return { ...preset(entry.since, IMPORTANT), exceptions };
        return { ...preset(entry.since, 0), growth: entry.growth ?? since, exceptions };
      });
    case 'filter':
      if (isExcluded(ask.project)) return state;
      if (isFollowing(ask.project))
        return except(ask.project, (before) => ({ ...before, least: ask.usd, modes: new Map(before.modes).set('supply', true) }));
      // A rule switches its kind on.
      return change(ask.project, (entry) => ({
        ...entry,
        least: ask.usd,
        off: new Set([...entry.off].filter((feed) => feed !== 'supply')),
      }));
    case 'trade':
      return change(ask.project, (entry) => ({ ...entry, trades: { above: ask.usd, since } }));
    case 'token':
      // `only` takes the place of every rule of the kind.
      return change(ask.project, (entry) => ({
        ...entry,
        leastMoved: 0,
        token: ask.token,
        off: new Set([...entry.off].filter((feed) => feed !== 'movements')),
      }));
    case 'mode':
      if (isExcluded(ask.project)) return state;
      if (isFollowing(ask.project))
        return except(ask.project, (before) =>
          ask.feed === 'growth'
            ? { ...before, growth: ask.on ? (before.growth ?? since) : undefined }
            : { ...before, modes: new Map(before.modes).set(ask.feed, ask.on) },
        );
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

/** docs/alerts.md: an unknown token passes. */
export const isFiltered = (row: LedgerRow, { least, leastMoved, token }: Entry): boolean => {
  if (row.ledger === 'supply') return row.usd < least;
  return row.usd < leastMoved || (token !== undefined && ![token, 'unknown'].includes(row.token ?? 'USDC'));
};

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
export function entryFor(state: ChatState, project: string): Entry | undefined {
  const [own, all] = [state.get(project), state.get('all')];
  const exception = all?.exceptions?.get(project);
  if (own !== undefined || all === undefined || exception === undefined) return own ?? all;
  if (exception.excluded === true) return undefined;
  const off = new Set(all.off);
  for (const [feed, isOn] of exception.modes ?? []) off[isOn ? 'delete' : 'add'](feed);
  const { since = all.since, least = all.least, growth = all.growth } = exception;
  return { ...all, since, least, growth, off };
}

const followOf = ({ title }: { readonly title: string }): string => `on ${title}`;

/** docs/alerts.md: one proposal or launch that is followed alone wins over its project. */
export const entryForOne = (state: ChatState, one: { readonly title: string; readonly project: string }): Entry | undefined =>
  state.get(followOf(one)) ?? entryFor(state, one.project);

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

/** Times in which the whole chat, one project, or one proposal or launch was surely muted. */
export function mutesOf(
  wishes: readonly Wish[],
  { project, title }: { readonly project?: string; readonly title?: string } = {},
): { readonly surely: readonly Span[]; readonly perhaps: readonly Span[] } {
  const isMeant = (ask: Extract<Ask, { kind: 'mute' | 'unmute' }>): boolean => ask.project === project && ask.one?.title === title;
  const surely: Span[] = [];
  const perhaps: Span[] = [];
  for (const { ask, askedAt, doneAt } of wishes) {
    if (ask.kind !== 'mute' || !isMeant(ask)) continue;
    const length = ask.minutes * 60_000;
    // A later one replaces it. Both may be done in the same millisecond, after a start.
    const isLater = (one: Wish): boolean => one.doneAt > doneAt || (one.doneAt === doneAt && one.askedAt > askedAt);
    const next = wishes.filter((one) => (one.ask.kind === 'mute' || one.ask.kind === 'unmute') && isMeant(one.ask) && isLater(one));
    const ended = Math.min(...next.map((one) => one.askedAt), askedAt + length);
    if (doneAt < ended) surely.push({ from: doneAt, to: ended });
    perhaps.push({ from: askedAt, to: doneAt === Number.POSITIVE_INFINITY ? doneAt : doneAt + length });
  }
  return { surely, perhaps };
}
