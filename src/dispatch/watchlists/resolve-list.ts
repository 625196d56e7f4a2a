/** Resolves the lines of a list for this chat. */
import { IANAZone } from 'luxon';
import { omitUndefined } from '../../base/omit-undefined.js';
import { LAUNCHES_FEED, MAX_MENTIONS, kindsFor, projectOfMarket, type Exception, type Target } from '../../alerts/watchlist/entry.js';
import { readRule } from '../../alerts/rules/read-rule.js';
import { DEFAULT_PRESET, KIND_MODES, presetRules, type Preset } from '../../alerts/rules/presets.js';
import { wordsOf, type Rules } from '../../alerts/rules/rule.js';
import { MAX_MUTED_TOPICS } from '../../alerts/watchlist/watchlists.js';
import { UnknownProjectError } from '../../analytics/directory.js';
import { DAY, later, type Instant } from '../../base/clock.js';
import { either } from '../../base/sentence-lists.js';
import { brief } from '../../base/one-line.js';
import { platformOf } from '../../chat/address.js';
import type { Person } from '../../chat/inbound.js';
import { mentionSchema, type Mention } from '../../chat/reply.js';
import type { Project } from '../../domain/project.js';
import type { Slug } from '../../domain/scalars.js';
import { keyFault, walletAddress } from '../../domain/wallet.js';
import type { Context } from '../context.js';
import { MAX_MUTE, UserError, optional } from '../../reply/index.js';
import { unknownNameWords } from '../error-sentences.js';
import { screenFilterOf } from './screen-filter.js';
import { knownMarket, type MarketContext } from './markets.js';
import { labelFault } from './targets.js';
import { momentOf, saysNothing, type FileEntry, type FileSettings } from './list-file.js';
import type { ChatSettings, EntrySettings, RefusedItem, WantedEntry } from './list-plan.js';
import { MAX_LINES, namedEntry, type ImportedList, type ListItem } from './read-list.js';

/** The parts of a context that resolving needs. A file that is applied has no question, so it brings them itself. */
export interface ResolveContext extends Pick<Context, 'kinds' | 'now'>, MarketContext {
  readonly directory: Pick<Context['directory'], 'all' | 'named' | 'find'>;
  readonly signal?: AbortSignal | undefined;
  readonly asker: Pick<Person, 'mayMention'>;
  /** Also reads rules that have expired, because a file keeps them until somebody removes them. */
  readonly readsOver?: boolean;
}

export interface ResolvedList {
  readonly wanted: readonly WantedEntry[];
  readonly settings?: ChatSettings;
  readonly refused: readonly RefusedItem[];
  /** Proposals and launches that are over, so that there is nothing to follow. */
  readonly over: readonly RefusedItem[];
  readonly notes: readonly string[];
}

class Refused extends Error {}

class Over extends Error {}

/** Resolves a list. Rejects with an `AnalyticsError` if it names projects and the list of projects cannot be read. */
export async function resolve(list: ImportedList, context: ResolveContext): Promise<ResolvedList> {
  const wanted: WantedEntry[] = [];
  const refused: RefusedItem[] = [];
  const over: RefusedItem[] = [];
  const notes = new Set<string>();
  // Without the list of projects, labels are not compared with project names; wallets can still be watched.
  const projects = (await optional(context.directory.all())).answer ?? [];
  const items = (await Promise.all(list.items.map(async (item) => apart(item, context)))).flat();
  const slugOf = slugFinder(context);
  for (const { where, what, entry, fault } of items) {
    try {
      if (entry === undefined) throw new Refused(fault);
      const target = await targetOf(entry, { projects, slugOf, context });
      const note = (says: string): void => void notes.add(says);
      const refuse = (part: string, because: string): void => void refused.push({ where, what: `${what}, ${part}`, because });
      const settings = list.settings === undefined ? undefined : await settingsOf(entry, { target, context, note, slugOf, refuse });
      const written = writtenAs(entry, target);
      wanted.push(omitUndefined({ where, what, target, written, settings }));
    } catch (cause) {
      if (!(cause instanceof Refused) && !(cause instanceof Over)) throw cause;
      (cause instanceof Over ? over : refused).push({ where, what, because: cause.message });
    }
  }
  const settings = list.settings && chatSettings(list.settings, context, (says) => void notes.add(says));
  return omitUndefined({ wanted, refused, over, notes: [...notes], settings });
}

