/** /digest [setting] [time]: a daily or weekly message with what changed. */
import { z } from 'zod';
import { WEEKDAYS, digestWords, hasCard, hasReceipt, type DigestSetting } from '../../src/alerts/digest/setting.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import type { Instant } from '../../src/base/clock.js';
import { omitUndefined } from '../../src/base/omit-undefined.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { requirePosting } from '../../src/dispatch/watchlists/first-checks.js';
import { changePart, readUndo, undoChange } from '../../src/dispatch/watchlists/undo.js';
import { UserError, commandLine, line, textOption, wallTime, zoneName, zoneOf } from '../../src/reply/index.js';
import { readDigestTime, type DigestTime } from './read.js';
import { mutedUntil } from '../../src/alerts/queue/prepared-message.js';
import { reply, type ActionDraft, type BlockDraft, type FieldDraft, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { capitalised } from '../../src/base/sentence-lists.js';

const DEFAULT_TIME = '09:00';
const MONDAY = 1;

const isChange = ({ setting, time }: Readonly<Record<string, string>>): boolean =>
  (setting !== undefined && setting !== 'now') || time !== undefined;

export default defineCommand({
  name: 'digest',
  summary: 'A daily or weekly message with what changed',
  group: 'watching',
  elsewhere: true,
  managersOnly: true,
  args: z.object({
    setting: z
      .enum(['daily', 'weekly', 'off', 'now', 'ring', 'silent', 'receipt', 'no-receipt', 'card', 'no-card', 'undo'])
      .optional()
      .describe('how often, off, now, its sound, its card, what was filtered, or undo'),
    time: textOption('such as 09:00, or Mon 09:00').meta({ rest: true }),
  }),
  examples: [
    '/digest',
    '/digest daily 09:00',
    '/digest weekly Mon 09:00',
    '/digest now',
    '/digest ring',
    '/digest no-receipt',
    '/digest no-card',
    '/digest off',
    '/digest undo',
  ],
  phrases: {
    '/digest {rhythm} {time?}': `digest every morning at 9 | daily digest at 8 | digest 8am daily | weekly digest monday 9am | send me a summary every morning at
      8 | summary every day at 18:00 | digest mon 9am | weekly summary on mondays | one summary every morning at 8 instead of reading
      all day | every morning at 8h send a recap of what changed | digest each day 7h30 | daily summary at half past six pm | daily
      recap | weekly digest | switch the digest to weekly | recap every friday at 17:00`,
    '/digest now': `send the digest now | digest now | recap now | summary now please | what changed since the last digest | give me the digest
      right now | catch me up | what did I miss | what happened since yesterday`,
    '/digest off': `no digest anymore | turn off the digest | stop the digest | kill the digest | digest off | cancel the daily summary | no more
      summaries`,
    '/digest ring': `the digest should make a sound | digest with sound | ring for the digest`,
    '/digest silent': `digest without a sound | silent digest | keep the daily digest but let it arrive without the ping | the digest should not ping`,
    '/digest receipt': `say in the weekly digest what was filtered | show in the digest what you filtered out | digest with what was filtered`,
    '/digest no-receipt': `leave out of the digest what was filtered | digest without what was filtered`,
    '/digest card': `digest with the card | morning card on | show the card in the digest | put the picture of the year's ranges in the digest`,
    '/digest no-card': `digest without the card | no morning card | leave the card out of the digest`,
    '/digest': `digest | do we have a digest | when is the digest | digest settings | do we have a digest set up and for what time | when does
      the summary come`,
  },

  manages: isChange,
  changes: isChange,

  async run({ setting, time }, context) {
    const undo = readUndo([setting, time].filter((word) => word !== undefined).join(' '));
    if (undo !== undefined) return digestPage(context, (await undoChange('digest', undo.number, context)).undo);
    if (time !== undefined && setting !== undefined && setting !== 'daily' && setting !== 'weekly')
      throw new UserError(`"${setting}" takes no time.`, {
        usage: 'digest',
        actions: [{ label: `Digest ${setting}`, line: commandLine('digest', setting) }],
      });
    if (setting === 'now') {
      if (context.watchlists.read(context.chat).entries.length === 0)
        throw new UserError('Nothing is watched here yet.', { actions: [{ label: 'Watch', line: '/watch' }] });
      // Later questions may start: this one reads everything that is watched and changes nothing.
      context.endTurn();
      return context.digests.preview(context.chat);
    }
    const change = changeOf(setting, time);
    if (change === undefined) return digestPage(context);
    const words = [setting, time].filter((word) => word !== undefined);
    if (setting !== 'off') await requirePosting(commandLine('digest', ...words), context);
    const { undo: undoAction } = await changePart({ part: 'digest', edit: (chat) => change(chat, context.now) }, context);
    return digestPage(context, undoAction);
  },
});

type Change = (chat: Chat, now: Instant) => Chat;

function changeOf(setting: string | undefined, time: string | undefined): Change | undefined {
  if (setting === undefined && time === undefined) return undefined;
  if (setting === 'off') return withoutDigest;
  if (setting === 'receipt' || setting === 'no-receipt') return (chat) => withReceipt(chat, setting === 'receipt');
  if (setting === 'card' || setting === 'no-card') return (chat) => withCard(chat, setting === 'card');
  if (setting === 'ring' || setting === 'silent') return (chat) => withSound(chat, setting === 'ring');
  const read = readDigestTime([setting, time].filter((word) => word !== undefined).join(' '));
  if ('says' in read)
    throw new UserError(read.says, {
      usage: 'digest',
      actions: [
        { label: 'Daily 09:00', line: '/digest daily 09:00' },
        { label: 'Weekly', line: '/digest weekly Mon 09:00' },
      ],
    });
  return (chat, now) => ({ ...chat, digest: changed(chat.digest, read, now) });
}

const withoutDigest: Change = (chat) => {
  if (chat.digest === undefined) return chat;
  const { digest: _, ...rest } = chat;
  return rest;
};

function withReceipt(chat: Chat, isWanted: boolean): Chat {
  if (chat.digest?.every !== 'week')
    throw new UserError('Only a weekly digest lists what was filtered.', {
      actions: [{ label: 'Weekly', line: commandLine('digest', 'weekly', chat.digest?.at ?? DEFAULT_TIME) }],
    });
  const { receipt: _, ...digest } = chat.digest;
  return { ...chat, digest: isWanted ? digest : { ...digest, receipt: false } };
}

function withCard(chat: Chat, isWanted: boolean): Chat {
  const { card: _, ...digest } = digestIn(chat);
  return { ...chat, digest: isWanted ? digest : { ...digest, card: false } };
}

function digestIn({ digest }: Chat): DigestSetting {
  if (digest !== undefined) return digest;
  throw new UserError('No digest is on in this chat.', { actions: [{ label: 'Daily 09:00', line: '/digest daily 09:00' }] });
}

function withSound(chat: Chat, rings: boolean): Chat {
  const { rings: _, ...digest } = digestIn(chat);
  return { ...chat, digest: rings ? { ...digest, rings: true } : digest };
}

function changed(
  before: DigestSetting | undefined,
  { every = before?.every ?? 'day', weekday, at = before?.at ?? DEFAULT_TIME }: DigestTime,
  now: Instant,
): DigestSetting {
  const kept = omitUndefined({ rings: before?.rings, receipt: before?.receipt, card: before?.card });
  const common = { at, since: before?.every === every ? before.since : now, ...kept };
  if (every === 'day') return { every, ...common };
  return { every, weekday: weekday ?? (before?.every === 'week' ? before.weekday : MONDAY), ...common };
}

const TIMES = ['07:00', '08:00', '09:00', '12:00', '17:00', '20:00'] as const;
const WHAT = 'Movers by premium and NAV, proposals, launches, supply, wallets and growth, in one message with a picture.';

function digestPage(context: Context, undo: readonly ActionDraft[] = []): Reply {
  const chat = context.watchlists.read(context.chat);
  const { digest } = chat;
  const zone = zoneOf(chat);
  return reply({
    finding: [
      { strong: `Digest: ${digest === undefined ? 'off' : digestWords(digest)}` },
      ...(digest === undefined ? [] : [` (${zoneName(zone)}${chat.timezone === undefined ? ', default' : ''})`]),
    ],
    blocks: [
      ...(digest === undefined ? [line(WHAT)] : stateLines(digest, zone, context)),
      ...(chat.timezone === undefined ? [line('Times are in UTC. Choose your timezone in ', { code: '/settings' }, '.')] : []),
      ...(chat.entries.length === 0 ? [line("Nothing watched yet. The digest covers this chat's watchlist.")] : []),
    ],
    actions: [...actionsOf(digest, chat.timezone === undefined, chat.entries.length === 0), ...undo],
    fields: fieldsOf(digest),
  });
}

function stateLines(digest: DigestSetting, zone: string, { digests, watchlists, chat: address, now }: Context): readonly BlockDraft[] {
  const chat = watchlists.read(address);
  const { next, last } = digests.state(address);
  const muted = mutedUntil(chat, now);
  return [
    ...(next === undefined ? [] : [line('Next: ', { strong: wallTime(next.dueAt > now ? next.dueAt : now, zone) })]),
    ...(last?.coveredUntil === undefined ? [] : [line(`Last: ${wallTime(last.coveredUntil, zone)}`)]),
    line(`Sent ${digest.rings === true ? 'with' : 'without'} sound, also in quiet hours. A mute of this chat delays it.`),
    line(
      hasCard(digest)
        ? 'Its picture is the card: premiums in their 1Y range, and live votes.'
        : 'Its picture is the chart of premiums that moved.',
    ),
    ...(hasReceipt(digest) ? [line('It ends with what your filters left out, by rule.')] : []),
    ...(muted === undefined ? [] : [line(`This chat is muted until ${wallTime(muted, zone)}.`)]),
  ];
}

function actionsOf(digest: DigestSetting | undefined, isDefaultZone: boolean, isEmpty: boolean): readonly ActionDraft[] {
  const at = digest?.at ?? '09:00';
  return [
    { label: `Daily ${at}`, line: commandLine('digest', 'daily', at), on: digest?.every === 'day' },
    {
      label: 'Weekly',
      line: commandLine('digest', 'weekly', WEEKDAYS[(digest?.every === 'week' ? digest.weekday : 1) - 1] ?? 'Mon', at),
      on: digest?.every === 'week',
    },
    { label: 'Off', line: '/digest off', on: digest === undefined },
    { label: 'Show now', line: '/digest now' },
    ...(digest === undefined
      ? []
      : [digest.rings === true ? { label: 'Without sound', line: '/digest silent' } : { label: 'With sound', line: '/digest ring' }]),
    ...(digest === undefined
      ? []
      : [hasCard(digest) ? { label: 'Without card', line: '/digest no-card' } : { label: 'With card', line: '/digest card' }]),
    ...(digest?.every !== 'week'
      ? []
      : [
          hasReceipt(digest)
            ? { label: 'Without filtered', line: '/digest no-receipt' }
            : { label: 'With filtered', line: '/digest receipt' },
        ]),
    ...(isDefaultZone ? [{ label: 'Timezone', line: '/settings' }] : []),
    ...(isEmpty ? [{ label: 'Watch', line: '/watch' }] : []),
  ];
}

const fieldsOf = (digest: DigestSetting | undefined): readonly FieldDraft[] => {
  const words = digest?.every === 'week' ? ['weekly', WEEKDAYS[digest.weekday - 1] ?? 'Mon'] : ['daily'];
  return [
    {
      kind: 'menu',
      label: 'Time',
      options: TIMES.map((at) => ({
        label: `${capitalised(words.join(' '))} ${at}`,
        line: commandLine('digest', ...words, at),
        on: digest?.at === at,
      })),
    },
    ...(digest?.every === 'week'
      ? [
          {
            kind: 'menu' as const,
            label: 'Weekday',
            options: WEEKDAYS.map((day, index) => ({
              label: day,
              line: commandLine('digest', 'weekly', day, digest.at),
              on: digest.weekday === index + 1,
            })),
          },
        ]
      : []),
    { kind: 'text', label: 'Other time', hint: '08:30, or Fri 18:00', line: '/digest {}' },
  ];
};
