/** Answers `/alerts … backtest`: how often a rule would have alerted. Everyone may ask. */
import { LAUNCHES_FEED, kindsFor, shortName, targetName, type Entry, type Target } from '../../src/alerts/watchlist/entry.js';
import { entryHere } from '../../src/alerts/watchlist/exceptions.js';
import { DEFAULT_PRESET, isDigestOnly, rulesFor } from '../../src/alerts/rules/presets.js';
import { hasHistory, hasOnlyMeasures } from '../../src/alerts/rules/kinds.js';
import { capitalised } from '../../src/base/sentence-lists.js';
import { choosesAlerts, type KindRules } from '../../src/alerts/rules/rule.js';
import type { Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { UserError, commandLine } from '../../src/reply/index.js';
import { entryNamed } from '../../src/dispatch/watchlists/targets.js';
import { ruleOf, typing, usual, withPreset, without } from './edit.js';
import { backtestReply, busyReply, costlyReply, noHistoryReply, type BacktestSubject } from './backtest-reply.js';
import { entryAndText, ids, kindOf, kindOfText, soleWith, type AlertOptions } from './request.js';

const MAX_BUTTONS = 10;
const LAUNCHES: Target = { kind: 'launches' };
const CONFIRM = /(?:^|\s)confirm$/iu;

/** Rejects with a `UserError`, an `UnknownProjectError` or an `AnalyticsError`. */
export async function backtest(options: AlertOptions, context: Context): Promise<Reply> {
  const confirmed = [options.rule, options.target].some((text) => CONFIRM.test(text ?? ''));
  const subject = await subjectOf(withoutConfirm(options), context);
  const { target, rules } = subject;
  const project = target.kind === 'project' ? await context.directory.get(target.slug) : undefined;
  // Later questions may start: this one reads a long history and changes nothing.
  context.endTurn();
  const answer = await context.backtests.run({
    chat: context.chat,
    project,
    rules,
    confirmed,
    withEvents: subject.isOfEntry,
    analytics: context.analytics,
    signal: context.signal,
  });
  switch (answer.kind) {
    case 'no-history':
      return noHistoryReply(answer.because, subject);
    case 'which-project':
      throw whichProject(subject, context);
    case 'busy':
      return busyReply(subject);
    case 'costly':
      return costlyReply(answer, subject);
    case 'report':
      return backtestReply(answer, { ...subject, who: project?.symbol ?? subject.title, now: context.now });
  }
}

const confirmCut = (text: string | undefined): string | undefined => {
  const left = text?.replace(CONFIRM, '');
  return left === '' ? undefined : left;
};
const withoutConfirm = ({ target, rule, ...options }: AlertOptions): AlertOptions => ({
  ...options,
  target: confirmCut(target),
  rule: confirmCut(rule),
});

/** Words about how a rule is set and how its alerts are posted. They do not matter to a backtest. */
const MANNER = /^(?:only|on|silent)(?:\s+|$)/iu;

/** Words that change the existing rules of an entry. */
const OF_ENTRY = /^(?:important|most|usual|remove)(?:\s+|$)/iu;

/** Removes "only" from "only usd>1000 tide", unless a project has that name. */
async function withoutManner(options: AlertOptions, { directory, watchlists, chat }: Context): Promise<AlertOptions> {
  const { target = '', rule } = options;
  const [word = ''] = MANNER.exec(target) ?? [];
  const name = word.trim();
  if (name === '' || (await directory.named(name)).length > 0 || entryNamed(name, watchlists.read(chat)) !== undefined) return options;
  const left = [target.slice(word.length), rule].filter((part) => part !== undefined && part !== '').join(' ');
  const { target: _target, rule: _rule, ...others } = options;
  return left === '' ? others : { ...others, target: left };
}

/** Returns the entry as the words would change it; undefined if they are a rule. */
function withEntryRules(entry: Entry, kind: string, text: string): Entry | undefined {
  const word = OF_ENTRY.exec(text)?.[0].trim().toLowerCase();
  if (text === '') return entry;
  if (word === 'usual') return usual(entry, kind);
  if (word === 'important' || word === 'most') return withPreset(entry, word);
  return word === 'remove' ? without(entry, kind, text.slice('remove'.length).trim()) : undefined;
}

async function subjectOf(options: AlertOptions, context: Context): Promise<BacktestSubject> {
  const { entries } = context.watchlists.read(context.chat);
  const found = await entryAndText(await withoutManner(options, context), context);
  const { kind: named, text: typed } = kindOf({ kind: options.kind, text: found.text.replace(MANNER, '') }, ids(context));
  const text = typed.replace(MANNER, '');
  const isNamed = found.entry !== undefined || found.project !== undefined;
  const [only, ...others] = entries;
  const own = isNamed ? undefined : others.length === 0 ? only : soleWith(named, entries);
  const target = found.entry?.target ?? found.project ?? own?.target ?? (named === LAUNCHES_FEED ? LAUNCHES : undefined);
  if (target === undefined) throw whichTarget(options, entries);
  const entry = entryHere(context.watchlists.read(context.chat), target);
  const kinds = kindsFor(target, ids(context));
  const kind = named ?? (kinds.length === 1 ? kinds[0] : text === '' || OF_ENTRY.test(text) ? undefined : kindOfText(text, context.now));
  if (kind === undefined) throw whichKind(target, kinds);
  const before = entry === undefined || isDigestOnly(entry, kind) ? { target, since: context.now, by: '', preset: DEFAULT_PRESET } : entry;
  const changed = withEntryRules(before, kind, text);
  const rules: KindRules = changed === undefined ? ruleOf(kind, text, context.now) : { kind, ...rulesFor(changed, kind) };
  if (rules.thresholds.length === 0 && hasOnlyMeasures(kind))
    throw new UserError(`${capitalised(kind)} alerts when a value crosses a threshold. Type one before "backtest".`, typing(kind));
  if (changed === undefined && Object.keys(rules.filters).length > 0 && !choosesAlerts(rules))
    throw new UserError('A backtest counts the alerts of a rule. Reminders come before every end, so there is nothing to count.', {
      actions: [{ label: 'Reminders', line: commandLine('remind', targetName(target)) }],
    });
  const isOfEntry = changed !== undefined && !hasOnlyMeasures(kind);
  return { target, entry, title: await titleOfTarget(target, context), rules, isTyped: text !== '', isOfEntry };
}

async function titleOfTarget(target: Target, context: Context): Promise<string> {
  return target.kind === 'project' ? (await context.directory.get(target.slug)).name : shortName(target);
}

const wordsAfter = ({ kind, rule }: AlertOptions): readonly string[] => [
  ...(kind === undefined ? [] : [kind]),
  ...(rule?.split(/\s+/u) ?? []),
  'backtest',
];

function whichTarget(options: AlertOptions, entries: readonly Entry[]): UserError {
  const words = wordsAfter({
    ...options,
    rule: [options.target, options.rule].filter((part) => part !== undefined).join(' ') || undefined,
  });
  return new UserError('A backtest covers one project. Which one?', {
    usage: 'alerts',
    example: '/alerts tide premium below -10 backtest',
    actions: projectButtons(entries, words),
  });
}

const projectButtons = (entries: readonly Entry[], words: readonly string[]) =>
  entries
    .filter(({ target }) => target.kind === 'project')
    .slice(0, MAX_BUTTONS)
    .map(({ target }) => ({ label: shortName(target), line: commandLine('alerts', targetName(target), ...words) }));

function whichProject({ rules }: BacktestSubject, { watchlists, chat }: Context): UserError {
  return new UserError('A backtest covers one project. Name one.', {
    usage: 'alerts',
    example: `/alerts tide ${rules.kind} backtest`,
    actions: projectButtons(watchlists.read(chat).entries, [rules.kind, 'backtest']),
  });
}

const whichKind = (target: Target, kinds: readonly string[]): UserError =>
  new UserError(`Which rules of ${shortName(target)} should be backtested? Choose a kind, or type a rule before "backtest".`, {
    example: commandLine('alerts', targetName(target), 'premium', 'below', '-10', 'backtest'),
    actions: kinds
      .filter(hasHistory)
      .slice(0, MAX_BUTTONS)
      .map((kind) => ({ label: kind, line: commandLine('alerts', targetName(target), kind, 'backtest') })),
  });
