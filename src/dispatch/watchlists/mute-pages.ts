/** Finds the active mutes of a chat, and shows the pages of `/mute` and `/unmute`. */
import { MAX_MENU_OPTIONS, commandLine, line, muteTime, zoneOf } from '../../reply/index.js';
import { brief } from '../../base/one-line.js';
import { both, capitalised } from '../../base/sentence-lists.js';
import { LAUNCHES_FEED, kindsFor, shortName, targetName, type Entry, type Target } from '../../alerts/watchlist/entry.js';
import { suppressionOf, type ActiveSuppression } from '../../alerts/queue/suppression.js';
import { entryHere, exceptionsInForce, follows } from '../../alerts/watchlist/exceptions.js';
import { covering } from '../../alerts/watchlist/match.js';
import { followedTopics, type Chat, type Mutable } from '../../alerts/watchlist/watchlists.js';
import { reply, type ActionDraft, type BlockDraft, type FieldDraft, type Line, type Reply } from '../../chat/reply.js';
import { slug, type Instant } from '../../domain/scalars.js';
import { marketWords } from '../../domain/event.js';
import { shortKey } from '../../domain/wallet.js';
import type { Context } from '../context.js';
import { knownMarket, type MarketContext } from './markets.js';
import { titleOf } from './targets.js';

export interface MuteScope {
  readonly target: Target | undefined;
  readonly kind: string | undefined;
  /** The topic of a single proposal or launch. */
  readonly topic?: string | undefined;
}

const keyOf = (topic: string): string => topic.slice(topic.lastIndexOf('/') + 1);

const words = ({ target, kind, topic }: Mutable): readonly string[] =>
  topic === undefined ? [target && targetName(target), kind].filter((word) => word !== undefined) : marketWords(topic);

interface MutedPage {
  readonly until: Instant;
  readonly undo: readonly ActionDraft[];
  readonly context: Context;
}

export async function mutedPage(scopes: readonly MuteScope[], { until, undo, context }: MutedPage): Promise<Reply> {
  const others = scopes.slice(1);
  const subject = await subjectOf(scopes, context);
  return reply({
    finding: [{ strong: `${subject} muted` }, '. Alerts resume ', { at: until }],
    blocks: [...(await followedLines(scopes, context)), line("After that you'll get what you missed as one summary.")],
    actions: [
      ...scopes.map((scope) => ({
        label: others.length === 0 ? 'Unmute' : `Unmute ${shortScope(scope)}`,
        line: commandLine('unmute', ...words(scope)),
      })),
      ...undo,
      WATCHLIST,
    ],
  });
}

/** Shows what the mutes of some scopes are after an Undo or a Redo, with the button that takes it back. */
export async function restoredPage(scopes: readonly Mutable[], undo: readonly ActionDraft[], context: Context): Promise<Reply> {
  const current = activeMutes(context.watchlists.read(context.chat), context.now);
  const states = await Promise.all(
    scopes.slice(0, MAX_NAMED).map(async (scope): Promise<Line> => {
      const until = current.find((mute) => isSame(mute, scope))?.until;
      const subject = await scopeSubject(scope, context);
      return until === undefined ? [`${subject} not muted`] : [`${subject} muted until `, { at: until, exact: true }];
    }),
  );
  const [only = [], ...others] = states;
  return reply({
    finding: [
      { strong: undo.some(({ label }) => label === 'Undo') ? 'Redone' : 'Undone' },
      ...(others.length === 0 ? [': ', ...only] : []),
    ],
    blocks:
      others.length === 0 ? [] : [{ kind: 'list', items: states.map((state) => ({ line: state })), more: scopes.length - states.length }],
    actions: [...undo, WATCHLIST],
  });
}

/** Names the proposals that are followed by themselves and are muted with their project. */
async function followedLines(scopes: readonly MuteScope[], context: Context): Promise<readonly BlockDraft[]> {
  const chat = context.watchlists.read(context.chat);
  const topics = scopes.flatMap((scope) => followedTopics(chat, scope));
  if (topics.length === 0) return [];
  const named = await names(
    topics.slice(0, MAX_NAMED).map((topic) => ({ topic })),
    context,
  );
  return [line(`Muted too: ${both([...named, ...(topics.length > MAX_NAMED ? [`${topics.length - MAX_NAMED} more`] : [])])}.`)];
}

const WATCHLIST = { label: 'Watchlist', line: '/watchlist' };

