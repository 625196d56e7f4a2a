/** Parses `/alerts` into an entry, a kind and an action. */
import { brief } from '../../src/base/one-line.js';
import { both } from '../../src/base/sentence-lists.js';
import { kindsFor, shortName, targetName, type Entry, type Target } from '../../src/alerts/watchlist/entry.js';
import { readRule } from '../../src/alerts/rules/read-rule.js';
import { PRESETS, type Preset } from '../../src/alerts/rules/presets.js';
import { entryHere } from '../../src/alerts/watchlist/exceptions.js';
import { MAX_NAME_WORDS } from '../../src/domain/project.js';
import { looksLikeKey } from '../../src/domain/wallet.js';
import type { Instant } from '../../src/base/clock.js';
import { EXTRAS, type Extra } from '../../src/chat/notifier.js';
import { UserError, commandLine, requireManager } from '../../src/reply/index.js';
import type { Context } from '../../src/dispatch/context.js';
import { entryNamed, entryOf, targetOf, titleOf } from '../../src/dispatch/watchlists/targets.js';
import type { ALERT_ACTIONS } from '../../src/dispatch/watchlists/rule-text.js';
import { typing } from './edit.js';

type Word = (typeof ALERT_ACTIONS)[number];

export interface AlertOptions {
  readonly target?: string | undefined;
  readonly kind?: string | undefined;
  readonly action?: Word | undefined;
  readonly rule?: string | undefined;
}

export type AlertAction =
  | { readonly do: 'show' }
  | { readonly do: 'on' | 'silent' | 'off' | 'usual' | 'everything' }
  | { readonly do: 'preset'; readonly preset: Preset }
  /** With an id, only that change is undone. */
  | { readonly do: 'undo'; readonly id: string | undefined }
  | { readonly do: 'rule' | 'only' | 'set' | 'remove'; readonly text: string }
  | { readonly do: 'age'; readonly text: string }
  | { readonly do: 'mention' | 'unmention'; readonly text: string }
  /** If `to` is undefined, the request asks for the present state. */
  | { readonly do: Extra; readonly to: 'on' | 'off' | undefined };

export interface AlertRequest {
  /** Undefined if there are several entries and none was named. */
  readonly entry: Entry | undefined;
  readonly kind: string | undefined;
  readonly action: AlertAction;
}

export const isBacktest = (action: Word | undefined): boolean => action === 'backtest' || action === 'preview';

/** Parses the options. Rejects with a `UserError` or an `UnknownProjectError`. */
export async function readRequest(asked: AlertOptions, context: Context): Promise<AlertRequest> {
  const options = await withEntryNamedAsPreset(asked, context);
  const { entries } = context.watchlists.read(context.chat);
  const [only, ...others] = entries;
  const found = await entryAndText(options, context);
  // "launches" is both an entry and a kind. The entry takes precedence, because it has no other kind.
  const launches = found.entry === undefined && options.kind === 'launches' ? entryNamed('launches', { entries }) : undefined;
  const { kind, text } = kindOf({ kind: launches === undefined ? options.kind : undefined, text: found.text }, ids(context));
  const entry = found.entry ?? launches ?? (others.length === 0 ? only : soleWith(kind, entries));
  const kinds = entry === undefined ? ids(context) : kindsFor(entry.target, ids(context));
  const said = actionOf(options.action, text);
  // "everything" removes the filters of a kind; without a kind it is the preset.
  const action: AlertAction = said.do === 'everything' && kind === undefined ? { do: 'preset', preset: 'everything' } : said;
  if (!isQuestion(action)) await requireManager(context.asker);
  // An action on an entry with one kind applies to that kind.
  const meant = kind ?? (kinds.length === 1 && !isOfEntry(action) ? kinds[0] : undefined) ?? kindOfRule(action, context.now);
  if (entry !== undefined && meant !== undefined && !kinds.includes(meant))
    throw new UserError(`${await titleOf(entry.target, context)} has no ${meant} alerts. It has ${both(kinds)}.`, {
      actions: [{ label: `Alerts for ${shortName(entry.target)}`, line: commandLine('alerts', targetName(entry.target)) }],
    });
  return { entry, kind: meant, action };
}

