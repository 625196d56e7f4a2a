/** Resolves names to targets and entries: projects, and wallets by label or complete public key. */
import { capitalised } from '../../base/sentence-lists.js';
import { brief, oneLine } from '../../base/one-line.js';
import {
  DEFAULT_AGE_HOURS,
  LAUNCHES_FEED,
  MAX_MARKETS,
  calledHere,
  feedOfMarket,
  projectOfMarket,
  shortName,
  targetName,
  type Entry,
  type MarketTarget,
  type Target,
} from '../../alerts/watchlist/entry.js';
import { MAX_ENTRIES, entryFor, withEntry, type Chat } from '../../alerts/watchlist/watchlists.js';
import { allIn, entryHere } from '../../alerts/watchlist/exceptions.js';
import { AnalyticsError } from '../../analytics/errors.js';
import { UserError, checkedWallet, commandLine, muteTime, nameOfWallet, type NamedWallet, type WalletLabels } from '../../reply/index.js';
import type { Context } from '../context.js';
import { marketWords } from '../../domain/event.js';
import { keyFault, looksLikeKey, shortKey } from '../../domain/wallet.js';
import { KINDS } from '../../alerts/rules/kinds.js';
import { HOUR, instant, later, type Instant } from '../../base/clock.js';
import type { Slug } from '../../domain/scalars.js';
import { MAX_SCREENS } from '../../domain/screen.js';
import type { Project } from '../../domain/project.js';
import { namesScreen } from '../words.js';
import { screenFilterOf } from './screen-filter.js';
import { ALERT_ACTIONS } from './rule-text.js';

export const walletsOf = (chat: Pick<Chat, 'entries'>): readonly Extract<Target, { kind: 'wallet' }>[] =>
  chat.entries.flatMap(({ target }) => (target.kind === 'wallet' ? [target] : []));

export const labelsOf = (chat: Pick<Chat, 'entries'>): WalletLabels =>
  new Map(walletsOf(chat).flatMap(({ address, label }) => (label === undefined ? [] : [[address, label] as const])));

/** Finds a wallet by label or public key. Throws a `UserError` if there is none. */
export function findWallet(text: string, chat: Pick<Chat, 'entries'>): NamedWallet {
  const watched = walletsOf(chat);
  const known = watched.find(({ address }) => address === text) ?? watched.find(({ label }) => label?.toLowerCase() === text.toLowerCase());
  if (known !== undefined) return known;
  if (looksLikeKey(text) || keyFault(text) === undefined) return { address: checkedWallet(text) };
  throw new UserError([
    `No wallet called "${brief(text)}" in this chat. Paste its address, or label it with `,
    { code: `/watch <address> ${brief(text)}` },
    '.',
  ]);
}

const MAX_LABEL_LENGTH = 40;
const RESERVED: ReadonlySet<string> = new Set(['all', 'launches', ...KINDS, ...ALERT_ACTIONS]);
const ANY_TIME = { now: instant(0), zone: 'utc' } as const;

/** Says why a label cannot be used; undefined if it can. */
export function labelFault(label: string, projects: readonly Project[]): string | undefined {
  if (label.length > MAX_LABEL_LENGTH)
    return `A label has at most ${MAX_LABEL_LENGTH} characters; that one has ${label.length}. Choose a shorter one.`;
  if (oneLine(label) !== label) return 'A label is one line of visible characters. Choose another one.';
  const word = label.toLowerCase();
  if (RESERVED.has(word) || looksLikeKey(label) || muteTime(label, ANY_TIME) !== undefined)
    return `"${label}" can't be a label: it already has a meaning in commands. Choose another one.`;
  return projects.some(({ slug, symbol, name }) => [slug, symbol, name].some((one) => one?.toLowerCase() === word))
    ? `"${label}" can't be a label: a project has that name. Choose another one.`
    : undefined;
}

/** Resolves a name or a complete public key. Rejects with an `UnknownProjectError`. */
export async function targetOf(text: string, { directory, signal }: Pick<Context, 'directory' | 'signal'>): Promise<Target> {
  const word = text.toLowerCase();
  if (word === 'all' || word === 'launches') return { kind: word };
  const [, screen] = /^screen\s+(.*)$/iu.exec(text) ?? [];
  if (screen !== undefined) return { kind: 'screen', filter: screenFilterOf(screen) };
  // Public keys need no request. A project whose name looks like a key is in the directory.
  if (looksLikeKey(text) && !(await directory.named(text)).some(({ slug }) => slug.toLowerCase() === word))
    return { kind: 'wallet', address: checkedWallet(text) };
  return { kind: 'project', slug: (await directory.find(text, signal)).slug };
}

