/** /alerts [target] [kind] [rule]: the alerts of this chat and their rules. */
import { z } from 'zod';
import { reply, type Reply } from '../../src/chat/reply.js';
import { isBacktest, isRuleFirst, readRequest, type AlertOptions } from './request.js';
import { backtest } from './backtest.js';
import { ALERT_ACTIONS } from '../../src/dispatch/watchlists/rule-text.js';
import { change } from './change.js';
import { kindPage, onePage, overview } from './pages.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { UserError, commandLine, line, requireManager, textOption } from '../../src/reply/index.js';
import { brief } from '../../src/base/one-line.js';
import { both, either } from '../../src/base/sentence-lists.js';
import type { Context } from '../../src/dispatch/context.js';
import { requirePosting } from '../../src/dispatch/watchlists/first-checks.js';

export default defineCommand({
  name: 'alerts',
  summary: 'Choose alerts and thresholds for this chat',
  group: 'watching',
  personal: true,
  args: z.object({
    target: textOption('an entry of the watchlist').meta({ complete: 'entry' }),
    kind: z.string().optional().describe('the kind of alert').meta({ choices: 'kinds' }),
    action: z.enum(ALERT_ACTIONS).optional().describe('a preset, on, silent, off, what to change, or backtest').meta({ ends: 'backtest' }),
    rule: textOption('such as usd>10000, below -10, stages:live').meta({ rest: true }),
  }),
  examples: [
    '/alerts tide supply usd>10000',
    '/alerts',
    '/alerts tide',
    '/alerts tide most',
    '/alerts tide digest',
    '/alerts tide undo',
    '/alerts tide growth silent',
    '/alerts tide premium below -10 band 2',
    '/alerts tide premium usual',
    '/alerts tide age 1d',
    '/alerts tide premium below -10 backtest',
    '/alerts test supply',
  ],

  // A rule may stand in the target.
  changes: ({ target, action, rule }) =>
    action === undefined ? rule !== undefined || isRuleFirst(target) : action !== 'backtest' && action !== 'preview',

  async run(options, context): Promise<Reply> {
    const { entries } = context.watchlists.read(context.chat);
    if (options.action === 'test') return samples(options, context);
    if (isBacktest(options.action)) return backtest(options, context);
    if (entries.length === 0)
      throw new UserError('Nothing is watched here yet.', {
        actions: [{ label: 'Watch', line: '/watch' }],
      });
    const { entry, kind, action } = await readRequest(options, context);
    if (action.do !== 'show') return change({ entry, kind, action, options }, context);
    if (entry === undefined) return overview(entries, context);
    return kind === undefined ? onePage(entry, context) : kindPage(entry, kind, { context });
  },
});

const MAX_BUTTONS = 5;

/** `/alerts test` posts a sample alert of each kind, or of one. Rejects with a `UserError`. */
async function samples({ kind, target, rule }: AlertOptions, context: Context): Promise<Reply> {
  const kinds = context.kinds.map(({ id }) => id);
  const words = [kind, target, rule].flatMap((part) => part?.split(/\s+/u) ?? []);
  const wanted = kinds.find((one) => one === words[0]?.toLowerCase());
  const odd = words.find((word) => !kinds.includes(word.toLowerCase()));
  const all = { actions: [{ label: 'Test every kind', line: '/alerts test' }] };
  if (odd !== undefined)
    throw new UserError(
      `"${brief(odd)}" is not an alert kind. A sample is of one kind: ${either(kinds)}.`,
      wanted === undefined ? all : { actions: [{ label: `Test ${wanted}`, line: commandLine('alerts', 'test', wanted) }, ...all.actions] },
    );
  if (words.length > 1)
    throw new UserError('A sample is of one kind, or of every kind.', {
      actions: [
        ...words
          .slice(0, MAX_BUTTONS)
          .map((word) => ({ label: `Test ${word.toLowerCase()}`, line: commandLine('alerts', 'test', word.toLowerCase()) })),
        ...all.actions,
      ],
    });
  await requireManager(context.asker);
  await requirePosting(commandLine('alerts', 'test', wanted), context);
  await context.samples.post(context.chat, wanted);
  return reply({
    tone: 'live',
    finding: [
      { strong: wanted === undefined ? 'A sample of each kind comes here' : `A sample of ${wanted} comes here` },
      ' within a few seconds',
    ],
    blocks: [
      line(
        'Its data is invented and marked as such. Otherwise it is like a real alert, also in the history. Kinds: ',
        { strong: wanted ?? both(kinds) },
        '.',
      ),
      line({ code: '/history' }, ' shows why one did not arrive.'),
    ],
    actions: [
      { label: 'Post again', line: commandLine('alerts', 'test', wanted) },
      { label: 'History', line: '/history' },
      { label: 'Alerts', line: '/alerts' },
    ],
  });
}