async function apart(item: ListItem, { directory }: ResolveContext): Promise<readonly ListItem[]> {
  const words = item.entry?.project?.split(/\s+/u) ?? [];
  if (words.length < 2 || words.length > MAX_LINES || item.entry?.rules !== undefined) return [item];
  const isName = async (text: string): Promise<boolean> => (await directory.named(text)).length > 0;
  if (await isName(words.join(' '))) return [item];
  const entries = words.map(namedEntry);
  for (const { project } of entries) if (project !== undefined && !(await isName(project))) return [item];
  return entries.map((entry, index) => ({ where: item.where, what: words[index] ?? item.what, entry }));
}

/** Replaces the names that a file uses for a target by the canonical ones. */
function writtenAs(entry: FileEntry, target: Target): FileEntry {
  if (target.kind === 'project') return { ...entry, project: target.slug };
  return target.kind === 'market' ? omitUndefined({ ...entry, market: target.topic, title: target.title }) : entry;
}

interface TargetDeps {
  readonly projects: readonly Project[];
  readonly slugOf: (text: string) => Promise<Slug>;
  readonly context: ResolveContext;
}

async function targetOf(
  { watch, wallet, market, screen, label, project = '' }: FileEntry,
  { projects, slugOf, context }: TargetDeps,
): Promise<Target> {
  if (watch !== undefined) return { kind: watch };
  if (market !== undefined) return marketTargetOf(market, slugOf, context);
  if (screen !== undefined) return { kind: 'screen', filter: screenOf(screen) };
  if (wallet === undefined) return { kind: 'project', slug: await slugOf(project) };
  const fault = keyFault(wallet);
  if (fault !== undefined) throw new Refused(`not a wallet address (${fault})`);
  const odd = label === undefined ? undefined : labelFault(label, projects);
  if (odd !== undefined) throw new Refused(odd.replace(/ Choose [^.]+\.$/u, '').replace(/\.$/u, ''));
  return omitUndefined({ kind: 'wallet', address: walletAddress(wallet), label });
}

/** Makes the target of a topic, with its title if that is known. For an unknown key, checks only that the project exists. */
async function marketTargetOf(written: string, slugOf: TargetDeps['slugOf'], context: ResolveContext): Promise<Target> {
  const [kind = '', ...rest] = written.split('/');
  const key = rest.at(-1) ?? '';
  const fault = keyFault(key);
  if (fault !== undefined) throw new Refused(`not a public key (${fault})`);
  const project = kind === LAUNCHES_FEED ? undefined : await slugOf(rest[0] ?? '');
  const topic = [kind, ...(project === undefined ? [] : [project]), key].join('/');
  const known = await knownMarket(key, project, context);
  if (known !== undefined && known.topic !== topic) throw new Refused(otherMarketText(known.topic));
  if (known?.isOver === true) throw new Over(known.title === undefined ? 'it is over' : `"${brief(known.title)}" is over`);
  return omitUndefined({ kind: 'market', topic, title: known?.title });
}

function otherMarketText(topic: string): string {
  const project = projectOfMarket({ topic });
  return project === undefined ? 'that is a launch, and no proposal' : `that is a proposal of ${project}`;
}

function screenOf(text: string): string {
  try {
    return screenFilterOf(text);
  } catch (error) {
    if (error instanceof UserError) throw new Refused(`not a screen (${error.message.replace(/\.$/u, '')})`);
    throw error;
  }
}

function slugFinder({ directory, signal }: ResolveContext): (text: string) => Promise<Slug> {
  let searched = false;
  return async (text) => {
    const [known, ...others] = await directory.named(text);
    if (known !== undefined && others.length === 0) return known.slug;
    if (known === undefined && searched) throw new Refused(unknownNameWords(text));
    try {
      searched ||= known === undefined;
      return (await directory.find(text, signal)).slug;
    } catch (error) {
      if (!(error instanceof UnknownProjectError)) throw error;
      const names = error.nearest.map(({ slug, name }) => (name === slug ? slug : `${slug} (${name})`));
      const guess = names.length === 0 ? '' : `. Did you mean ${either(names)}?`;
      throw new Refused(`${unknownNameWords(text, error.several)}${guess}`);
    }
  };
}

