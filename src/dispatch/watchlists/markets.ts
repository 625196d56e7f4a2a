/** Reads one proposal or launch that a chat is to follow: "tide on 9xQ…", "launches on 4Fg…", "proposal tide audit", or the key of a proposal that is known. */
import { LAUNCHES_FEED, feedOfMarket, projectOfMarket, targetName, type Entry, type MarketTarget } from '../../alerts/watchlist/entry.js';
import { covering } from '../../alerts/watchlist/match.js';
import { isResult } from '../../alerts/rules/kinds.js';
import { isDigestOnly, isOff, presetRules } from '../../alerts/rules/presets.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { recentLaunches } from '../../analytics/endpoints/launches.js';
import { liveMarkets } from '../../analytics/endpoints/dashboard.js';
import { proposalDetail, proposals, type ProposalRow } from '../../analytics/endpoints/proposals.js';
import type { ActionDraft } from '../../chat/reply.js';
import { marketWords } from '../../domain/event.js';
import { phaseOf } from '../../domain/market-phase.js';
import { slugSchema, type Slug } from '../../domain/scalars.js';
import { keyFault, looksLikeKey } from '../../domain/wallet.js';
import { UserError, commandLine, findProposal, isOpen, optional } from '../../reply/index.js';
import type { Why } from '../../alerts/explanation/explain.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import type { Context } from '../context.js';

type Asking = Pick<Context, 'analytics' | 'directory' | 'now' | 'signal'>;

/** Writes the line that does the same with the proposal of a public key. */
type LineOfKey = (key: string) => string;

const followed: LineOfKey = (key) => commandLine('watch', 'proposal', key);

interface MarketChoice {
  readonly lineOf?: LineOfKey;
  readonly preferred?: ReadonlySet<string>;
}

/** Resolves with undefined if the text names no single proposal or launch. Rejects with a `UserError` if it cannot be followed. */
export async function marketNamed(
  text: string,
  context: Asking,
  { lineOf = followed, preferred }: MarketChoice = {},
): Promise<MarketTarget | undefined> {
  const [, whose = '', key = ''] = /^(\S.*?)\s+on\s+(\S{32,44})$/u.exec(text) ?? [];
  if (key !== '' && keyFault(key) === undefined)
    return whose.toLowerCase() === LAUNCHES_FEED
      ? launchOf(key, context)
      : ofProject(await proposalOf({ project: key, words: undefined, preferred }, context, lineOf), whose, context);
  const [, named] = /^proposal\s+(\S.*)$/iu.exec(text) ?? [];
  if (named !== undefined) {
    const [project = '', ...words] = named.split(/\s+/u);
    return proposalOf({ project, words: words.length === 0 ? undefined : words.join(' '), preferred }, context, lineOf);
  }
  // A key alone is a wallet unless it belongs to a known proposal. The lookup makes no request.
  if (!looksLikeKey(text) || keyFault(text) !== undefined) return undefined;
  const kept = await context.analytics.kept(proposalDetail, { publicKey: text });
  return kept === undefined ? undefined : targetOf(text, kept.data);
}

async function proposalOf(
  asked: { readonly project: string; readonly words: string | undefined; readonly preferred: ReadonlySet<string> | undefined },
  context: Asking,
  lineOf: LineOfKey,
): Promise<MarketTarget> {
  const { publicKey, row } = await findProposal({ ...asked, taken: [], view: 'summary', prefersOpen: true }, context).catch(
    (error: unknown) => {
      throw error instanceof UserError ? withLines(error, lineOf) : error;
    },
  );
  return targetOf(publicKey, row);
}

/** Rejects with a `UserError` for a proposal of another project than the one that was named. */
async function ofProject(target: MarketTarget, whose: string, { directory, signal }: Asking): Promise<MarketTarget> {
  const [of, named] = [projectOfMarket(target), await directory.find(whose, signal)];
  if (of === undefined || named.slug === of) return target;
  throw new UserError(`That proposal is of ${(await directory.get(of)).name}, not of ${named.name}.`, {
    actions: [{ label: 'Follow it', line: commandLine('watch', ...marketWords(target.topic)) }],
  });
}

