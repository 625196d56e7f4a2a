/** /settings [timezone|quiet] [value]: timezone and quiet hours. */
import { z } from 'zod';
import { brief } from '../../src/base/one-line.js';
import { withHours } from '../../src/alerts/queue/quiet-hours.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import type { Instant } from '../../src/base/clock.js';
import type { Line } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { commandLine } from '../../src/replies/command-line.js';
import { zoneName, quietText } from '../../src/replies/local-time.js';
import { UserError } from '../../src/replies/user-error.js';
import { settingsPage } from './page.js';
import { isWholeDay, readQuiet } from './quiet.js';
import { readZone } from './zones.js';

export default defineCommand({
  name: 'settings',
  summary: 'The timezone of this chat, and its quiet hours',
  group: 'watching',
  args: z.object({
    what: z.enum(['timezone', 'quiet']).optional().describe('what to set'),
    value: z.string().trim().min(1).optional().describe('a city or timezone; or hours such as 22:00-07:00, or off').meta({ rest: true }),
  }),
  examples: [
    '/settings',
    '/settings timezone Europe/Berlin',
    '/settings timezone new york',
    '/settings quiet 22:00-07:00',
    '/settings quiet off',
  ],

  manages: ({ value }) => value !== undefined,

  async run({ what, value }, context) {
    if (value === undefined) return settingsPage(context.watchlists.read(context.chat), context);
    const { edit, ...said } = (what ?? whatOf(value)) === 'quiet' ? quietEdit(value) : zoneEdit(value);
    return settingsPage(await context.watchlists.change(context.chat, (chat) => edit(chat, context.now)), context, said);
  },
});

const whatOf = (value: string): 'timezone' | 'quiet' =>
  /^(?:off|none)$/iu.test(value) || readQuiet(value) !== undefined || isWholeDay(value) ? 'quiet' : 'timezone';

interface Edit {
  readonly edit: (chat: Chat, now: Instant) => Chat;
  readonly finding: Line;
  readonly notes?: readonly string[];
}

function quietEdit(value: string): Edit {
  if (/^(?:off|none)$/iu.test(value))
    return {
      edit: (chat, now) => withHours(chat, { quiet: undefined }, now),
      finding: [{ strong: 'This chat has no quiet hours any more' }],
    };
  const quiet = readQuiet(value);
  if (quiet !== undefined)
    return {
      edit: (chat, now) => withHours(chat, { quiet }, now),
      finding: [{ strong: `This chat is quiet ${quietText(quiet)} every day` }],
    };
  if (isWholeDay(value))
    throw new UserError('Quiet hours cannot be the whole day: nothing would ever be told. /mute holds everything back until a day.', {
      actions: [{ label: 'Mute', line: '/mute' }],
    });
  throw new UserError(
    `I cannot read “${brief(value)}” as quiet hours. Write from when to when by the clock, such as 22:00-07:00, or off.`,
    {
      usage: 'settings',
      actions: [{ label: 'Quiet 22:00–07:00', line: '/settings quiet 22:00-07:00' }],
    },
  );
}

function zoneEdit(value: string): Edit {
  const read = readZone(value);
  if ('zone' in read)
    return {
      edit: (chat, now) => withHours(chat, { timezone: read.zone }, now),
      finding: [{ strong: `This chat lives by ${zoneName(read.zone)}` }],
      notes: read.note === undefined ? [] : [read.note],
    };
  throw new UserError(read.says, {
    actions: read.near.map((zone) => ({ label: zoneName(zone), line: commandLine('settings', 'timezone', zone) })),
  });
}
