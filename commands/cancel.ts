/** /cancel: confirms that an offered change is not made. */
import { z } from 'zod';
import { reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';

export default defineCommand({
  name: 'cancel',
  summary: 'Change nothing',
  group: 'bot',
  audience: 'asker',
  args: z.object({}),
  examples: ['/cancel'],
  phrases: { '/cancel': `cancel that | cancel | abort | changed my mind | forget it | don't do it | leave it as it is` },

  run: async () => reply({ finding: ['Nothing was changed'] }),
});
