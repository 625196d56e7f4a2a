/** What `/mute` answers: how it stands, what can be chosen, and what was done. */
import { kindsFor, shortName, targetName, type Target } from '../../alerts/entry.js';
import { heldBy, type Held } from '../../alerts/hold.js';
import { entryFor, type Chat } from '../../alerts/watchlists.js';
import { reply, type BlockDraft, type FieldDraft, type Line, type Reply } from '../../chat/reply.js';
import type { Instant } from '../../domain/scalars.js';
import type { Context } from '../context.js';
import { lineOf } from '../line.js';
import { wallTime, zoneOf } from '../local-time.js';
import { line } from '../parts.js';
import { titleOf } from '../targets.js';

/** What is spoken of: the chat, an entry, a kind in either. */
export interface About {
  readonly target: Target | undefined;
  readonly kind: string | undefined;
}

/** "This chat", "Tidewater", "supply of Tidewater", "supply in this chat". */
async function nameOf({ target, kind }: About, context: Context): Promise<string> {
  if (target === undefined) return kind === undefined ? 'This chat' : `${kind} in this chat`;
  const title = await titleOf(target, context);
  return kind === undefined ? title : `${kind} of ${title}`;
}

const words = ({ target, kind }: About): readonly string[] => [target && targetName(target), kind].filter((word) => word !== undefined);

/** The moment by the chat's own clock, where it has one. */
const clockLine = (until: Instant, chat: Chat): readonly BlockDraft[] =>
  chat.timezone === undefined ? [] : [line(`That is ${wallTime(until, zoneOf(chat))}.`)];

/** What was muted, and until when. */
export async function mutedPage(chat: Chat, about: About, { until, context }: { until: Instant; context: Context }): Promise<Reply> {
  return reply({
    finding: [{ strong: `${await nameOf(about, context)} is muted` }, '; alerts come again ', { at: until }],
    blocks: [
      ...clockLine(until, chat),
      line('What happens until then is held back and comes as one summary; ', { code: '/why' }, ' tells of it.'),
    ],
    actions: [{ label: 'Unmute', line: lineOf('mute', ...words(about), 'off') }, WATCHLIST],
  });
}

const WATCHLIST = { label: 'Watchlist', line: '/watchlist' };

/** That a mute has ended, and what still holds. */
export async function unmutedPage(chat: Chat, about: About, context: Context): Promise<Reply> {
  const held = holdOn(chat, about, context.now);
  return reply({
    finding: [{ strong: `${await nameOf(about, context)} is not muted any more` }],
    blocks: held === undefined ? [line('What was held back comes as one summary.')] : [line(...still(held))],
    actions: [{ label: 'Mute 24 h', line: lineOf('mute', ...words(about), '24h') }, WATCHLIST],
  });
}

const holdOn = (chat: Chat, { target, kind }: About, now: Instant): Held | undefined =>
  // A kind of no name is held by what holds every kind.
  heldBy({ feed: kind ?? '' }, target && entryFor(chat, target), chat, now);

function still({ because, what, until }: Held): Line {
  if (because === 'quiet hours')
    return [
      'It is within the quiet hours of this chat, and alerts come again ',
      { at: until },
      '; ',
      { code: '/settings quiet off' },
      ' ends them.',
    ];
  const whose = { chat: 'The whole chat', kind: 'This kind', entry: 'All of this entry', 'entry kind': 'This kind' }[what];
  return [
    `${whose} is still muted, and alerts come again `,
    { at: until },
    ...(what === 'chat' ? ['; ', { code: '/mute off' }, ' ends that.'] : ['.']),
  ];
}

/** How it stands, and what can be chosen. */
export async function askPage(chat: Chat, about: About, context: Context): Promise<Reply> {
  const held = holdOn(chat, about, context.now);
  const name = await nameOf(about, context);
  const finding: Line =
    held === undefined
      ? [{ strong: `${name} is not muted` }, '. For how long should it be?']
      : held.because === 'muted'
        ? [{ strong: `${name} is muted` }, '; alerts come again ', { at: held.until }]
        : [{ strong: `${name} is quiet by its quiet hours` }, '; alerts come again ', { at: held.until }];
  return reply({
    finding,
    blocks: held === undefined ? [] : clockLine(held.until, chat),
    actions: [
      ...['1h', '24h', '3d', '1w'].map((time) => ({ label: time, line: lineOf('mute', ...words(about), time) })),
      { label: 'Off', line: lineOf('mute', ...words(about), 'off') },
      { label: 'Quiet hours', line: '/settings' },
    ],
    fields: fields(chat, about, context),
  });
}

const MOMENTS = [
  ['Until 18:00', '18:00'],
  ['Until tomorrow 9:00', 'tomorrow 9:00'],
  ['Until Monday 9:00', 'monday 9:00'],
  ['For 2 weeks', '2w'],
  ['For 30 days', '30d'],
] as const;
const MOST_OPTIONS = 25;

function fields(chat: Chat, about: About, { kinds }: Context): readonly FieldDraft[] {
  const { target, kind } = about;
  const own = kinds
    .map(({ id }) => id)
    .filter((id) => (target === undefined ? chat.entries.length > 0 : kindsFor(target, [id]).length > 0));
  return [
    {
      kind: 'menu',
      label: 'Until when',
      options: MOMENTS.map(([label, time]) => ({ label, line: lineOf('mute', ...words(about), ...time.split(' ')) })),
    },
    ...(target === undefined && kind === undefined && chat.entries.length > 0
      ? [
          {
            kind: 'menu' as const,
            label: 'Only what is watched',
            options: chat.entries
              .slice(0, MOST_OPTIONS)
              .map((entry) => ({ label: shortName(entry.target), line: lineOf('mute', targetName(entry.target)) })),
          },
        ]
      : []),
    ...(kind === undefined && own.length > 1
      ? [
          {
            kind: 'menu' as const,
            label: 'Only a kind',
            options: own.map((id) => ({ label: id, line: lineOf('mute', ...words({ target, kind: id })) })),
          },
        ]
      : []),
    { kind: 'text', label: 'Type a time', hint: '3d, or until 1 Dec 18:00', line: `${lineOf('mute', ...words(about))} {}` },
  ];
}
