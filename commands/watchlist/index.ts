/** /watchlist [export|import]: the entries of this chat. */
import { z } from 'zod';
import { brief } from '../../src/base/one-line.js';
import { UserError, requireManager, textOption } from '../../src/reply/index.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { exportPage } from './export.js';
import { IMPORT_FIELD, importPage } from './import.js';
import { watchlistOf } from '../../src/dispatch/watchlists/list.js';

const CHANGES: readonly (string | undefined)[] = ['import', 'replace'];

export default defineCommand({
  name: 'watchlist',
  summary: 'What this chat watches, with export and import',
  group: 'watching',
  elsewhere: true,
  upload: { option: 'view', value: 'import', field: IMPORT_FIELD },
  args: z.object({
    view: z.enum(['export', 'import', 'replace']).optional().describe('export as a file, import a list, or replace this one'),
    list: textOption('a file from /watchlist export, or wallets and projects, one per line').meta({ verbatim: true, file: true }),
  }),
  examples: ['/watchlist', '/watchlist export', '/watchlist import'],
  phrases: {
    '/watchlist': `watchlist | my watchlist | what are we watching | which projects do we follow | what do I watch | show my list | what is on my
      watchlist | which projects are we following in this chat | what do we watch in here | what am I subscribed to | who do I follow
      | list of watched projects | are we subscribed to {project} or not | what all are we following in this group | is {project} on
      my watchlist`,
    '/watchlist export': `export my watchlist | download the watchlist | export list | save my watchlist | watchlist as a file | export our list so I can
      move it to another channel | back up the watchlist`,
    '/watchlist import': `import a watchlist | load a watchlist file | upload my list | how do I import a list | I have a watchlist file how do I load it
      here | restore a watchlist`,
    '/watchlist replace': `replace the watchlist | throw away the watchlist and use a new one | replace our list with a file`,
  },
  manages: ({ view }) => CHANGES.includes(view),
  changes: ({ view }) => CHANGES.includes(view),

  async run({ view, list }, context) {
    // A file without an action is imported, by managers only and after a preview.
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