async function withEntryNamedAsPreset(options: AlertOptions, context: Context): Promise<AlertOptions> {
  const { action, target, rule } = options;
  if (!PRESETS.some((preset) => preset === action) || action === undefined) return options;
  const chat = context.watchlists.read(context.chat);
  const words = [target, rule].flatMap((part) => part?.split(/\s+/u) ?? []);
  for (let length = Math.min(words.length, MAX_NAME_WORDS); length >= 0; length -= 1) {
    const others = words.slice(0, length);
    const name = [[action, ...others].join(' '), [...others, action].join(' ')].find((one) => entryNamed(one, chat) !== undefined);
    if (name === undefined) continue;
    if (length === 0 && target !== undefined && (await entriesByName(context, false)(target)) !== undefined) return options;
    return { ...options, action: undefined, target: name, rule: length === words.length ? undefined : words.slice(length).join(' ') };
  }
  return options;
}

export function soleWith(kind: string | undefined, entries: readonly Entry[]): Entry | undefined {
  const [one, ...others] = kind === undefined ? [] : entries.filter(({ target }) => kindsFor(target, [kind]).length > 0);
  return others.length === 0 ? one : undefined;
}

/** Finds the entry and the rule's text. Requires a manager, except for a backtest. */
export async function entryAndText(
  { target, kind, action, rule }: AlertOptions,
  context: Context,
): Promise<{ readonly entry?: Entry; readonly project?: Target; readonly text: string }> {
  const words = [target, rule].flatMap((part) => part?.split(/\s+/u) ?? []);
  const text = words.join(' ');
  const isRule = beginsRule(words[0] ?? '');
  const named = entriesByName(context, isRule);
  const longest = Math.min(words.length, MAX_NAME_WORDS);
  // The longest name is tried first, so that "Heron Flats" is not read as a rule of "heron".
  for (let length = longest; length > 0; length -= 1) {
    const entry = await named(words.slice(0, length).join(' '));
    if (entry !== undefined) return { entry, text: words.slice(length).join(' ') };
  }
  // "usd>5 tide" means the same as "tide usd>5".
  const isOnMarket = words.at(-2)?.toLowerCase() === 'on' && looksLikeKey(words.at(-1) ?? '');
  for (let length = isRule && !isOnMarket ? longest : 0; length > 0; length -= 1) {
    const name = words.slice(-length).join(' ');
    const entry = (await named(name)) ?? (beginsRule(name) ? undefined : await entriesByName(context, false)(name));
    if (entry !== undefined) return { entry, text: words.slice(0, -length).join(' ') };
  }
  // A backtest stores nothing, so its project need not be watched.
  for (let length = isRule && isBacktest(action) ? longest - 1 : 0; length > 0; length -= 1) {
    const [project, another] = await context.directory.named(words.slice(-length).join(' '));
    if (project !== undefined && another === undefined)
      return { project: { kind: 'project', slug: project.slug }, text: words.slice(0, -length).join(' ') };
  }
  if (target === undefined) return { text };
  if (!isBacktest(action) && (action !== undefined || rule !== undefined || isRule)) await requireManager(context.asker);
  if (isRule || (kind !== undefined && isRuleOfKind(kind, text, context.now))) return { text };
  if (isBacktest(action)) return { project: await targetOf(target, context), text: rule ?? '' };
  return { entry: await entryOf(target, context), text: rule ?? '' };
}

function entriesByName({ watchlists, chat: address, directory }: Context, ownOnly: boolean) {
  const chat = watchlists.read(address);
  return async (text: string): Promise<Entry | undefined> => {
    const own = entryNamed(text, chat);
    if (own !== undefined || ownOnly) return own;
    const slugs = (await directory.named(text)).map(({ slug }) => slug);
    const named = chat.entries.find(({ target }) => target.kind === 'project' && slugs.includes(target.slug));
    const [slug, ...others] = slugs;
    return named ?? (slug === undefined || others.length > 0 ? undefined : entryHere(chat, { kind: 'project', slug }));
  };
}

function isRuleOfKind(kind: string, text: string, now: Instant): boolean {
  const found = readRule(`${kind} ${text}`, now);
  return found.read && (found.rules.thresholds.length > 0 || Object.keys(found.rules.filters).length > 0);
}

const RULE_WORDS =
  /^(?:usd|amount|percent|stages?|metrics?|tokens?|categor(?:y|ies)|accounts?|titles?|moves?|changes?|extreme|z|z-?score|below|under|above|over|at|premium|runway|nav|allowance|rank|margin|flips?|worth|volume|traders|stake|trade|age|mentions?|discount|once|until|threads|publish)$/iu;

const COMPARES = /[<>=≤≥:@]/u;
const NUMBER = /^[-−+]?\$?\d[\d,.]*(?:[kmbt]n?|[%hdw])?$/iu;

