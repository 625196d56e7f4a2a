/** /mute [target] [kind] <time>: suppresses alerts for a time. */
import { z } from 'zod';
import { textOption } from '../src/reply/index.js';
import { defineCommand } from '../src/dispatch/command.js';
import { MUTE_SCOPE, mute } from '../src/dispatch/watchlists/mutes.js';

export default defineCommand({
  name: 'mute',
  summary: 'Pause alerts for a while or until a date',
  group: 'watching',
  elsewhere: true,
  managersOnly: true,
  args: z.object({
    ...MUTE_SCOPE,
    time: textOption('2h, 3d, 1w, 18:00, tomorrow 9:00, Dec 1, or off').meta({ rest: true }),
  }),
  examples: [
    '/mute 24h',
    '/mute tide 3d',
    '/mute tide and heron 2h',
    '/mute proposal tide audit 1d',
    '/mute tide supply until Dec 1 18:00',
    '/mute growth tomorrow 9:00',
    '/mute tide off',
  ],
  phrases: {
    '/mute {scope?} {until?}': `mute | mute for 2 hours | mute everything for 24 hours | mute {project} | mute {project} until tomorrow | mute {project} for 3
      days | silence {project} | be quiet for an hour | shush until tomorrow 9am | no {project} alerts until monday | pause {project}
      for a week | snooze {project} 3d | no growth noise for 3 days | mute supply alerts until 6pm | stop talking until tomorrow | be
      silent for an hour I'm in a meeting | shush {project} til tomorrow 9am | don't bother me with {project} until the first of
      december | quiet for 2h please | mute all until friday 9am | no growth pings til 6pm | {project} quiet til monday | {project}
      make a pause of two weeks | please be silent until tomorrow 9 o'clock | keep {wallet} quiet over the weekend till monday 8am |
      pause growth till tomorrow morning | I'd rather have no supply alerts about {project} until december 1st 6 pm | silence
      {project} 12h | mute this channel | mute proposals for 2 days | leave me alone for 3 hours | not now come back in 2 hours | hold
      alerts for {project} until thursday | stop pinging for today | mute the {project} vote | silence the {project} proposal for a
      day | mute the vote of {project} until tomorrow | mute the audit vote for 2 hours | mute {project} and {project} for 2h | no pings overnight | be quiet tonight |
      no {project} alerts tonight | mute for the night | no alerts overnight please | nothing more tonight`,
  },

  // Any option may contain the time.
  changes: (options) => Object.keys(options).length > 0,

  run: mute,
});