/** Its buttons show proposals, of which one is meant. */
const withLines = ({ says, remedy }: UserError, lineOf: LineOfKey): UserError =>
  new UserError(says, {
    ...remedy,
    actions: (remedy.actions ?? []).map(({ line, ...action }) => ({
      ...action,
      line: line.replace(/^\/proposal (\S{32,44})$/u, (_, key: string) => lineOf(key)),
    })),
  });

function targetOf(publicKey: string, row: Pick<ProposalRow, 'slug' | 'title'> & ProposalRow): MarketTarget {
  const title = row.title === undefined ? {} : { title: row.title.slice(0, MAX_TITLE) };
  const project = slugSchema.safeParse(row.slug);
  const view: ActionDraft = { label: 'Proposal', line: commandLine('proposal', publicKey) };
  if (!project.success)
    throw new UserError("This proposal can't be followed: its project is unknown. Watch the project instead.", { actions: [view] });
  if (!isOpen(row)) throw new UserError('This proposal is decided already, so there is nothing to follow.', { actions: [view] });
  return { kind: 'market', topic: `proposals/${project.data}/${publicKey}`, ...title };
}

const MAX_TITLE = 200;

async function launchOf(address: string, { analytics, signal }: Asking): Promise<MarketTarget> {
  const { answer } = await optional(analytics.call(recentLaunches, {}, { signal }));
  const launch = answer?.data.rows.find((one) => one.address === address);
  if (launch === undefined)
    throw new UserError('No recent launch has that address.', { actions: [{ label: 'Launches', line: '/launches' }] });
  const title = launch.title ?? launch.symbol;
  if (isResult(LAUNCHES_FEED, launch.state?.toLowerCase() ?? ''))
    throw new UserError('This launch is over already, so there is nothing to follow.', {
      actions: [{ label: 'Launches', line: '/launches' }],
    });
  return { kind: 'market', topic: `launches/${address}`, ...(title === undefined ? {} : { title: title.slice(0, MAX_TITLE) }) };
}

interface KnownMarket {
  readonly topic: string;
  readonly title: string | undefined;
  readonly isOver: boolean;
}

/** The sources in which `knownMarket` searches. */
export interface MarketContext extends Pick<Context, 'chat'> {
  readonly analytics: Pick<Context['analytics'], 'kept'>;
  readonly watchlists: Pick<Context['watchlists'], 'read'>;
  readonly why: Pick<Why, 'marketNamed'>;
}

const PAGES = [{}, ...[100, 50, 20, 10].map((limit) => ({ limit, page: 1 }))];

/** Finds a proposal or launch by its key in entries, check results, alerts and kept responses, without a request. Searches `project` first. */
export async function knownMarket(
  key: string,
  project: Slug | undefined,
  { analytics, why, watchlists, chat }: MarketContext,
): Promise<KnownMarket | undefined> {
  const [kept, stored] = [await keptMarket(key, project, analytics), await why.marketNamed(chat, key)];
  const followed = watchlists.read(chat).entries.find(({ target }) => target.kind === 'market' && targetName(target) === key)?.target;
  const found = kept ?? stored ?? (followed?.kind === 'market' ? followed : undefined);
  if (found === undefined) return undefined;
  const title = kept?.title ?? stored?.title ?? (followed?.kind === 'market' ? followed.title : undefined);
  return { topic: found.topic, title: title?.slice(0, MAX_TITLE), isOver: kept?.isOver === true || stored?.isOver === true };
}

