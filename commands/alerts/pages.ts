/** Shows the pages of `/alerts`. */
import { MAX_MENU_OPTIONS, commandLine, dotted, line } from '../../src/reply/index.js';
import { both, capitalised, either } from '../../src/base/sentence-lists.js';
import { MAX_MENTIONS, shortName, targetName, type Entry } from '../../src/alerts/watchlist/entry.js';
import { alertKind, hasHistory, stageWords } from '../../src/alerts/rules/kinds.js';
import { KIND_MODES, areEventsInDigest, isDigestOnly, isOff, modeOf, rulesFor } from '../../src/alerts/rules/presets.js';
import { quoted, sizeText } from '../../src/alerts/rules/rule.js';
import { movementCategories, movementTokens } from '../../src/analytics/endpoints/movements.js';
import { LABELS } from '../../src/domain/filters.js';
import { reply, type ActionDraft, type BlockDraft, type FieldDraft, type Line, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { titleOf } from '../../src/dispatch/watchlists/targets.js';
import {
  ageText,
  digestActions,
  digestLines,
  entryAlertsText,
  entryRuleText,
  kindsOf,
  presetActions,
  presetName,
  thresholdRuleLine,
  undoActions,
} from '../../src/dispatch/watchlists/rule-text.js';
import { extraActions, extraLines } from './extras.js';
import { fieldsOf, formOf, type OfferedLabels } from './kind-fields.js';
import { meaning, mentionText } from './edit.js';
import { suppressionOf, type ActiveSuppression } from '../../src/alerts/queue/suppression.js';
import { PINGS, PING_TITLES } from '../../src/alerts/watchlist/pings.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import { follows } from '../../src/alerts/watchlist/exceptions.js';
import { exceptionsLine, watchSeparately } from '../../src/dispatch/watchlists/exceptions.js';
import type { Instant } from '../../src/domain/scalars.js';

const MAX_BUTTONS = 10;
const MAX_MENUS = 4;

const WATCHLIST = { label: 'Watchlist', line: '/watchlist' };
const TEST = { label: 'Test here', line: '/alerts test' };

export interface Page {
  readonly finding?: Line;
  readonly note?: Line;
  readonly more?: readonly ActionDraft[];
  /** Nothing changed. An Undo here would take back an earlier change. */
  readonly isSame?: boolean;
}

export async function overview(entries: readonly Entry[], context: Context): Promise<Reply> {
  const here = { chat: context.watchlists.read(context.chat), now: context.now };
  const items = await Promise.all(
    entries.map(async (entry) => ({
      line: [{ strong: await titleOf(entry.target, context) }],
      detail: dotted(
        ...entryAlertsText(entry, context),
        exceptionsText(entry, here),
        entrySuppression(entry, here),
        ...suppressedKinds(entry, here, context),
      ),
    })),
  );
  const to = ({ target }: Entry) => ({ label: shortName(target), line: commandLine('alerts', targetName(target)) });
  return reply({
    finding: [{ strong: `Alerts in ${context.place}` }],
    blocks: [...suppressionLines(chatSuppression(here)), { kind: 'list', items }, ...pingLines(here.chat)],
    actions: [...entries.slice(0, MAX_BUTTONS).map(to), TEST, WATCHLIST],
    fields: entries.length > MAX_BUTTONS ? menusOf(entries.map(to)) : [],
  });
}

function menusOf(options: Extract<FieldDraft, { kind: 'menu' }>['options']): readonly FieldDraft[] {
  const label = 'Choose an entry';
  if (options.length <= MAX_MENU_OPTIONS) return [{ kind: 'menu', label, options }];
  const starts = Array.from(
    { length: Math.min(Math.ceil(options.length / MAX_MENU_OPTIONS), MAX_MENUS) },
    (_, at) => at * MAX_MENU_OPTIONS,
  );
  return starts.map((start) => {
    const some = options.slice(start, start + MAX_MENU_OPTIONS);
    return { kind: 'menu', label: `${label}, ${start + 1}–${start + some.length}`, options: some };
  });
}

function suppressedKinds(entry: Entry, here: Parameters<typeof chatSuppression>[0], context: Context): readonly Line[] {
  return kindsOf(entry, context).flatMap((kind) => {
    const suppression = kindSuppression(entry, kind, here);
    return suppression === undefined || isOff(entry, kind) ? [] : [[`${kind}: `, ...suppression]];
  });
}

const suppressionLines = (...holds: readonly (Line | undefined)[]): readonly BlockDraft[] =>
  holds.flatMap((suppression) => {
    const [first, ...rest] = suppression ?? [];
    return typeof first === 'string' ? [line({ strong: capitalised(first) }, ...rest, '.')] : [];
  });

export async function onePage(entry: Entry, context: Context, { finding, note, isSame = false }: Page = {}): Promise<Reply> {
  const kinds = kindsOf(entry, context);
  const inDigest = kinds.filter((kind) => isDigestOnly(entry, kind));
  const here = { chat: context.watchlists.read(context.chat), now: context.now };
  return reply({
    finding: finding ?? [{ strong: `Alerts for ${await titleOf(entry.target, context)}` }],
    blocks: [
      line(...(follows(entry) ? ['Follows ', { code: '/watch all' }, ': '] : ['Preset: ']), ...presetName(entry, context)),
      ...exceptionLines(entry, here),
      ...digestLines(entry, here.chat),
      ...(note === undefined ? [] : [line(...note)]),
      ...suppressionLines(chatSuppression(here), entrySuppression(entry, here)),
      ...(inDigest.length === 0 ? [] : [line(`In the digest only: ${both(inDigest)}.`)]),
      {
        kind: 'list',
        items: kinds.filter((kind) => !inDigest.includes(kind)).map((kind) => kindItem(entry, kind, kindSuppression(entry, kind, here))),
      },
      line('Alerts older than ', { strong: ageText(entry.maxAgeHours) }, ' are dropped.'),
      ...mentionLines(entry),
      ...pingLines(here.chat),
      ...extraLines(entry, context),
    ],
    actions: [
      ...(follows(entry) ? [] : [...presetActions(entry), ...digestActions(entry, here.chat)]),
      ...(follows(entry) ? [] : extraActions(entry, context)),
      ...(isSame ? [] : undoActions(entry)),
      ...(follows(entry) && entry.exception !== undefined ? [watchSeparately(entry.exception.project)] : []),
      ...(entry.target.kind === 'project'
        ? [{ label: 'Backtest', line: commandLine('alerts', targetName(entry.target), 'backtest') }]
        : []),
      TEST,
      WATCHLIST,
    ],
    fields: entryFields(entry, context),
  });
}

const kindItem = (entry: Entry, kind: string, suppression: Line | undefined) => {
  const mode = modeOf(entry, kind);
  const off = mode === 'off';
  return {
    tone: off ? ('over' as const) : ('live' as const),
    line: [{ strong: kind }, ` ${mode}`],
    ...(off ? {} : { detail: dotted(entryRuleText(entry, kind), suppression) }),
  };
};

/** Shows the mutes and quiet hours that suppress a kind of an entry now. */
export function suppressionBlocks(entry: Entry, kind: string, { watchlists, chat, now }: Context): readonly BlockDraft[] {
  const here = { chat: watchlists.read(chat), now };
  return suppressionLines(chatSuppression(here), entrySuppression(entry, here), kindSuppression(entry, kind, here));
}

const mentionLines = ({ mentions = [] }: Entry): readonly BlockDraft[] =>
  mentions.length === 0
    ? []
    : [line('Alerts mention ', ...mentions.flatMap((one, at): Line => [...(at === 0 ? [] : [', ']), { code: mentionText(one) }]), '.')];

/** Shows the roles that apply to every entry of the chat. */
const pingLines = ({ pings = {} }: Chat): readonly BlockDraft[] => {
  const roles = PINGS.flatMap((ping) => {
    const id = pings[ping];
    return id === undefined ? [] : [[`${PING_TITLES[ping]}: `, { code: mentionText({ kind: 'role', id }) }] satisfies Line];
  });
  return roles.length === 0 ? [] : [line('Members who chose it are pinged. ', ...dotted(...roles), '.')];
};

const exceptionsText = (entry: Entry, { chat, now }: ChatState): Line | undefined => {
  const text = exceptionsLine(entry, chat, now);
  return text.length === 0 ? undefined : text;
};

const exceptionLines = (entry: Entry, here: ChatState): readonly BlockDraft[] => {
  const text = exceptionsText(entry, here);
  return text === undefined ? [] : [line(...text)];
};

const AGES = ['6h', '1d', '3d', '7d', '30d'] as const;

function entryFields(entry: Entry, { kinds, asker }: Context): readonly FieldDraft[] {
  const name = targetName(entry.target);
  const own = kindsOf(entry, { kinds });
  return [
    {
      kind: 'menu',
      label: 'Edit a kind',
      options: kinds
        .filter(({ id }) => own.includes(id))
        .slice(0, MAX_MENU_OPTIONS)
        .map(({ id, summary }) => ({ label: id, hint: summary, line: commandLine('alerts', name, id) })),
    },
    ...(follows(entry) ? [] : choiceFields(entry, asker)),
  ];
}

function choiceFields(entry: Entry, asker: Context['asker']): readonly FieldDraft[] {
  const name = targetName(entry.target);
  const mentions = entry.mentions ?? [];
  return [
    {
      kind: 'menu',
      label: 'Maximum age of alerts',
      options: AGES.map((age) => {
        const text = ageText(age.endsWith('h') ? Number(age.slice(0, -1)) : Number(age.slice(0, -1)) * 24);
        return { label: `At most ${text}`, line: commandLine('alerts', name, 'age', age), on: text === ageText(entry.maxAgeHours) };
      }),
    },
    ...(asker.mayMention !== undefined && mentions.length < MAX_MENTIONS
      ? [
          {
            kind: 'text' as const,
            label: 'Mention',
            hint: 'a role or a person, or an id',
            line: `${commandLine('alerts', name, 'mention')} {}`,
          },
        ]
      : []),
    ...(mentions.length === 0
      ? []
      : [
          {
            kind: 'menu' as const,
            label: 'Remove a mention',
            options: [
              { label: 'Nobody', line: commandLine('alerts', name, 'mention', 'off') },
              ...mentions.map((one) => ({
                label: `${one.kind} ${one.id}`,
                line: commandLine('alerts', name, 'mention', 'remove', mentionText(one)),
              })),
            ],
          },
        ]),
  ];
}

export const headOf = (title: string, kind: string): string => (title === kind ? title : `${title}, ${kind}`);

export async function kindPage(
  entry: Entry,
  kind: string,
  { context, finding, note, more = [], isSame = false }: Page & { readonly context: Context },
): Promise<Reply> {
  const name = targetName(entry.target);
  const off = isOff(entry, kind);
  const own = follows(entry) ? entry.exception : entry;
  const chosen = own?.rules?.[kind] !== undefined || own?.modes?.[kind] !== undefined;
  const here = { chat: context.watchlists.read(context.chat), now: context.now };
  const to = (label: string, ...words: readonly string[]): ActionDraft => ({ label, line: commandLine('alerts', name, kind, ...words) });
  return reply({
    finding: finding ?? [{ strong: headOf(await titleOf(entry.target, context), kind) }, `: ${off ? 'off' : entryRuleText(entry, kind)}`],
    blocks: [
      ...(note === undefined || note.length === 0 ? [] : [line(...note)]),
      ...suppressionLines(chatSuppression(here), entrySuppression(entry, here), kindSuppression(entry, kind, here)),
      ...(off ? [line(`When on: ${entryRuleText(entry, kind)}.`)] : []),
      { kind: 'list', items: ruleItems(entry, kind) },
      line('To type a rule: ', { code: `${commandLine('alerts', name, kind)} ${example(kind)}` }),
    ],
    actions: [
      ...more,
      ...KIND_MODES.map((mode) => ({
        ...to(capitalised(mode), mode),
        on: mode === modeOf(entry, kind) && !areEventsInDigest(entry, kind),
      })),
      ...(entry.target.kind === 'project' && hasHistory(kind) ? [to('Backtest', 'backtest')] : []),
      ...(chosen ? [to(follows(entry) ? 'Follow /watch all' : 'Follow the preset', 'usual')] : []),
      ...(isSame ? [] : undoActions(entry)),
      { label: 'All alert kinds', line: commandLine('alerts', name) },
      { label: 'Test here', line: commandLine('alerts', 'test', kind) },
    ],
    fields: fieldsOf(entry, kind, await offeredLabels(entry, kind, context)),
    form: formOf(entry, kind, headOf(await titleOf(entry.target, context), kind)),
  });
}

const example = (kind: string): string => alertKind(kind)?.offers.example ?? `stages:${[...stageWords(kind).keys()][0] ?? ''}`;

function ruleItems(entry: Entry, kind: string) {
  const { filters, thresholds } = rulesFor(entry, kind);
  const has = alertKind(kind)?.filters ?? [];
  return [
    ...(has.includes('leastUsd') || has.includes('leastPercent')
      ? [{ line: [{ strong: 'size' }, `: ${sizeText(filters) || 'any'}`] }]
      : []),
    ...(has.includes('stages')
      ? [{ line: [{ strong: 'stages' }, `: ${filters.stages === undefined ? 'all' : both(filters.stages)}`] }]
      : []),
    ...(has.includes('metrics')
      ? [{ line: [{ strong: 'metrics' }, `: ${filters.metrics === undefined ? 'all' : both(filters.metrics)}`] }]
      : []),
    ...LABELS.filter((label) => has.includes(label)).map((label) => ({
      line: [{ strong: label }, `: ${filters[label] === undefined ? 'any' : either(filters[label].map(quoted))}`],
    })),
    ...thresholds.map((threshold) => ({ line: thresholdRuleLine(kind, threshold), detail: [meaning(threshold)] })),
  ];
}

/** Returns the names of tokens and categories in kept responses, so that a page of rules makes no request. */
async function offeredLabels({ target }: Entry, kind: string, { analytics, chat, watchlists }: Context): Promise<OfferedLabels> {
  const has = alertKind(kind)?.filters ?? [];
  const { entries } = watchlists.read(chat);
  const projects = has.includes('projects') ? entries.flatMap((one) => (one.target.kind === 'project' ? one.target.slug : [])) : [];
  if (!has.includes('tokens') || target.kind !== 'project') return { tokens: has.includes('tokens') ? ['USDC'] : [], projects };
  const [tokens, categories] = await Promise.all([
    analytics.kept(movementTokens, { slug: target.slug }),
    analytics.kept(movementCategories, { slug: target.slug }),
  ]);
  const named = (names: readonly (string | undefined)[] = []): readonly string[] => [...new Set(names.flatMap((name) => name ?? []))];
  return {
    tokens: named(['USDC', ...(tokens?.data.rows ?? []).map(({ symbol }) => symbol)]),
    categories: named(categories?.data.rows.map(({ name }) => name)),
    projects,
  };
}

interface ChatState {
  readonly chat: Chat;
  readonly now: Instant;
}

const COMES = ', alerts resume ';

const because = ({ because: reason, what }: ActiveSuppression): string => {
  if (reason === 'quiet hours') return 'quiet hours';
  return {
    chat: 'the whole chat is muted',
    kind: 'muted in the whole chat',
    topic: 'muted',
    entry: 'muted',
    'entry kind': 'muted',
    project: 'muted',
    'project kind': 'muted',
  }[what];
};

/** Words the mutes and quiet hours that apply to the whole chat now. */
function chatSuppression({ chat, now }: ChatState): Line | undefined {
  const suppression = suppressionOf({ feed: NO_KIND }, undefined, chat, now);
  return suppression && [because(suppression), COMES, { at: suppression.until }];
}

/** Words the suppression of an entry; undefined unless it outlasts that of the chat. */
function entrySuppression(entry: Entry, { chat, now }: ChatState): Line | undefined {
  const suppression = suppressionOf({ feed: NO_KIND }, entry, chat, now);
  const ofChat = suppressionOf({ feed: NO_KIND }, undefined, chat, now);
  return suppression === undefined || suppression.until === ofChat?.until
    ? undefined
    : [because(suppression), COMES, { at: suppression.until }];
}

/** Words the suppression of a kind; undefined unless it outlasts that of the entry. */
function kindSuppression(entry: Entry, kind: string, { chat, now }: ChatState): Line | undefined {
  const suppression = suppressionOf({ feed: kind }, entry, chat, now);
  const whole = suppressionOf({ feed: NO_KIND }, entry, chat, now);
  return suppression === undefined || suppression.until === whole?.until
    ? undefined
    : [because(suppression), COMES, { at: suppression.until }];
}

const NO_KIND = '';
