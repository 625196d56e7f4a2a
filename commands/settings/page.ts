/** Page of a chat's settings. */
import { quietUntil } from '../../src/alerts/queue/quiet-hours.js';
import { DEFAULT_PRESET, PRESET_TITLES, PRESETS } from '../../src/alerts/rules/presets.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import { reply, type FieldDraft, type Line, type Reply } from '../../src/chat/reply.js';
import type { Context } from '../../src/dispatch/context.js';
import { commandLine, wallTime, zoneName, zoneOf, quietText, line } from '../../src/reply/index.js';

const COMMON_ZONES = [
  'America/Los_Angeles',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'America/Sao_Paulo',
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Athens',
  'Europe/Istanbul',
  'Africa/Lagos',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Singapore',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
] as const;
const COMMON_HOURS = ['22:00-07:00', '23:00-08:00', '20:00-08:00', '00:00-06:00', '18:00-09:00'] as const;

export interface PageHead {
  readonly finding?: Line;
  readonly notes?: readonly string[];
}

export function settingsPage(chat: Chat, { now }: Pick<Context, 'now'>, { finding, notes = [] }: PageHead = {}): Reply {
  const zone = zoneOf(chat);
  const preset = chat.preset ?? DEFAULT_PRESET;
  const until = quietUntil(chat, now);
  const quiet: Line =
    chat.quiet === undefined
      ? ['Quiet hours: off']
      : [
          'Quiet hours: ',
          { strong: quietText(chat.quiet) },
          ' every day. Alerts wait and arrive as one summary.',
          ...(until === undefined ? [] : [` Quiet now, until ${wallTime(until, zone)}.`]),
        ];
  return reply({
    finding: finding ?? [{ strong: `Timezone: ${zoneName(zone)}` }, chat.timezone === undefined ? ' (default)' : ''],
    blocks: [
      ...notes.map((note) => line(note)),
      line(`Now: ${wallTime(now, zone)}`),
      line(...quiet),
      ...(chat.quiet !== undefined && chat.timezone === undefined
        ? [line('These hours are in UTC. Choose your timezone to use your own.')]
        : []),
      line('New entries: ', { strong: PRESET_TITLES[preset] }),
    ],
    actions: [
      ...(chat.quiet === undefined
        ? [{ label: 'Quiet 22:00–07:00', line: '/settings quiet 22:00-07:00' }]
        : [{ label: 'No quiet hours', line: '/settings quiet off' }]),
      ...PRESETS.map((one) => ({ label: `New entries: ${PRESET_TITLES[one]}`, line: `/settings alerts ${one}`, on: one === preset })),
      { label: 'Mute', line: '/mute' },
      { label: 'Watchlist', line: '/watchlist' },
    ],
    fields: fields(chat, zone),
  });
}

const fields = (chat: Chat, zone: string): readonly FieldDraft[] => [
  {
    kind: 'menu',
    label: 'Timezone',
    options: COMMON_ZONES.map((one) => ({ label: zoneName(one), line: commandLine('settings', 'timezone', one), on: one === zone })),
  },
  { kind: 'text', label: 'Type a city', hint: 'a city or a country, such as Lisbon or Canada', line: '/settings timezone {}' },
  {
    kind: 'menu',
    label: 'Quiet hours',
    options: [
      { label: 'None', line: '/settings quiet off', on: chat.quiet === undefined },
      ...COMMON_HOURS.map((hours) => ({
        label: hours.replace('-', '–'),
        line: commandLine('settings', 'quiet', hours),
        on: chat.quiet !== undefined && quietText(chat.quiet) === hours.replace('-', '–'),
      })),
    ],
  },
  { kind: 'text', label: 'Other quiet hours', hint: '22:30-06:45', line: '/settings quiet {}' },
];