async function keptMarket(key: string, project: Slug | undefined, analytics: MarketContext['analytics']): Promise<KnownMarket | undefined> {
  const detail = (await analytics.kept(proposalDetail, { publicKey: key }))?.data;
  const lists = await Promise.all(
    PAGES.map(async (page) => ({
      live: (await analytics.kept(liveMarkets, page))?.data.rows ?? [],
      own: project === undefined ? [] : ((await analytics.kept(proposals, { slug: project, ...page }))?.data.rows ?? []),
      launches: (await analytics.kept(recentLaunches, page))?.data.rows ?? [],
    })),
  );
  const isIt = ({ publicKey }: ProposalRow): boolean => publicKey === key;
  const own = lists.flatMap((list) => list.own).find(isIt);
  const rows = [detail, own, lists.flatMap((list) => list.live).find(isIt)].filter((row) => row !== undefined);
  const [slug] = [...rows.map((row) => row.slug), own && project].flatMap((text) => slugSchema.safeParse(text).data ?? []);
  const title = rows.find((row) => row.title !== undefined)?.title;
  if (slug !== undefined) return { topic: `proposals/${slug}/${key}`, title, isOver: rows.some(isDecided) };
  const launch = lists.flatMap((list) => list.launches).find(({ address }) => address === key);
  return launch && { topic: `launches/${key}`, title: launch.title ?? launch.symbol, isOver: false };
}

function isDecided(row: ProposalRow): boolean {
  const phase = phaseOf(row);
  return phase === 'passed' || phase === 'failed' || phase === 'removed';
}

/** Returns the button that follows or unfollows a proposal or launch; none if it is over or its project is unknown. */
export function followActions(
  about: { readonly publicKey: string; readonly row: ProposalRow } | { readonly launch: string },
  { entries }: Pick<Chat, 'entries'>,
): readonly ActionDraft[] {
  const project = 'row' in about ? slugSchema.safeParse(about.row.slug).data : undefined;
  if ('row' in about && (project === undefined || !isOpen(about.row))) return [];
  const topic = 'row' in about ? `proposals/${project}/${about.publicKey}` : `launches/${about.launch}`;
  const isFollowed = entries.some(({ target }) => target.kind === 'market' && target.topic === topic);
  return [
    isFollowed
      ? { label: 'Unfollow', line: commandLine('unwatch', topic.slice(topic.lastIndexOf('/') + 1)) }
      : { label: 'Follow', line: commandLine('watch', ...marketWords(topic)) },
  ];
}

/**
 * The entry that alerted of a market so far no longer decides about it, so its rules and reminders for this market, and the manner of its alerts, are
 * copied. Its other filters choose among markets, and this one is chosen already.
 */
export function withRulesSoFar(entry: Entry, target: MarketTarget, chat: Chat): { readonly entry: Entry; readonly from?: Entry } {
  const kind = feedOfMarket(target);
  const [from] = covering({ feed: kind, project: projectOfMarket(target), topic: target.topic }, chat);
  if (from === undefined || isOff(from, kind) || isDigestOnly(from, kind)) return { entry };
  const preset = from.preset === 'digest' ? entry.preset : from.preset;
  const own = from.rules?.[kind];
  const { maxAgeHours, mentions, threads, publish } = from;
  const copied = { ...entry, preset, ...omitUndefined({ maxAgeHours, mentions, threads, publish }) };
  if (own === undefined) return { entry: copied, from };
  const { remind, updates, back } = own.filters;
  const thresholds = own.thresholds.filter(({ only }) => only === undefined || only === targetName(target));
  const filters = { ...presetRules(preset, kind).filters, ...omitUndefined({ remind, updates, back }) };
  return { entry: { ...copied, rules: { [kind]: { filters, thresholds } } }, from };
}

/** Says when a watch of one market ends. It is said once, when the watch begins. */
export const endsItself = (target: MarketTarget): string =>
  feedOfMarket(target) === LAUNCHES_FEED ? 'It ends by itself after the result of the launch.' : 'It ends by itself after the result.';
