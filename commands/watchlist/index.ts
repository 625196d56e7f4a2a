/** /watchlist [export|import]: the entries of this chat. */
import { z } from 'zod';
import { brief } from '../../src/base/one-line.js';
import { UserError, requireManager, textOption } from '../../src/reply/index.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { exportPage } from './export.js';
import { importPage } from './import.js';
import { watchlistOf } from '../../src/dispatch/watchlists/list.js';

const CHANGES: readonly (string | undefined)[] = ['import', 'replace'];

export default defineCommand({
  name: 'watchlist',
  summary: 'What this chat watches, with export and import',
  group: 'watching',
  args: z.object({
    view: z.enum(['export', 'import', 'replace']).optional().describe('export as a file, import a list, or replace this one'),
    list: textOption('a file from /watchlist export, or wallets and projects, one per line').meta({ verbatim: true, file: true }),
  }),
  examples: ['/watchlist', '/watchlist export', '/watchlist import'],
  manages: ({ view }) => CHANGES.includes(view),
  changes: ({ view }) => CHANGES.includes(view),

  async run({ view, list }, context) {
    // A file without an action is imported. Only managers can do that, and it is previewed first.
    const isBare = view === undefined && context.files.length > 0;
    if (isBare) await requireManager(context.asker);
    if (CHANGES.includes(view) || isBare)
      return importPage({ mode: view === 'replace' ? 'replace' : 'add', may: !isBare, text: list }, context);
    if (list !== undefined)
      throw new UserError(
        view === undefined
          ? `/watchlist doesn't understand "${brief(list)}". To import a list, start with /watchlist import.`
          : '/watchlist export takes no other options.',
        { usage: 'watchlist' },
      );
    return view === 'export' ? exportPage(context) : watchlistOf(context);
  },
});