/** Tells whether the target begins with a rule, as in "usd>5 tide". */
export const isRuleFirst = (target: string | undefined): boolean => beginsRule(target?.trim().split(/\s+/u)[0] ?? '');

const beginsRule = (word: string): boolean => !looksLikeKey(word) && [COMPARES, NUMBER, RULE_WORDS].some((form) => form.test(word));

export function kindOf(
  { kind, text }: { kind: string | undefined; text: string },
  kinds: readonly string[],
): { kind: string | undefined; text: string } {
  const [head = '', named = ''] = /^([a-z-]+)(?::\s*|\s+|$)/iu.exec(text) ?? [];
  const found = kinds.find((one) => one === named.toLowerCase());
  if (found === undefined || (kind !== undefined && kind !== found)) return { kind, text };
  return { kind: found, text: text.slice(head.length) };
}

const isOfEntry = ({ do: what }: AlertAction): boolean =>
  what === 'show' || what === 'preset' || what === 'undo' || what === 'threads' || what === 'publish';

/** Tells whether an action only reads, which needs no permission: `age` and `mention` without a value. */
const isQuestion = (action: AlertAction): boolean =>
  action.do === 'show' ||
  ((action.do === 'threads' || action.do === 'publish') && action.to === undefined) ||
  ((action.do === 'age' || action.do === 'mention') && action.text === '');

/** Reads "threads on", "threads:off" and "publish". */
function extraOf(set: Word | undefined, text: string): AlertAction | undefined {
  const [, name, word] = /^(threads|publish)(?:\s*:\s*|\s+|$)(on|off)?$/iu.exec(text) ?? [];
  const extra = EXTRAS.find((one) => one === name?.toLowerCase());
  if (extra === undefined || !(set === undefined || set === 'on' || set === 'off')) return undefined;
  const to = word?.toLowerCase() ?? set;
  return { do: extra, to: to === 'on' || to === 'off' ? to : undefined };
}

function actionOf(set: Word | undefined, text: string): AlertAction {
  const extra = extraOf(set, text);
  if (extra !== undefined) return extra;
  const [head = '', topic = ''] = /^(age|mention)s?(?:\s+|$)/iu.exec(text) ?? [];
  if (topic !== '' || set === 'age' || set === 'mention') {
    const rest = text.slice(head.length);
    const about = topic === '' ? set : topic.toLowerCase();
    if (about === 'age') return { do: 'age', text: rest !== '' ? rest : set === 'age' || set === undefined ? '' : set };
    if (set === 'remove' || set === 'off' || /^(off|none|nobody)$/iu.test(rest))
      return { do: 'unmention', text: set === 'remove' ? rest : '' };
    const [remove = ''] = /^remove\s+/iu.exec(rest) ?? [];
    return remove === '' ? { do: 'mention', text: rest } : { do: 'unmention', text: rest.slice(remove.length) };
  }
  if (set === 'only' || set === 'set' || set === 'remove') return { do: set, text };
  // "remind off" and "back off" mean "remind:off" and "back:off". Alone, "off" would be another action.
  const [manner] = /^(?:back(?:\s+to\s+normal)?|remind(?:er)?s?|updates?)$/iu.exec(text) ?? [];
  if (set === 'off' && manner !== undefined) return { do: 'rule', text: `${manner} off` };
  if (set === 'usual' && manner !== undefined) return { do: 'remove', text: manner.split(/\s/u)[0] ?? manner };
  if (
    set === 'test' ||
    set === 'replay' ||
    set === 'watch' ||
    set === 'watch-only' ||
    set === 'backtest' ||
    set === 'preview' ||
    (set === undefined && text === '')
  )
    return { do: 'show' };
  if (set === undefined) return { do: 'rule', text };
  if (set === 'undo' && /^[\da-f]{6}$/u.test(text)) return { do: set, id: text };
  if (text !== '') throw new UserError(`"${brief(text)}" and "${set}" don't go together. Leave one of them out.`, typing());
  if (set === 'important' || set === 'most' || set === 'digest') return { do: 'preset', preset: set };
  return set === 'undo' ? { do: set, id: undefined } : { do: set };
}

function kindOfRule(action: AlertAction, now: Instant): string | undefined {
  if (action.do !== 'rule' && action.do !== 'only' && action.do !== 'remove') return undefined;
  return kindOfText(action.text, now);
}

export function kindOfText(text: string, now: Instant): string {
  const found = readRule(text, now);
  if (!found.read) throw new UserError(found.says, typing());
  return found.rules.kind;
}

export const ids = ({ kinds }: Pick<Context, 'kinds'>): readonly string[] => kinds.map(({ id }) => id);
