/** /unmute [target] [kind]: ends a mute, as `/mute … off` does. */
import { z } from 'zod';
import { textOption } from '../src/reply/index.js';
import { defineCommand } from '../src/dispatch/command.js';
import { MUTE_SCOPE, mute } from '../src/dispatch/watchlists/mutes.js';

export default defineCommand({
  name: 'unmute',
  summary: 'End a mute, so that alerts come again',
  group: 'watching',
  elsewhere: true,
  managersOnly: true,
  args: z.object({
    ...MUTE_SCOPE,
    market: textOption('one proposal or launch: on <public key>').meta({ rest: true }),
  }),
  examples: ['/unmute', '/unmute tide', '/unmute tide supply'],
  phrases: {
    '/unmute {scope?}': `unmute | unmute all | unmute {project} | resume alerts | end the mute | you can speak again | you can talk about {project} again
      | resume {project} | end the mute on proposals | turn alerts back on | ok you can start talking again meeting is over | you can
      speak again the pause is over | back from the meeting unmute | unsnooze {project}`,
  },
  changes: true,

  run: async ({ market, ...options }, context) =>
    mute({ ...options, command: 'unmute', time: [market, 'off'].filter((word) => word !== undefined).join(' ') }, context),
});
