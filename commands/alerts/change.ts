/** Changes the rules of an entry, completely or not at all. */
import { isDeepStrictEqual } from 'node:util';
import { either } from '../../src/base/sentence-lists.js';
import { NO_STAGE } from '../../src/alerts/rules/kinds.js';
import { isSameChoice, kindsFor, lastChangeId, shortName, targetName, type Entry } from '../../src/alerts/watchlist/entry.js';
import type { Instant } from '../../src/base/clock.js';
import { PRESET_TITLES, isOff, rulesFor } from '../../src/alerts/rules/presets.js';
import { readRule } from '../../src/alerts/rules/read-rule.js';
import { choosesAlerts, type KindRules } from '../../src/alerts/rules/rule.js';
import { follows } from '../../src/alerts/watchlist/exceptions.js';
import { edited } from '../../src/dispatch/watchlists/exceptions.js';
import { brief } from '../../src/base/one-line.js';
import type { BlockDraft, Line, Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { UserError, commandLine, line } from '../../src/reply/index.js';
import { titleOf } from '../../src/dispatch/watchlists/targets.js';
import { EXTRAS, type Extra } from '../../src/chat/notifier.js';
import { EXTRA_TEXTS, requireExtra, withExtra } from './extras.js';
import type { AlertAction, AlertOptions, AlertRequest } from './request.js';
import {
  aged,
  chosen,
  everything,
  mentionText,
  onlyOf,
  readMentions,
  ruleOf,
  settingOf,
  switched,
  typing,
  usual,
  withMentions,
  withOnly,
  withPreset,
  withRule,
  withSetting,
  without,
  withoutMentions,
} from './edit.js';
import { namedRule } from './names.js';
import { headOf, kindPage, onePage, type Page } from './pages.js';
import { requireFollowable, ruleSet } from './rule-set.js';
import { ageText, entryRuleText, kindsOf } from '../../src/dispatch/watchlists/rule-text.js';

const MAX_BUTTONS = 10;

/** Applies an action to an entry. The caller must have checked the permission. Rejects with a `UserError`. */
export async function change(
  { entry, kind: named, action, options }: AlertRequest & { readonly options: AlertOptions },
  context: Context,
): Promise<Reply> {
  if ('text' in action && action.text === '' && (action.do === 'age' || action.do === 'mention'))
    return onePage(requireEntry(entry, options, context), context);
  if ('to' in action && action.to === undefined) return onePage(requireEntry(entry, options, context), context);
  if (isEntryAction(action)) return changeEntry(requireEntry(entry, options, context), action, context);
  if (action.do === 'show' || named === undefined) throw whichKind(entry, action, context);
  // The rule is checked before asking for the entry, because an unreadable rule is an error for any entry.
  const kind = homeOf(named, action, context.now);
  const read = editOf(kind, action, context.now);
  const one = requireEntry(entry, options, context);
  const { edit, added, notes = [] } = await withNames(read, { entry: one, action }, context);
  const title = await titleOf(one.target, context);
  if (added !== undefined) requireFollowable(added, { target: one.target, title }, context);
  const { before, after } = await edited(one, action.do === 'usual' ? { edit, follow: kind } : { edit }, context);
  if (added !== undefined && !isOff(after, kind)) {
    const note = [
      ...(isOff(before, kind) ? [line(`${kind} was off and is now on.`)] : []),
      ...(action.do === 'only' && rulesFor(after, kind).filters.stages?.includes(NO_STAGE) === true
        ? [line(`Nothing else of ${kind} alerts.`)]
        : []),
      ...notes,
    ];
    const isOneOfSeveral = !isSameChoice(after, withOnly(after, added));
    return ruleSet({ title, entry: after, rule: added, isSame: isSameChoice(before, after), isOneOfSeveral, notes: note }, context);
  }
  const { finding = [], ...rest } = changedRuleText({ title, kind, action, after });
  return kindPage(after, kind, { context, ...rest, ...unlessSame(finding, isSameChoice(before, after)) });
}

/** Returns the kind to which a rule belongs. Joined conditions of two kinds always belong to the same one, whichever was named. */
function homeOf(kind: string, action: KindAction, now: Instant): string {
  if (!('text' in action)) return kind;
  const found = readRule(`${kind} ${action.do === 'set' ? settingOf(action.text).text : action.text}`, now);
  if (!found.read || found.rules.kind === kind) return kind;
  if (action.do !== 'set') return found.rules.kind;
  throw new UserError(
    `"${brief(action.text)}" is a rule of ${found.rules.kind}, because one response has all its values. Set it there. Nothing is changed.`,
    {
      usage: 'alerts',
    },
  );
}

const unlessSame = (finding: Line, isSame: boolean): Pick<Page, 'finding' | 'isSame'> => ({
  finding: isSame ? ['Already set: ', ...finding] : finding,
  isSame,
});

type EntryAction = Extract<
  AlertAction,
  { do: 'age' } | { do: 'mention' | 'unmention' } | { do: 'preset' } | { do: 'undo' } | { do: Extra }
>;
type KindAction = Exclude<AlertAction, EntryAction | { do: 'show' }>;

const isEntryAction = (action: AlertAction): action is EntryAction =>
  ['age', 'mention', 'unmention', 'preset', 'undo', ...EXTRAS].includes(action.do);

interface Edit {
  readonly edit: (entry: Entry) => Entry;
  readonly added?: KindRules;
  readonly notes?: readonly BlockDraft[];
}

async function withNames(
  read: Edit,
  { entry, action }: { readonly entry: Entry; readonly action: KindAction },
  context: Context,
): Promise<Edit> {
  if (read.added === undefined || !('text' in action)) return read;
  const isOnly = action.do === 'only';
  const { rule, notes } = await namedRule({ rule: read.added, entry, text: action.text, isOnly }, context);
  return { edit: (before) => (isOnly ? withOnly(before, rule) : withRule(before, rule)), added: rule, notes };
}

function editOf(kind: string, action: KindAction, now: Instant): Edit {
  switch (action.do) {
    case 'on':
    case 'silent':
    case 'off': {
      const to = action.do;
      return { edit: (entry) => switched(entry, kind, to) };
    }
    case 'usual':
      return { edit: (entry) => usual(entry, kind) };
    case 'everything':
      return { edit: (entry) => everything(entry, kind) };
    case 'remove':
      return { edit: (entry) => without(entry, kind, action.text) };
    case 'set': {
      const { mode, text } = settingOf(action.text);
      const rule = text === '' ? { kind, filters: {}, thresholds: [] } : ruleOf(kind, text, now);
      return { edit: (entry) => withSetting(entry, rule, mode) };
    }
    case 'rule':
    case 'only': {
      const rule = action.do === 'only' ? onlyOf(kind, action.text, now) : ruleOf(kind, action.text, now);
      // "supply everything" is a rule without a filter.
      if (rule.thresholds.length === 0 && Object.keys(rule.filters).length === 0) return { edit: (entry) => everything(entry, kind) };
      if (action.do === 'only' && !choosesAlerts(rule)) throw onlyManner(kind, action.text);
      return { edit: (entry) => (action.do === 'only' ? withOnly(entry, rule) : withRule(entry, rule)), added: rule };
    }
  }
}

/** Makes the error for reminders or messages without a rule, which would leave the kind with no rule or with every stage. */
const onlyManner = (kind: string, text: string): UserError =>
  new UserError(
    `"only" removes every other rule of ${kind}, and "${brief(text)}" says only how alerts come, not which. Leave "only" out. Nothing is changed.`,
    typing(kind),
  );

interface ChangedRule {
  readonly title: string;
  readonly kind: string;
  readonly action: KindAction;
  readonly after: Entry;
}

function changedRuleText({ title, kind, action, after }: ChangedRule): Pick<Parameters<typeof kindPage>[2], 'finding' | 'note'> {
  if (action.do === 'on' || action.do === 'silent' || action.do === 'off')
    return { finding: [{ strong: `${headOf(title, kind)}: ${action.do}` }] };
  const head = { strong: headOf(title, kind) };
  if (isOff(after, kind))
    return {
      finding: [head, ': off'],
      note: ['That was its last rule. Switched on again it has the rules of the preset.'],
    };
  return { finding: [head, `: ${entryRuleText(after, kind)}`] };
}

async function changeEntry(entry: Entry, action: EntryAction, context: Context): Promise<Reply> {
  const title = await titleOf(entry.target, context);
  if (action.do === 'undo') return undo(entry, { title, id: action.id }, context);
  if (follows(entry)) throw notAlone(entry, title);
  const edit = await entryEdit(action, context);
  const { place } = context;
  const { before, after } = await edited(entry, { edit }, context);
  const says = (finding: Line): Page => unlessSame(finding, isSameChoice(before, after));
  if (action.do === 'preset') return onePage(after, context, says([{ strong: `${title}: ${PRESET_TITLES[action.preset]}` }]));
  if (action.do === 'age')
    return onePage(after, context, says([{ strong: title }, `: alerts older than ${ageText(after.maxAgeHours)} are dropped`]));
  if (action.do === 'threads' || action.do === 'publish')
    return onePage(after, context, says([{ strong: title }, `: ${EXTRA_TEXTS[action.do](after[action.do] === true, place)}`]));
  const { mentions = [] } = after;
  const whom = mentions.flatMap((one, at): Line => [...(at === 0 ? [] : [', ']), { code: mentionText(one) }]);
  return onePage(
    after,
    context,
    says(mentions.length === 0 ? [{ strong: `${title}: alerts mention nobody` }] : [{ strong: `${title}: alerts mention ` }, ...whom]),
  );
}

const notAlone = ({ target }: Entry, title: string): UserError =>
  new UserError(`${title} follows /watch all. Only its kinds and rules can differ; watch it separately to change the rest.`, {
    actions: [
      { label: 'Watch separately', line: commandLine('watch', targetName(target)) },
      { label: 'Alerts for all', line: '/alerts all' },
    ],
  });

async function undo(
  entry: Entry,
  { title, id }: { readonly title: string; readonly id: string | undefined },
  context: Context,
): Promise<Reply> {
  if (entry.previous === undefined) throw new UserError(`Nothing to undo: the alerts of ${title} weren't changed.`);
  const { before, after } = await edited(entry, { edit: (one) => one, undoes: { id } }, context);
  if (id !== undefined && id !== lastChangeId(before))
    throw new UserError(`Nothing was undone: the alerts of ${title} were changed since.`, {
      actions: [{ label: 'Alerts', line: commandLine('alerts', targetName(entry.target)) }],
    });
  const differences = differencesOf(before, after, context);
  const head = `${title}: last change ${after.isUndone === true ? 'undone' : 'redone'}`;
  return onePage(after, context, {
    finding: [{ strong: head }, differences.length === 0 ? '' : `. Now: ${differences.join('; ')}`],
    ...(after.isUndone === true ? { note: ['Only the last change is kept: undo once more to redo it.'] } : {}),
  });
}

const kindState = (entry: Entry, kind: string): string => (isOff(entry, kind) ? 'off' : entryRuleText(entry, kind));

const MAX_DIFFERENCES = 3;

/** Words what the entry has now and did not have before, the preset first. */
function differencesOf(before: Entry, after: Entry, context: Context): readonly string[] {
  const stateOf = (entry: Entry, kind: string): string => `${kindState(entry, kind)}${entry.modes?.[kind] === 'silent' ? ', silent' : ''}`;
  const kinds = kindsOf(after, context).flatMap((kind) => {
    const state = stateOf(after, kind);
    return state === stateOf(before, kind) ? [] : [`${kind} ${state}`];
  });
  const more = kinds.length - MAX_DIFFERENCES;
  const isOther = before.preset !== after.preset;
  return [
    ...(isOther ? [`preset ${PRESET_TITLES[after.preset]}`] : [...kinds.slice(0, MAX_DIFFERENCES), ...(more > 0 ? [`${more} more`] : [])]),
    ...(before.maxAgeHours === after.maxAgeHours ? [] : [`alerts older than ${ageText(after.maxAgeHours)} are dropped`]),
    ...(isDeepStrictEqual(before.mentions, after.mentions) ? [] : [`mentions ${after.mentions?.map(mentionText).join(', ') ?? 'nobody'}`]),
  ];
}

async function entryEdit(action: Exclude<EntryAction, { do: 'undo' }>, context: Context): Promise<(entry: Entry) => Entry> {
  if (action.do === 'preset') return (entry) => withPreset(entry, action.preset);
  if (action.do === 'age') return (entry) => aged(entry, action.text);
  if ('to' in action) {
    if (action.to === 'on') await requireExtra(action.do, context);
    return (entry) => withExtra(entry, action.do, action.to === 'on');
  }
  const whom = action.text === '' ? undefined : readMentions(action.text);
  if (action.do === 'unmention') return (entry) => withoutMentions(entry, whom);
  const mentions = await chosen(whom ?? [], context.asker);
  return (entry) => withMentions(entry, mentions);
}

function requireEntry(entry: Entry | undefined, { target, kind, action, rule }: AlertOptions, { watchlists, chat }: Context): Entry {
  if (entry !== undefined) return entry;
  // Words that name no entry were parsed as part of the rule.
  const words = [kind, action, ...[target, rule].flatMap((part) => part?.split(/\s+/u) ?? [])];
  const what =
    kind !== undefined && action !== undefined && words.length === 2 ? `${kind} ${action}: for which entry?` : 'Which entry do you mean?';
  throw new UserError(what, {
    actions: watchlists
      .read(chat)
      .entries.filter((one) => kind === undefined || kindsFor(one.target, [kind]).length > 0)
      .slice(0, MAX_BUTTONS)
      .map((one) => ({ label: shortName(one.target), line: commandLine('alerts', targetName(one.target), ...words) })),
  });
}

const KIND_QUESTIONS: Readonly<Record<string, string>> = {
  usual: 'Which kind should follow the preset?',
  rule: 'Which kind is this rule for?',
  only: 'Which kind is this rule for?',
  set: 'Which kind is this rule for?',
  remove: 'Which kind should it be removed from?',
};

function whichKind(entry: Entry | undefined, action: AlertAction, context: Context): UserError {
  const kinds = entry === undefined ? context.kinds.map(({ id }) => id) : kindsOf(entry, context);
  const question = KIND_QUESTIONS[action.do] ?? `Which kind should be ${action.do}?`;
  return new UserError(`${question} Choose ${either(kinds)}.`, typing());
}