/** Returns "the proposal "Hire a steward"", with the shortened key if the title is unknown. */
function marketTitle(target: MarketTarget): string {
  const what = feedOfMarket(target) === LAUNCHES_FEED ? 'launch' : 'proposal';
  return target.title === undefined ? `the ${what} ${shortKey(targetName(target))}` : `the ${what} "${shortName(target)}"`;
}

export async function titleOf(target: Target, { directory }: Pick<Context, 'directory'>): Promise<string> {
  if (target.kind === 'launches') return 'launches';
  if (target.kind === 'all') return 'all projects';
  if (target.kind === 'screen') return targetName(target);
  if (target.kind === 'wallet') return nameOfWallet(target);
  if (target.kind === 'market') return marketTitle(target);
  return (await directory.get(target.slug)).name;
}

/** Writes the line that watches a target, with its label. */
export const watchLine = (target: Target): string =>
  target.kind === 'market'
    ? commandLine('watch', ...marketWords(target.topic))
    : commandLine('watch', targetName(target), calledHere(target));

/** Returns the stored name of a screen, however it was typed: "screen premium < -20". */
function storedName(text: string): string {
  if (!namesScreen(text)) return text;
  try {
    return targetName({ kind: 'screen', filter: screenFilterOf(text.replace(/^\S+\s+/u, '')) });
  } catch (error) {
    if (error instanceof UserError) return text;
    throw error;
  }
}

export function entryNamed(named: string, { entries }: Pick<Chat, 'entries'>): Entry | undefined {
  const text = storedName(named);
  const isCalled = (name: string | undefined): boolean => name?.toLowerCase() === text.toLowerCase();
  return (
    entries.find(({ target }) => targetName(target) === text) ??
    entries.find(({ target }) => isCalled(target.kind === 'wallet' ? calledHere(target) : targetName(target)))
  );
}

/** Finds a followed proposal or launch by "proposal audit", "proposal tide audit" or "launch Lagoon". Throws a `UserError` unless one matches. */
function followedNamed(text: string, entries: readonly Entry[]): Entry | undefined {
  const [, what = '', said = ''] = /^(proposal|launch)\s+(\S.*)$/iu.exec(text) ?? [];
  if (what === '') return undefined;
  const words = said.toLowerCase().split(/\s+/u);
  const followed = entries.filter(
    ({ target }) => target.kind === 'market' && (feedOfMarket(target) === LAUNCHES_FEED) === (what.toLowerCase() === 'launch'),
  );
  const isNamed = ({ target }: Entry): boolean => {
    if (target.kind !== 'market') return false;
    const names = `${projectOfMarket(target) ?? ''} ${targetName(target)} ${target.title ?? ''}`.toLowerCase();
    return words.every((word) => names.includes(word));
  };
  const found = followed.filter(isNamed);
  if (found.length === 1) return found[0];
  const offered = found.length > 1 ? found : followed;
  throw new UserError(
    found.length > 1
      ? `You follow ${found.length} ${what}s like that. Choose one.`
      : `You follow no ${what} with the words "${brief(said)}".${followed.length === 0 ? '' : ' Choose one of these.'}`,
    {
      actions:
        offered.length === 0
          ? [{ label: 'Watchlist', line: '/watchlist' }]
          : offered.slice(0, MAX_OFFERED).map(({ target }) => ({
              label: `Unfollow ${shortName(target)}`,
              line: commandLine('unwatch', targetName(target)),
            })),
    },
  );
}

/** Reads "tide on 9xQ…" or "launches on 4Fg…", as `/watch` and `/mute` take them. Rejects with a `UserError` for what is not followed, or of another project. */
async function followedBy(text: string, entries: readonly Entry[], context: Context): Promise<Entry | undefined> {
  const [, whose = '', key = ''] = /^(\S.*?)\s+on\s+(\S{32,44})$/u.exec(text) ?? [];
  if (key === '' || keyFault(key) !== undefined) return undefined;
  const found = entries.find(({ target }) => target.kind === 'market' && targetName(target) === key);
  const actions = [{ label: 'Watchlist', line: '/watchlist' }];
  if (found?.target.kind !== 'market')
    throw new UserError(`${capitalised(context.place)} does not follow ${shortKey(key)} alone.`, { actions });
  const project = projectOfMarket(found.target);
  const named: readonly (Slug | undefined)[] =
    whose.toLowerCase() === LAUNCHES_FEED ? [undefined] : (await context.directory.named(whose)).map(({ slug }) => slug);
  if (named.includes(project) || whose.toLowerCase() === project) return found;
  const of = project === undefined ? 'a launch' : `a proposal of ${(await context.directory.get(project)).name}`;
  throw new UserError(`${shortKey(key)} is ${of}.`, {
    actions: [{ label: `Unfollow ${shortName(found.target)}`, line: commandLine('unwatch', key) }, ...actions],
  });
}

