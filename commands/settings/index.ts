/** /settings [timezone|quiet|alerts] [value]: timezone, quiet hours, and the preset of new entries. */
import { z } from 'zod';
import { brief } from '../../src/base/one-line.js';
import { quietUntil, withHours } from '../../src/alerts/queue/quiet-hours.js';
import { DEFAULT_PRESET, PRESETS, PRESET_TITLES, presetSchema } from '../../src/alerts/rules/presets.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import type { Instant } from '../../src/base/clock.js';
import { reply, type ActionDraft, type FieldDraft, type Line, type Reply } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { changePart, readUndo, undoChange } from '../../src/dispatch/watchlists/undo.js';
import { UserError, commandLine, line, quietText, textOption, wallTime, zoneName, zoneOf } from '../../src/reply/index.js';
import { isWholeDay, readQuiet } from './quiet.js';
import { readZone } from './zones.js';
import type { Context } from '../../src/dispatch/context.js';

const isChange = ({ setting, value }: Readonly<Record<string, string>>): boolean => value !== undefined || setting === 'undo';

export default defineCommand({
  name: 'settings',
  summary: 'Timezone, quiet hours and default alerts of this chat',
  group: 'watching',
  elsewhere: true,
  personal: true,
  managersOnly: true,
  args: z.object({
    setting: z.enum(['timezone', 'quiet', 'alerts', 'undo']).optional().describe('what to change, or undo'),
    value: textOption('a city or timezone, hours such as 22:00-07:00 or off, or a preset').meta({ rest: true }),
  }),
  examples: [
    '/settings',
    '/settings timezone Europe/Berlin',
    '/settings timezone new york',
    '/settings quiet 22:00-07:00',
    '/settings quiet off',
    '/settings alerts most',
    '/settings undo',
  ],
  phrases: {
    '/settings quiet {hours}': `quiet hours from 22 to 7 | no pings between 11pm and 7am | quiet at night 23:00-07:00 | no messages at night between 11pm and 7
      | no pings 23 to 8 | do not disturb from 10pm to 6am | quiet hours 22:00-07:00 | send nothing between 11pm and 6:30am | at night
      between 23h and 6h30 nobody should be disturbed | night mode 23-7 | quiet 23-8 | I sleep from 23 to 7`,
    '/settings quiet': `quiet | quiet hours | what are our quiet hours | when are quiet hours | show the quiet hours | are there quiet hours | quiet hours on
      weekends | quiet hours on saturday and sunday | no pings on weekends | quiet on weekends | night mode | quiet at night |
      no more alerts at night | no pings at night | never alert us at night | don't ping me at night | silent at night | no messages while I sleep`,
    '/settings quiet off': `quiet hours off | turn off quiet hours | no more quiet hours | disable quiet hours | stop the quiet hours | quiet hrs off |
      remove night mode`,
    '/settings timezone {zone}': `timezone berlin | set our timezone to new york | I live in lisbon | timezone tokyo | tz london | we are in istanbul change the
      timezone | our clock is of istanbul | change the time zone to UTC | I'm in nyc now fix tz | use paris time | show times for
      lisbon | my timezone is singapore`,
    '/settings alerts {preset}': `new entries should start with most | default alerts everything | every new entry should start with the preset most | default
      preset important | set default alerts to most`,
    '/settings': `settings | show settings | what are the settings | when do our quiet hours begin | which timezone do you use | chat settings |
      preferences | configure the bot | which quiet hours are set`,
  },

  manages: isChange,
  changes: isChange,

  async run({ setting, value }, context) {
    const words = [setting, value].filter((word) => word !== undefined).join(' ');
    const asked = readUndo(words);
    if (asked !== undefined) {
      const { undo } = await undoChange('settings', asked.number, context);
      return settingsPage(context.watchlists.read(context.chat), context, { undo });
    }
    if (setting === 'undo')
      throw new UserError(`"${brief(words)}" is not a change. Write undo alone for the last one.`, { usage: 'settings' });
    if (value === undefined) return settingsPage(context.watchlists.read(context.chat), context);
    const { edit, ...said } = EDITS[setting ?? settingOf(value)](value);
    const { after, undo } = await changePart({ part: 'settings', edit: (chat) => edit(chat, context.now) }, context);
    return settingsPage(after, context, { ...said, undo });
  },
});

const settingOf = (value: string): 'timezone' | 'quiet' | 'alerts' => {
  if (presetSchema.safeParse(value.toLowerCase()).success) return 'alerts';
  return /^(?:off|none)$/iu.test(value) || readQuiet(value) !== undefined || isWholeDay(value) ? 'quiet' : 'timezone';
};

interface Edit {
  readonly edit: (chat: Chat, now: Instant) => Chat;
  readonly finding: Line;
  readonly notes?: readonly string[];
}

function quietEdit(value: string): Edit {
  if (/^(?:off|none)$/iu.test(value))
    return {
      edit: (chat, now) => withHours(chat, { quiet: undefined }, now),
      finding: [{ strong: 'Quiet hours: off' }],
    };
  const quiet = readQuiet(value);
  if (quiet !== undefined)
    return {
      edit: (chat, now) => withHours(chat, { quiet }, now),
      finding: [{ strong: `Quiet hours: ${quietText(quiet)} every day` }],
    };
  if (isWholeDay(value))
    throw new UserError("Quiet hours can't be the whole day. Use /mute to pause all alerts.", {
      actions: [{ label: 'Mute', line: '/mute' }],
    });
  throw new UserError(`"${brief(value)}" can't be quiet hours. Write two times, such as 22:00-07:00, or off.`, {
    usage: 'settings',
    actions: [{ label: 'Quiet 22:00–07:00', line: '/settings quiet 22:00-07:00' }],
  });
}

function zoneEdit(value: string): Edit {
  const read = readZone(value);
  if ('zone' in read)
    return {
      edit: (chat, now) => withHours(chat, { timezone: read.zone }, now),
      finding: [{ strong: `Timezone: ${zoneName(read.zone)}` }],
      notes: read.note === undefined ? [] : [read.note],
    };
  throw new UserError(read.says, {
    actions: read.near.map((zone) => ({ label: zoneName(zone), line: commandLine('settings', 'timezone', zone) })),
  });
}

function presetEdit(value: string): Edit {
  const preset = presetSchema.safeParse(value.toLowerCase());
  if (preset.success)
    return {
      edit: (chat) => ({ ...chat, preset: preset.data }),
      finding: [{ strong: `New entries: ${PRESET_TITLES[preset.data]}` }],
      notes: ['Entries that are watched already keep their alerts.'],
    };
  throw new UserError(`"${brief(value)}" is not a preset. Choose important, most, everything or digest.`, { usage: 'settings' });
}

const EDITS = { timezone: zoneEdit, quiet: quietEdit, alerts: presetEdit } as const;

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

interface PageHead {
  readonly finding?: Line;
  readonly notes?: readonly string[];
  readonly undo?: readonly ActionDraft[];
}

function settingsPage(chat: Chat, { now }: Pick<Context, 'now'>, { finding, notes = [], undo = [] }: PageHead = {}): Reply {
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
      ...undo,
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