export async function unmutedPage(
  before: Chat,
  after: Chat,
  { context, scopes, undo }: { readonly scopes: readonly MuteScope[]; readonly undo: readonly ActionDraft[]; readonly context: Context },
): Promise<Reply> {
  const { now } = context;
  const [about = { target: undefined, kind: undefined }, ...rest] = scopes;
  const suppression = rest.length === 0 ? scopeSuppression(after, about, now) : undefined;
  const remaining = activeMutes(after, now);
  const ended = activeMutes(before, now).filter((mute) => !remaining.some((other) => isSame(mute, other)));
  const others = remaining.filter(
    (mute) => mute.target === undefined || scopes.some(({ target }) => isEverything(target) || covers({ target }, mute)),
  );
  const more = suppression === undefined ? others : others.filter((mute) => !covers(mute, about));
  // A chat that was not muted itself is not what was unmuted.
  const isNarrower = isEverything(about.target) && ended.length > 0 && !ended.some((mute) => isSame(mute, about));
  const first = isNarrower
    ? await subjectOf(ended, context)
    : rest.length === 0
      ? await scopeSubject(about, context)
      : await subjectOf(scopes, context);
  return reply({
    finding: [{ strong: ended.length === 0 ? `${first} not muted` : `${first} unmuted` }],
    blocks: [
      ...(!isNarrower && ended.some((mute) => !scopes.some((scope) => isSame(mute, scope)))
        ? [line(`Unmuted: ${both(await names(ended, context))}.`)]
        : []),
      ...(suppression === undefined
        ? ended.length === 0
          ? []
          : [line(`You'll get what you missed as one summary${more.length === 0 ? '' : ', except for what is still muted'}.`)]
        : [line(...stillSuppressedText(suppression))]),
      ...(more.length === 0
        ? []
        : [
            line({ strong: 'Still muted' }),
            {
              kind: 'list' as const,
              items: (await names(more.slice(0, MAX_NAMED), context)).map((name, index) => ({
                line: [`${name}: until `, { at: more[index]?.until ?? now, exact: true }],
              })),
              more: Math.max(0, more.length - MAX_NAMED),
            },
          ]),
    ],
    actions: [
      ...more.slice(0, MAX_BUTTONS).map(({ target, kind, topic }) => ({
        label: `Unmute ${shortScope({ target, kind, topic })}`,
        line: commandLine('unmute', ...words({ target, kind, topic })),
      })),
      ...(rest.length === 0 ? [{ label: muteLabel(about), line: commandLine('mute', ...words(about), '24h') }] : []),
      ...undo,
      WATCHLIST,
    ],
  });
}

const isEverything = (target: Target | undefined): boolean => target === undefined || target.kind === 'all';

async function subjectOf(mutes: readonly Mutable[], context: Context): Promise<string> {
  const [only, ...others] = mutes;
  return only !== undefined && others.length === 0 ? scopeSubject(only, context) : `${capitalised(both(await names(mutes, context)))} are`;
}

const MAX_NAMED = 10;
const MAX_BUTTONS = 3;

const names = async (mutes: readonly Mutable[], context: Context): Promise<readonly string[]> =>
  Promise.all(mutes.map(async (mute) => (await scopeName(mute, context)).name));

function shortScope({ target, kind, topic }: Mutable): string {
  if (topic !== undefined) return `this ${marketWord(topic)}`;
  const whole = target === undefined && kind === undefined ? 'this chat' : undefined;
  return [whole, target && shortName(target), kind].filter((word) => word !== undefined).join(' ');
}

const marketWord = (topic: string): string => (topic.startsWith('launches/') ? 'launch' : 'proposal');

const muteLabel = (about: MuteScope): string => `Mute ${shortScope(about)} 24 h`;

const scopeSuppression = (chat: Chat, { target, kind, topic }: MuteScope, now: Instant): ActiveSuppression | undefined =>
  // An empty kind matches only suppressions of all kinds.
  suppressionOf({ feed: kind ?? '', id: topic }, entryOfScope(chat, { target, kind, topic }), chat, now);

/** Returns the entry of a scope. A proposal or launch that is followed alone has its own entry. */
function entryOfScope(chat: Chat, { target, kind, topic }: MuteScope): Entry | undefined {
  if (topic === undefined) return target && entryHere(chat, target);
  const project = target?.kind === 'project' ? target.slug : undefined;
  return covering({ feed: kind ?? LAUNCHES_FEED, project, topic }, chat)[0];
}

