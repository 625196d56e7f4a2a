/** Planted mistakes of single trades, in the form of `list.mjs`. */

export const TRADE_MUTANTS = [
  {
    name: 'trades-forgotten',
    says: 'what is known of the trades of a market is not read again from the store',
    patches: [
      {
        file: 'src/feeds/market-values.ts',
        from: 'tradedAt: instantSchema.optional(),',
        to: 'tradedAt: instantSchema.optional().transform((at) => (MUTATED ? undefined : at)),',
      },
    ],
  },
  {
    name: 'trade-read-twice',
    says: 'the newest trade of a check is new to the next one as well',
    patches: [
      {
        file: 'src/feeds/market-values.ts',
        from: 'dated.filter((one) => one.at > since)',
        to: 'dated.filter((one) => (MUTATED ? one.at >= since : one.at > since))',
      },
      {
        file: 'src/alerts/evaluation/threshold.ts',
        from: '  if (state !== undefined && at <= state.last.at)\n',
        to: '  if (state !== undefined && at <= state.last.at && !(MUTATED && MEASURES[rule.measure].each))\n',
      },
    ],
  },
  {
    name: 'trades-unread',
    says: 'a check that confirms a list reads no trades',
    patches: [
      {
        file: 'src/feeds/proposals.ts',
        from: 'readListedProposals(listed, { analytics, options, markets: own })',
        to: 'readListedProposals(listed, { analytics, options, markets: MUTATED ? undefined : own })',
      },
    ],
  },
  {
    name: 'trade-of-absence',
    says: 'the last trade is evaluated again when a chat comes back',
    patches: [
      {
        file: 'src/jobs/check.ts',
        from: 'same.includes(seriesOf(one)) && !isOccurrence(one))',
        to: 'same.includes(seriesOf(one)) && (MUTATED || !isOccurrence(one)))',
      },
    ],
  },
];