interface Setting {
  readonly target: Target;
  readonly context: ResolveContext;
  readonly note: (says: string) => void;
  readonly slugOf: (text: string) => Promise<Slug>;
  /** Leaves out a part of the entry and records why. */
  readonly refuse: (part: string, because: string) => void;
}

async function settingsOf(entry: FileEntry, { target, context, note, slugOf, refuse }: Setting): Promise<EntrySettings> {
  const kinds = kindsFor(
    target,
    context.kinds.map(({ id }) => id),
  );
  const known = (kind: string): boolean => {
    if (kinds.includes(kind)) return true;
    note(`Ignored: "${brief(kind)}" is not a kind of alert for every entry that lists it.`);
    return false;
  };
  const { preset = context.watchlists.read(context.chat).preset ?? DEFAULT_PRESET } = entry;
  const isUsual = (kind: string, rule: Rules, isText: boolean): boolean => isPreset(kind, rule, { preset, isText });
  const mentions = await mentionsOf(entry.mentions ?? [], { context, note });
  const exceptions = new Map<string, Exception>();
  for (const { project, excluded, ...written } of entry.exceptions ?? []) {
    try {
      const slug = await slugOf(project);
      if (exceptions.has(slug)) throw new Refused(`it has two exceptions for ${slug}`);
      // The rules of an exception replace those of the entry, so they are kept even if they equal the preset's.
      const isUsualHere = (kind: string, rule: Rules, isText: boolean): boolean => isText && meansPreset(kind, rule);
      exceptions.set(
        slug,
        omitUndefined({ excluded, ...whatOf(written, { known, now: context.now, readsOver: context.readsOver, isUsual: isUsualHere }) }),
      );
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      refuse(`exception for ${brief(project)}`, cause.message);
    }
  }
  const { modes, rules, mutedUntil, mutedKinds } = whatOf(entry, { known, now: context.now, readsOver: context.readsOver, isUsual });
  return {
    preset,
    modes,
    rules,
    maxAgeHours: entry.maxAgeHours,
    mutedUntil,
    mutedKinds,
    mentions: mentions.length === 0 ? undefined : mentions,
    exceptions: exceptions.size === 0 ? undefined : Object.fromEntries(exceptions),
  };
}

interface Reading {
  readonly known: (kind: string) => boolean;
  readonly now: Instant;
  readonly readsOver: boolean | undefined;
  readonly isUsual: (kind: string, rule: Rules, isText: boolean) => boolean;
}

function whatOf(
  written: Pick<FileEntry, 'on' | 'silent' | 'off' | 'rules' | 'mutedUntil' | 'mutedKinds'>,
  { known, now, readsOver, isUsual }: Reading,
): Pick<EntrySettings, 'modes' | 'rules' | 'mutedUntil' | 'mutedKinds'> {
  const rules: Record<string, Rules> = {};
  for (const one of written.rules ?? []) {
    const { kind, ...rule } = typeof one === 'string' ? ruleOf(one, { now, readsOver }) : one;
    if (rules[kind] !== undefined) throw new Refused(`it has two rules for ${kind}; join them with ";"`);
    if (known(kind) && !isUsual(kind, rule, typeof one === 'string')) rules[kind] = rule;
  }
  const modes = KIND_MODES.flatMap((mode) => (written[mode] ?? []).filter(known).map((kind) => [kind, mode] as const));
  return {
    modes: modes.length === 0 ? undefined : Object.fromEntries(modes),
    rules: Object.keys(rules).length === 0 ? undefined : rules,
    mutedUntil: muteOf(written.mutedUntil, now),
    mutedKinds: mutesOf(written.mutedKinds, { known, now }),
  };
}

/** "premium: everything" in text means the preset's rules. */
const meansPreset = (kind: string, rule: Rules): boolean => saysNothing(rule) && presetRules('everything', kind).thresholds.length > 0;

