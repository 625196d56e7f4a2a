/** Page of a chat's digest. */
import { digestWords, WEEKDAYS, type DigestSetting } from '../../src/alerts/digest/setting.js';
import { mutedUntil } from '../../src/alerts/queue/prepared-message.js';
import { reply, type ActionDraft, type BlockDraft, type FieldDraft, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { capitalised } from '../../src/base/capitalised.js';
import { commandLine, wallTime, zoneName, zoneOf, line } from '../../src/reply/index.js';

const TIMES = ['07:00', '08:00', '09:00', '12:00', '17:00', '20:00'] as const;
const WHAT = 'Movers by premium and NAV, proposals, launches, supply, wallets and growth, in one message with a chart.';

export function digestPage(context: Context): Reply {
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
    actions: actionsOf(digest, chat.timezone === undefined, chat.entries.length === 0),
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
