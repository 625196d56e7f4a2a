/** /alerts [target] [kind] [rule]: the alerts of this chat and their rules. */
import { z } from 'zod';
import type { Reply } from '../../src/chat/reply.js';
import { isBacktest, isRuleFirst, readRequest } from './request.js';
import { backtest } from './backtest.js';
import { ALERT_ACTIONS } from '../../src/dispatch/watchlists/alert-actions.js';
import { change } from './change.js';
import { kindPage, onePage, overview } from './pages.js';
import { samples } from './samples.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { UserError } from '../../src/reply/index.js';

export default defineCommand({
  name: 'alerts',
  summary: 'Choose alerts and thresholds for this chat',
  group: 'watching',
  personal: true,
  args: z.object({
    target: z.string().trim().min(1).optional().describe('an entry of the watchlist').meta({ complete: 'entry' }),
    kind: z.string().optional().describe('the kind of alert').meta({ choices: 'kinds' }),
    action: z.enum(ALERT_ACTIONS).optional().describe('a preset, on, silent, off, what to change, or backtest').meta({ ends: 'backtest' }),
    rule: z.string().trim().min(1).optional().describe('such as usd>10000, below -10, stages:live').meta({ rest: true }),
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
