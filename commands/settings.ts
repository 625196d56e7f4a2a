/** /settings [timezone|quiet] [value]: the timezone this chat lives by, and the hours in which its alerts wait. */
import { z } from 'zod';
import type { Chat } from '../src/alerts/watchlists.js';
import type { Line } from '../src/chat/reply.js';
import { NOT_ALLOWED } from '../src/dispatch/apologies.js';
import { defineCommand } from '../src/dispatch/command.js';
import { lineOf } from '../src/dispatch/line.js';
import { zoneName } from '../src/dispatch/local-time.js';
import { UserMistake } from '../src/dispatch/mistake.js';
import { settingsPage } from '../src/dispatch/settings/page.js';
import { quietText, readQuiet } from '../src/dispatch/settings/quiet.js';
import { readZone } from '../src/dispatch/settings/zones.js';

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

  async run({ what, value }, context) {
    if (value === undefined) return settingsPage(context.watchlists.read(context.chat), context);
    if (!(await context.asker.manages())) throw new UserMistake(NOT_ALLOWED);
    const { edit, ...said } = (what ?? whatOf(value)) === 'quiet' ? quietEdit(value) : zoneEdit(value);
    return settingsPage(await context.watchlists.change(context.chat, edit), context, said);
  },
});

/** Hours are no timezone. */
const whatOf = (value: string): 'timezone' | 'quiet' =>
  /^(?:off|none)$/iu.test(value) || readQuiet(value) !== undefined ? 'quiet' : 'timezone';

interface Edit {
  readonly edit: (chat: Chat) => Chat;
  readonly finding: Line;
  readonly notes?: readonly string[];
}

function quietEdit(value: string): Edit {
  if (/^(?:off|none)$/iu.test(value))
    return { edit: (chat) => ({ ...chat, quiet: undefined }), finding: [{ strong: 'This chat has no quiet hours any more' }] };
  const quiet = readQuiet(value);
  if (quiet !== undefined)
    return { edit: (chat) => ({ ...chat, quiet }), finding: [{ strong: `This chat is quiet ${quietText(quiet)} every day` }] };
  throw new UserMistake(`“${value}” are no quiet hours. Write from when to when by the clock, such as 22:00-07:00, or off.`, {
    usage: 'settings',
  });
}

function zoneEdit(value: string): Edit {
  const read = readZone(value);
  if ('zone' in read)
    return {
      edit: (chat) => ({ ...chat, timezone: read.zone }),
      finding: [{ strong: `This chat lives by ${zoneName(read.zone)}` }],
      notes: read.note === undefined ? [] : [read.note],
    };
  throw new UserMistake(read.says, {
    actions: read.near.map((zone) => ({ label: zoneName(zone), line: lineOf('settings', 'timezone', zone) })),
  });
}
