/** Planted mistakes of single trades, in the form of `list.mjs`. */

export const TRADE_MUTANTS = [
  {
    name: 'trades-forgotten',
    says: 'what is known of the trades of a market is not read again from the store',
    patches: [
      {
        file: 'src/feeds/market-values.ts',
        from: '...knownTradesSchema.partial().shape,',
        to: '...knownTradesSchema.extend({ tradedAt: instantSchema.optional().transform((at) => (MUTATED ? undefined : at)) }).partial().shape,',
      },
    ],
  },
  {
    name: 'trade-read-twice',
    says: 'the newest trade of a check is new to the next one as well',
    patches: [
      {
        file: 'src/feeds/market-trades.ts',
        from: '(one) => (one.at > tradedAt || one.at > seen.since) && !isKnown(one)',
        to: '(one) => (MUTATED && one.at >= tradedAt) || ((one.at > tradedAt || one.at > seen.since) && !isKnown(one))',
      },
      {
        file: 'src/alerts/evaluation/threshold.ts',
        from: '  if (state !== undefined && at <= state.last.at)\n',
        to: '  if (state !== undefined && at <= state.last.at && !(MUTATED && MEASURES[rule.measure].each))\n',
      },
    ],
  },
  {
    name: 'late-trade-lost',
    says: 'a trade that is listed after a later one is taken for known',
    patches: [
      {
        file: 'src/feeds/market-trades.ts',
        from: '|| one.at > seen.since) &&',
        to: '|| (one.at > seen.since && !MUTATED)) &&',
      },
    ],
  },
  {
    name: 'late-trade-twice',
    says: 'trades that were listed late are not remembered',
    patches: [
      {
        file: 'src/feeds/market-trades.ts',
        from: 'trades: all.slice(0, MAX_SEEN)',
        to: 'trades: all.slice(0, MUTATED ? 0 : MAX_SEEN)',
      },
    ],
  },
  {
    name: 'last-trades-unread',
    says: 'trades between the last check of a market and its result are not read',
    patches: [
      {
        file: 'src/feeds/market-values.ts',
        from: '  if (tradedAt !== undefined) return newTrades(',
        to: '  if (MUTATED && !isOpen) return { trades: [] };\n  if (tradedAt !== undefined) return newTrades(',
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
