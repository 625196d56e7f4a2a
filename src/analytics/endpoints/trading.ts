/** Decision-market trading of a project (§4.11; the layout is not specified). */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { labelled, readObject } from '../field-reader.js';
import { get, list, paging } from '../endpoint-row.js';
import { count, decimal, moment, words } from '../wire-values.js';
import { readTrade } from './wallet-activity.js';

/** Refuses `special-wallet`, because that path belongs to the wallet operations. */
const byDao = z.object({
  daoSlug: z
    .string()
    .min(1)
    .refine((slug) => slug !== 'special-wallet', 'no project'),
});

export const tradingStatistics = get({
  id: 'trading.statistics',
  path: '/v1/trading-activity/{daoSlug}',
  spec: '§4.11',
  input: byDao,
  freshFor: 5 * MINUTE,
  data: readObject((from, root) => ({
    /** The value is in USD. */
    volume: from.get('tradeVolume', decimal),
    trades: from.get('trades', count),
    traders: from.get('traders', count),
    proposals: from.get('proposalCount', count),
    live: from.get('liveProposals', count),
    average: from.get('averageTrade', decimal),
    lastTradeAt: from.get('lastTradeAt', moment),
    all: labelled(root),
  })),
});

export const tradingActivities = list({
  id: 'trading.trades',
  path: '/v1/trading-activity/{daoSlug}/trading-activities',
  spec: '§4.11',
  input: byDao.extend(paging),
  freshFor: MINUTE,
  row: readObject((from) => ({ ...readTrade(from), wallet: from.get('trader', words) })).refine(
    (row) => row.at !== undefined || row.signature !== undefined,
    'a trade without time and transaction',
  ),
});
