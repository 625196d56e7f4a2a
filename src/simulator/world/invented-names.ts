/** Names used in the simulated world. Only data. */

export const PROPOSAL_TITLES: readonly string[] = [
  'Raise the monthly allowance',
  'Fund the second audit',
  'Buy back below NAV',
  'Hire a treasury steward',
  'Move reserves to short bills',
  'Open a regional branch',
  "Mint for the builders' pool",
  'Lower the trading fee',
  'Renew the counsel retainer',
  'Pause the grants programme',
  'Extend the liquidity position',
  'Retire the old multisig',
  'Pay the founders <in full> & on time',
  'Adopt the new charter',
  'Burn the unclaimed allocation',
  'Sponsor the spring meeting',
];

/** The growth metrics: unit, semantics and typical size. */
export const METRICS: Readonly<
  Record<
    string,
    { readonly name: string; readonly unit: string; readonly semantics: string; readonly size: number; readonly places: number }
  >
> = {
  'daily-traders': { name: 'Daily traders', unit: 'count', semantics: 'distinct', size: 2_400, places: 0 },
  'active-wallets': { name: 'Active wallets', unit: 'count', semantics: 'distinct', size: 860, places: 0 },
  transactions: { name: 'Transactions', unit: 'count', semantics: 'sum', size: 14_500, places: 0 },
  'fees-usd': { name: 'Fees', unit: 'usd', semantics: 'sum', size: 1_150, places: 2 },
  'volume-usd': { name: 'Volume', unit: 'usd', semantics: 'sum', size: 412_000, places: 2 },
  'revenue-usd': { name: 'Revenue', unit: 'usd', semantics: 'sum', size: 3_300, places: 2 },
};
