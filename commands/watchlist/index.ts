/** /watchlist [export|import]: the entries of this chat. */
import { z } from 'zod';
import { brief } from '../../src/base/one-line.js';
import { requireManager } from '../../src/replies/managers-only.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { UserError } from '../../src/replies/user-error.js';
import { exportPage } from './export.js';
import { importPage } from './import.js';
import { watchlistOf } from '../../src/dispatch/watchlists/list.js';

/** `replace` is for buttons only: without a preview it shows one. */
const CHANGES: readonly (string | undefined)[] = ['import', 'replace'];

export default defineCommand({
  name: 'watchlist',
  summary: 'What this chat watches; as a file, and from a file or a pasted list',
  group: 'watching',
  args: z.object({
    view: z.enum(['export', 'import', 'replace']).optional().describe('give the list as a file, add a list to it, or replace it by one'),
    list: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe('what to import: a file of /watchlist export, or wallets and projects, one on a line')
      .meta({ verbatim: true, file: true }),
  }),
  examples: ['/watchlist', '/watchlist export', '/watchlist import'],
  manages: ({ view }) => CHANGES.includes(view),

  async run({ view, list }, context) {
    // A file without an action is imported. Only managers can do that, and it is previewed first.
    const isBare = view === undefined && context.files.length > 0;
    if (isBare) await requireManager(context.asker);
    if (CHANGES.includes(view) || isBare)
      return importPage({ mode: view === 'replace' ? 'replace' : 'add', may: !isBare, text: list }, context);
    if (list !== undefined)
      throw new UserError(
        view === undefined
          ? `I do not know what "${brief(list)}" means to /watchlist. To add a list, write /watchlist import before it.`
          : '/watchlist export takes nothing else.',
        { usage: 'watchlist' },
      );
    return view === 'export' ? exportPage(context) : watchlistOf(context);
  },
});