function stillSuppressedText({ because, what, until }: ActiveSuppression): Line {
  if (because === 'quiet hours')
    return ['Quiet hours are on. Alerts resume ', { at: until }, '. To end quiet hours, use ', { code: '/settings quiet off' }, '.'];
  const whose = {
    chat: 'The whole chat',
    kind: 'This kind of alert',
    topic: 'This market',
    entry: 'This entry',
    'entry kind': 'This kind of alert',
    project: 'This project',
    'project kind': 'This kind of alert',
  }[what];
  return [
    `${whose} is still muted. Alerts resume `,
    { at: until },
    ...(what === 'chat' ? ['. To unmute the chat, use ', { code: '/unmute' }, '.'] : ['.']),
  ];
}

export async function statePage(chat: Chat, about: MuteScope, context: Context): Promise<Reply> {
  const suppression = scopeSuppression(chat, about, context.now);
  const first = await scopeSubject(about, context);
  const finding: Line =
    suppression === undefined
      ? [{ strong: `${first} not muted` }, '. Mute for how long?']
      : suppression.because === 'muted'
        ? [{ strong: `${first} muted` }, '. Alerts resume ', { at: suppression.until }]
        : [{ strong: 'Quiet hours are on' }, '. Alerts resume ', { at: suppression.until }];
  return reply({
    finding,
    actions: [
      ...SHORT_TIMES.map((time) => ({ label: time, line: commandLine('mute', ...words(about), time) })),
      { label: 'Off', line: commandLine('unmute', ...words(about)) },
      { label: 'Quiet hours', line: '/settings' },
    ],
    fields: fields(chat, about, context),
  });
}

function fields(chat: Chat, about: MuteScope, { kinds, now }: Context): readonly FieldDraft[] {
  const { target, kind, topic } = about;
  const own =
    topic !== undefined
      ? []
      : kinds
          .map(({ id }) => id)
          .filter((id) => (target === undefined ? chat.entries : [{ target }]).some((one) => kindsFor(one.target, [id]).length > 0));
  return [
    {
      kind: 'menu',
      label: 'Until when',
      options: longerTimes(chat, now).map(([label, time]) => ({ label, line: commandLine('mute', ...words(about), ...time.split(' ')) })),
    },
    ...(target === undefined && kind === undefined && chat.entries.length > 0
      ? [
          {
            kind: 'menu' as const,
            label: 'Mute one entry',
            options: chat.entries
              .slice(0, MAX_MENU_OPTIONS)
              .map((entry) => ({ label: shortName(entry.target), line: commandLine('mute', targetName(entry.target)) })),
          },
        ]
      : []),
    ...(kind === undefined && own.length > 1
      ? [
          {
            kind: 'menu' as const,
            label: 'Mute one kind',
            options: own.map((id) => ({ label: id, line: commandLine('mute', ...words({ target, kind: id })) })),
          },
        ]
      : []),
    ...broaderFields(about, chat),
    { kind: 'text', label: 'Type a time', hint: '3d, or until Dec 1 18:00', line: `${commandLine('mute', ...words(about))} {}` },
  ];
}

/** Returns buttons for wider mutes. A project of the entry for all projects can also be muted together with the others. */
function broaderFields({ target, kind, topic }: MuteScope, chat: Chat): readonly FieldDraft[] {
  const entry = target && entryHere(chat, target);
  if (topic !== undefined && (target === undefined || entry === undefined)) return [];
  if (topic !== undefined && target !== undefined)
    return [
      {
        kind: 'menu',
        label: 'Mute more',
        options: [
          ...(kind === undefined
            ? []
            : [{ label: `All ${kind} of ${shortName(target)}`, line: commandLine('mute', ...words({ target, kind })) }]),
          { label: shortName(target), line: commandLine('mute', ...words({ target })) },
        ],
      },
    ];
  if (target === undefined || entry === undefined || !follows(entry)) return [];
  const all: Target = { kind: 'all' };
  return [
    {
      kind: 'menu',
      label: 'Mute more',
      options: [
        ...(kind === undefined ? [] : [{ label: shortName(target), line: commandLine('mute', ...words({ target, kind: undefined })) }]),
        ...(kind === undefined ? [] : [{ label: `${kind} of all projects`, line: commandLine('mute', ...words({ target: all, kind })) }]),
        { label: 'All projects', line: commandLine('mute', ...words({ target: all, kind: undefined })) },
      ],
    },
  ];
}