function isPreset(kind: string, rule: Rules, { preset, isText }: { readonly preset: Preset; readonly isText: boolean }): boolean {
  if (isText && meansPreset(kind, rule)) return true;
  // Under the preset Digest only chosen rules alert, so a chosen rule is kept even if it equals the preset's.
  return preset !== 'digest' && wordsOf({ kind, ...rule }) === wordsOf({ kind, ...presetRules(preset, kind) });
}

function ruleOf(text: string, { now, readsOver = false }: Pick<Reading, 'now' | 'readsOver'>) {
  // A file contains all rules of a kind, so "only" adds nothing.
  const typed = text.replace(/^\s*(?:([a-z]+)\s*:?\s+)?only\s+/iu, '$1 ').trim();
  const current = readRule(typed, now);
  const rule = current.read || !readsOver ? current : readRule(typed);
  if (!rule.read) throw new Refused(`invalid rule "${brief(text)}": ${rule.says}`);
  return rule.rules;
}

function muteOf(text: string | undefined, now: Instant): Instant | undefined {
  if (text === undefined) return undefined;
  const end = momentOf(text);
  if (end > later(now, MAX_MUTE)) throw new Refused(`a mute lasts at most ${MAX_MUTE / DAY} days`);
  return end <= now ? undefined : end;
}

function mutesOf(
  mutes: FileSettings['mutedKinds'],
  { known, now }: { known: (kind: string) => boolean; now: Instant },
): ChatSettings['mutedKinds'] {
  const holding = Object.entries(mutes ?? {}).flatMap(([kind, text]) => {
    const end = known(kind) ? muteOf(text, now) : undefined;
    return end === undefined ? [] : [[kind, end] as const];
  });
  return holding.length === 0 ? undefined : Object.fromEntries(holding);
}

const MENTION = /^([a-z]+) (role) (\d{1,20})$/u;

async function mentionsOf(
  written: readonly string[],
  { context, note }: Omit<Setting, 'target' | 'slugOf' | 'refuse'>,
): Promise<readonly Mention[]> {
  const mentions: Mention[] = [];
  for (const text of new Set(written)) {
    const [, platform, kind, id] = MENTION.exec(text) ?? [];
    const mention = mentionSchema.safeParse({ kind, id });
    if (platform !== platformOf(context.chat)) note('Ignored: mentions from another platform.');
    else if (!mention.success) throw new Refused(`"${brief(text)}" is not a mention`);
    else if ((await context.asker.mayMention?.(mention.data)) !== true) note("Ignored: mentions you aren't allowed to make here.");
    else mentions.push(mention.data);
  }
  if (mentions.length > MAX_MENTIONS) throw new Refused(`it has ${mentions.length} mentions; the limit is ${MAX_MENTIONS}`);
  return mentions;
}

function chatSettings(
  { timezone, preset, quiet, digest, mutedUntil, mutedKinds, mutedTopics = {} }: FileSettings,
  context: ResolveContext,
  note: (says: string) => void,
): ChatSettings {
  const ids = context.kinds.map(({ id }) => id);
  const known = (kind: string): boolean => {
    if (!ids.includes(kind)) note(`Ignored: "${brief(kind)}" is not a kind of alert.`);
    return ids.includes(kind);
  };
  const tried = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      note(`Ignored: the mute of this chat is too long; ${cause.message}.`);
      return undefined;
    }
  };
  const isZone = timezone !== undefined && IANAZone.isValidZone(timezone);
  if (timezone !== undefined && !isZone) note(`Ignored: unknown timezone "${brief(timezone)}".`);
  const until = tried(() => muteOf(mutedUntil, context.now));
  const kinds = tried(() => mutesOf(mutedKinds, { known, now: context.now }));
  const chosen = Object.fromEntries(Object.entries(mutedTopics).slice(0, MAX_MUTED_TOPICS));
  const topics = tried(() => mutesOf(chosen, { known: () => true, now: context.now }));
  return omitUndefined({
    timezone: isZone ? timezone : undefined,
    preset,
    quiet,
    digest: digest && { ...digest, since: context.now },
    mutedUntil: until,
    mutedKinds: kinds,
    mutedTopics: topics,
  });
}