const MAX_OFFERED = 5;

/** Finds an entry by name. For a project that only the entry for all projects covers, makes an entry from it. Rejects with a `UserError`. */
export async function entryOf(text: string, context: Context): Promise<Entry> {
  const { entries } = context.watchlists.read(context.chat);
  const named = entryNamed(text, { entries }) ?? (await followedBy(text, entries, context)) ?? followedNamed(text, entries);
  if (named) return named;
  const target = await targetOf(text, context).catch((error: unknown) => {
    if (error instanceof AnalyticsError) return undefined;
    throw error;
  });
  const found = target && entryHere({ entries }, target);
  if (found) return found;
  const title = target === undefined ? `"${brief(text)}"` : await titleOf(target, context);
  const isExcluded = target?.kind === 'project' && allIn({ entries }) !== undefined;
  const says = isExcluded
    ? `${title} is excluded from /watch all. To get its alerts again, watch it.`
    : `${capitalised(context.place)} does not watch ${title}.`;
  throw new UserError(says, {
    actions: [
      { label: 'Watchlist', line: '/watchlist' },
      ...(target === undefined ? [] : [{ label: 'Watch', line: commandLine('watch', targetName(target)) }]),
    ],
  });
}

/** Adds an entry unless another person has added it meanwhile. Resolves with the stored entry. Rejects with a `UserError` if the list is full. */
export async function addEntry(
  entry: Entry,
  { watchlists, chat: address }: Pick<Context, 'watchlists' | 'chat'>,
): Promise<{ readonly stands: Entry; readonly isAdded: boolean }> {
  let isAdded = false;
  const isMarket = entry.target.kind === 'market';
  const after = await watchlists.change(address, (before) => {
    const chat = withoutOver(before, entry.since);
    const markets = chat.entries.filter(({ target }) => target.kind === 'market' && target.endedAt === undefined);
    const hasRoom = chat.entries.length < MAX_ENTRIES && (!isMarket || markets.length < MAX_MARKETS) && hasScreenRoom(entry.target, chat);
    isAdded = entryFor(chat, entry.target) === undefined && hasRoom;
    return isAdded ? withEntry(chat, entry) : before;
  });
  const stands = entryFor(after, entry.target);
  if (stands === undefined && !hasScreenRoom(entry.target, after)) throw fullOfScreens(after);
  if (stands === undefined) throw isMarket && after.entries.length < MAX_ENTRIES ? fullOfMarkets() : full();
  return { stands, isAdded };
}

/** Removes entries of markets that ended longer ago than the maximum age of alerts. Entries of a WATCHLISTS file stay until it changes. */
const withoutOver = (chat: Chat, now: Instant): Chat => {
  if (chat.fromFile !== undefined) return chat;
  const isOver = ({ target, maxAgeHours = DEFAULT_AGE_HOURS }: Entry): boolean =>
    target.kind === 'market' && target.endedAt !== undefined && later(target.endedAt, maxAgeHours * HOUR) < now;
  return chat.entries.some(isOver) ? { ...chat, entries: chat.entries.filter((entry) => !isOver(entry)) } : chat;
};

const fullOfMarkets = (): UserError =>
  new UserError(`This chat follows ${MAX_MARKETS} single proposals and launches already. Unwatch one, or watch a whole project.`, {
    actions: [
      { label: 'Unwatch', line: '/unwatch' },
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });

const screensIn = ({ entries }: Pick<Chat, 'entries'>) => entries.filter(({ target }) => target.kind === 'screen');

const hasScreenRoom = ({ kind }: Target, chat: Pick<Chat, 'entries'>): boolean => kind !== 'screen' || screensIn(chat).length < MAX_SCREENS;

const fullOfScreens = (chat: Pick<Chat, 'entries'>): UserError =>
  new UserError(`A chat has at most ${MAX_SCREENS} saved screens. Remove one first.`, {
    actions: screensIn(chat).map(({ target }) => ({
      label: `Unwatch ${shortName(target)}`,
      line: commandLine('unwatch', targetName(target)),
    })),
  });

const full = (): UserError =>
  new UserError(`The watchlist is full (${MAX_ENTRIES} entries). Remove one first. /watch all covers every project with one entry.`, {
    actions: [
      { label: 'Unwatch', line: '/unwatch' },
      { label: 'Watchlist', line: '/watchlist' },
    ],
  });