const SHORT_TIMES = ['1h', '24h', '3d', '1w'] as const;

const MOMENTS = [
  ['Until tomorrow 9:00', 'tomorrow 9:00'],
  ['Until Monday 9:00', 'monday 9:00'],
  ['For 2 weeks', '2w'],
  ['For 30 days', '30d'],
] as const;

function longerTimes(chat: Chat, now: Instant): readonly (readonly [label: string, time: string])[] {
  const here = { now, zone: zoneOf(chat) };
  const endOf = (time: string): number => {
    const end = muteTime(time, here);
    return typeof end === 'object' && 'until' in end ? end.until : Number.POSITIVE_INFINITY;
  };
  const evening = endOf('today 18:00') === Number.POSITIVE_INFINITY ? [] : [['Until 18:00', '18:00'] as const];
  return [...evening, ...MOMENTS].toSorted(([, a], [, b]) => endOf(a) - endOf(b));
}

export interface ActiveMute extends Mutable {
  readonly until: Instant;
}

export function activeMutes(chat: Chat, now: Instant): readonly ActiveMute[] {
  const of = (
    { mutedUntil, mutedKinds = {} }: Pick<Chat, 'mutedUntil' | 'mutedKinds'>,
    target?: Mutable['target'],
  ): readonly ActiveMute[] =>
    [
      ...(mutedUntil === undefined ? [] : [{ target, until: mutedUntil }]),
      ...Object.entries(mutedKinds).map(([kind, until]) => ({ target, kind, until })),
    ].filter(({ until }) => until > now);
  const topics = Object.entries(chat.mutedTopics ?? {}).filter(([, until]) => until > now);
  return [
    ...of(chat),
    ...topics.map(([topic, until]) => ({ topic, until, ...scopeOfTopic(topic) })),
    ...chat.entries.flatMap((entry) => [
      ...of(entry, entry.target),
      ...exceptionsInForce(entry, now).flatMap(([project, exception]) => of(exception, { kind: 'project', slug: slug(project) })),
    ]),
  ];
}

/** Returns the scope of a topic. A launch has no project, because not all of its alerts name one. */
function scopeOfTopic(topic: string): Mutable {
  const [kind = '', project = ''] = topic.split('/');
  return kind === 'launches' ? { kind } : { kind, target: { kind: 'project', slug: slug(project) } };
}

const covers = (one: Mutable, other: Mutable): boolean =>
  (one.topic === undefined || one.topic === other.topic) &&
  (one.target === undefined || (other.target !== undefined && targetName(one.target) === targetName(other.target))) &&
  (one.kind === undefined || one.kind === other.kind);

export const isSame = (one: Mutable, other: Mutable): boolean => covers(one, other) && covers(other, one);

type ScopeContext = Pick<Context, 'directory' | 'place'> & MarketContext;

/** Returns "this channel", "Tidewater supply alerts" or "launches". */
export async function scopeName(
  { target, kind, topic }: Mutable,
  context: ScopeContext,
): Promise<{ readonly name: string; readonly verb: 'is' | 'are' }> {
  if (topic !== undefined) {
    const [key, project] = [keyOf(topic), target?.kind === 'project' ? target.slug : undefined];
    const title = (await knownMarket(key, project, context))?.title;
    const whose = target?.kind === 'project' ? ` of ${await titleOf(target, context)}` : '';
    return { name: `the ${marketWord(topic)} ${title === undefined ? shortKey(key) : `"${brief(title)}"`}${whose}`, verb: 'is' };
  }
  if (target === undefined) return kind === undefined ? { name: context.place, verb: 'is' } : { name: `${kind} alerts`, verb: 'are' };
  if (target.kind === 'launches') return { name: 'launches', verb: 'are' };
  const title = await titleOf(target, context);
  if (kind !== undefined) return { name: `${title} ${kind} alerts`, verb: 'are' };
  return { name: title, verb: target.kind === 'all' ? 'are' : 'is' };
}

async function scopeSubject(about: Mutable, context: ScopeContext): Promise<string> {
  const { name, verb } = await scopeName(about, context);
  // Names of projects and labels keep their case.
  const own = about.topic === undefined && (about.target?.kind === 'project' || about.target?.kind === 'wallet');
  return `${own ? name : name.charAt(0).toUpperCase() + name.slice(1)} ${verb}`;
}
