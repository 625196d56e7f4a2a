/** Shows a watchlist. */
import { MAX_MENU_OPTIONS, commandLine, zoneName, zoneOf, quietText, counted, dotted, line } from '../../reply/index.js';
import { digestWords } from '../../alerts/digest/setting.js';
import { shortName, targetName, type Entry } from '../../alerts/watchlist/entry.js';
import { suppressionOf } from '../../alerts/queue/suppression.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import { reply, type BlockDraft, type FieldDraft, type Line, type Reply } from '../../chat/reply.js';
import type { Instant } from '../../domain/scalars.js';
import { offsetsText } from '../../domain/reminder.js';
import { shortKey } from '../../domain/wallet.js';
import { entryAlertsText, ageText } from './rule-text.js';
import type { Context } from '../context.js';
import { exceptionsLine } from './exceptions.js';
import { titleOf } from './targets.js';

const MAX_BUTTONS = 5;

export function menusOf(
  entries: readonly Entry[],
  { label, command }: { readonly label: string; readonly command: string },
): readonly FieldDraft[] {
  const starts = Array.from({ length: Math.ceil(entries.length / MAX_MENU_OPTIONS) }, (_, index) => index * MAX_MENU_OPTIONS);
  return starts.map((start) => {
    const some = entries.slice(start, start + MAX_MENU_OPTIONS);
    return {
      kind: 'menu',
      label: starts.length === 1 ? label : `${label}, ${start + 1} to ${start + some.length}`,
      options: some.map(({ target }) => ({ label: shortName(target), line: commandLine(command, targetName(target)) })),
    };
  });
}

export async function watchlistOf(context: Context): Promise<Reply> {
  const { now } = context;
  const chat = context.watchlists.read(context.chat);
  const { entries } = chat;
  if (entries.length === 0) {
    return reply({
      finding: [{ strong: 'Nothing watched yet' }],
      blocks: [line('Watch a project, a wallet, all projects or launches to get alerts here.')],
      actions: [
        { label: 'Watch all', line: '/watch all' },
        { label: 'Watch launches', line: '/watch launches' },
        { label: 'Choose', line: '/watch' },
        { label: 'Import a list', line: '/watchlist import' },
      ],
    });
  }
  const muted = running(chat.mutedUntil, now);
  const items = await Promise.all(
    entries.map(async (entry) => ({ line: [{ strong: await titleOf(entry.target, context) }], detail: detail(entry, context) })),
  );
  return reply({
    finding: [
      { strong: `Watchlist: ${counted(entries.length, 'entry', 'entries')}` },
      ...(muted === undefined
        ? []
        : ['. Muted, alerts resume ', { at: suppressionOf({ feed: '' }, undefined, chat, now)?.until ?? muted }]),
    ],
    blocks: [
      ...holds(chat, now),
      { kind: 'list', items },
      ...(entries.length > MAX_BUTTONS
        ? [line('To change one: ', { code: '/alerts <name>' }, ', ', { code: '/mute <name> 24h' }, ' or ', { code: '/unwatch <name>' })]
        : []),
    ],
    actions: [
      ...entries
        .slice(0, MAX_BUTTONS)
        .map(({ target }) => ({ label: `Unwatch ${shortName(target)}`, line: commandLine('unwatch', targetName(target)) })),
      { label: 'Edit alerts', line: '/alerts' },
      muted === undefined ? { label: 'Mute this chat 24 h', line: '/mute 24h' } : { label: 'Unmute', line: '/unmute' },
      { label: 'Quiet hours', line: '/settings' },
      { label: 'Export', line: '/watchlist export' },
    ],
    fields: menusOf(entries, { label: 'Edit alerts', command: 'alerts' }),
  });
}

const running = (until: Instant | undefined, now: Instant): Instant | undefined => (until !== undefined && until > now ? until : undefined);

const mutedKinds = ({ mutedKinds: kinds = {} }: Pick<Chat, 'mutedKinds'>, now: Instant): readonly Line[] =>
  Object.entries(kinds).flatMap(([kind, until]) => (until > now ? [[`${kind} muted, resumes `, { at: until }]] : []));

const MAX_TOPICS = 5;

function topicLine([topic, until]: readonly [string, Instant]): Line {
  const [kind = '', ...rest] = topic.split('/');
  const [project, key = project ?? ''] = rest;
  return [kind === 'launches' ? 'launch ' : `${project} proposal `, { code: shortKey(key) }, ', resumes ', { at: until }];
}

function holds(chat: Chat, now: Instant): readonly BlockDraft[] {
  const kinds = mutedKinds(chat, now);
  const topics = Object.entries(chat.mutedTopics ?? {}).filter(([, until]) => until > now);
  return [
    ...(topics.length === 0
      ? []
      : [
          line(
            'Muted alone: ',
            ...dotted(...topics.slice(0, MAX_TOPICS).map(topicLine)),
            topics.length > MAX_TOPICS ? ` and ${topics.length - MAX_TOPICS} more` : '',
          ),
        ]),
    ...(kinds.length === 0 ? [] : [line('All entries: ', ...dotted(...kinds))]),
    ...(chat.quiet === undefined ? [] : [line('Quiet hours: ', { strong: quietText(chat.quiet) }, `, ${zoneName(zoneOf(chat))}`)]),
    ...setUp(chat),
  ];
}

/** Returns what the chat has beside its alerts. */
function setUp({ digest, board, remind = [] }: Chat): readonly BlockDraft[] {
  const parts: readonly Line[] = [
    ...(digest === undefined ? [] : [['Digest: ', { strong: digestWords(digest) }]]),
    ...(board === undefined ? [] : [['Board: ', { strong: 'on' }]]),
    ...(remind.length === 0 ? [] : [['Reminders: ', { strong: offsetsText(remind.map(({ before }) => before)) }, ' before']]),
  ];
  return parts.length === 0 ? [] : [line(...dotted(...parts))];
}

function detail(entry: Entry, context: Context): Line {
  const { now } = context;
  const muted = running(entry.mutedUntil, now);
  const { mentions = [], maxAgeHours } = entry;
  const exceptions = exceptionsLine(entry, context.watchlists.read(context.chat), now);
  return dotted(
    entry.target.kind === 'market' && entry.target.endedAt !== undefined
      ? ['over since ', { at: entry.target.endedAt }, ', nothing more is checked']
      : undefined,
    ...entryAlertsText(entry, context),
    exceptions.length === 0 ? undefined : exceptions,
    muted === undefined ? undefined : ['muted, alerts resume ', { at: muted }],
    ...mutedKinds(entry, now),
    maxAgeHours === undefined ? undefined : `drops alerts older than ${ageText(maxAgeHours)}`,
    mentions.length === 0 ? undefined : counted(mentions.length, 'mention'),
    ['added ', { at: entry.since }, ` by ${entry.by}`],
  );
}
