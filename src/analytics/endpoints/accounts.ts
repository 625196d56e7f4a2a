/** Accounts, groups and holdings (§4.4, fields §2.10). `totalValue` of active accounts excludes the own token. */
import { z } from 'zod';
import { HOUR, MINUTE } from '../../base/clock.js';
import { atOnce, stepwise, type WorkSteps } from '../untrusted-json.js';
import { count, decimal, flag, ident, link, marketPrice, maybe, moment, numericId, priced, some, words } from '../wire-values.js';
import { readObject } from '../field-reader.js';
import { NO_ONE_LIST, bySlug, get, list, listSteps, paging, type ListRow, type Rows } from '../endpoint-row.js';

const tokenHolding = z
  .object({
    name: maybe(words),
    symbol: maybe(words),
    amount: maybe(decimal),
    usdPrice: maybe(marketPrice),
    value: maybe(decimal),
    decimals: maybe(count),
    address: maybe(words),
  })
  .transform((row) => ({ ...row, value: priced(row.usdPrice, row.value) }));

const subGroup = z.object({ subGroup: maybe(words), group: maybe(words) });

const about = {
  address: maybe(words),
  name: maybe(words),
  custodyType: maybe(words),
  chain: maybe(words),
  entityType: maybe(words),
  /** `full`, `partial` or `balance_only`. */
  trackingMode: maybe(words),
};

const registryEntry = z.object({ ...about, isActive: maybe(flag), notes: maybe(words) });
export type RegistryEntry = z.output<typeof registryEntry>;

export const accountRegistry = list({
  id: 'accounts.registry',
  path: '/v1/dao/account-registry',
  spec: '§4.4',
  input: bySlug,
  freshFor: HOUR,
  row: registryEntry,
});

export const accountGroups = list({
  id: 'accounts.groups',
  path: '/v1/group',
  spec: '§4.4',
  input: bySlug,
  freshFor: HOUR,
  row: z
    .object({
      id: maybe(ident),
      name: words,
      subgroups: some(z.object({ id: maybe(ident), name: words, order: maybe(count) })),
    })
    .transform(({ id, name, subgroups = [] }) => ({
      id,
      name,
      subgroups: subgroups.toSorted((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity)),
    })),
});

const account = z.object({
  ...about,
  id: ident,
  project: maybe(words),
  venue: maybe(words),
  creationTime: maybe(moment),
  deactivatedTime: maybe(moment),
});
export type Account = z.output<typeof account>;

export const accounts = list({
  id: 'accounts.list',
  path: '/v1/account',
  spec: '§4.4',
  input: bySlug.extend({ q: z.string().min(1).optional(), entityType: z.string().min(1).optional(), isActive: z.boolean().optional() }),
  freshFor: HOUR,
  row: account,
});

/** Types such as `Multi-sig`. The layout is not specified. */
export const custodyTypes = list({
  id: 'accounts.custody-types',
  path: '/v1/account/custody-types',
  spec: '§4.4',
  input: z.object({}),
  freshFor: HOUR,
  row: z.union([words, readObject((from) => from.get('name', words) ?? from.get('value', words)).pipe(words)]),
});

const activeAccount = z
  .object({
    ...about,
    id: ident,
    nativeTokenValue: maybe(decimal),
    totalValue: maybe(decimal),
    subGroups: some(subGroup),
    tokens: some(tokenHolding),
  })
  .transform(({ nativeTokenValue, totalValue, subGroups = [], tokens = [], ...rest }) => ({
    ...rest,
    /** The project's own token, in USD. */
    native: nativeTokenValue,
    /** Everything else, in USD. */
    backing: totalValue,
    subGroups,
    tokens,
  }));
export type ActiveAccount = z.output<typeof activeAccount>;

export interface ActiveAccounts extends Rows<ActiveAccount> {
  readonly backing: z.output<typeof decimal> | undefined;
  readonly native: z.output<typeof decimal> | undefined;
}

const totals = z.object({ totalValue: maybe(decimal), totalNativeTokenValue: maybe(decimal) }).catch({});

function* activeSteps(value: unknown): WorkSteps<ActiveAccounts> {
  const read = yield* listSteps(value, activeAccount, ['accounts']);
  const { totalValue, totalNativeTokenValue } = totals.parse(value);
  return read && { ...read, backing: totalValue, native: totalNativeTokenValue };
}

export const activeAccounts = {
  ...get({
    id: 'accounts.active',
    path: '/v1/account/active',
    spec: '§4.4',
    input: bySlug.extend(paging),
    freshFor: 5 * MINUTE,
    data: z
      .unknown()
      .transform((value, context): ActiveAccounts => {
        const read = atOnce(activeSteps(value));
        if (read !== undefined) return read;
        context.addIssue(NO_ONE_LIST);
        return z.NEVER;
      })
      .register(stepwise, { steps: activeSteps, otherwise: NO_ONE_LIST }),
  }),
  paged: true,
} satisfies ListRow<z.ZodObject, ActiveAccount>;

export const groupedAccounts = list({
  id: 'accounts.grouped',
  path: '/v1/account/grouped',
  spec: '§4.4',
  input: bySlug,
  freshFor: HOUR,
  row: z
    .object({
      group: z.object({ key: maybe(words), label: maybe(words) }),
      accounts: some(z.object({ ...about, id: ident })),
    })
    .transform(({ group, accounts: members = [] }) => ({ name: group.label ?? group.key, accounts: members })),
});

const legacyAccount = z
  .object({
    ...about,
    id: ident,
    proposalTitle: maybe(words),
    proposalAddress: maybe(words),
    replacedByName: maybe(words),
    subGroups: some(subGroup),
  })
  .transform(({ subGroups = [], ...rest }) => ({ ...rest, subGroups }));
export type LegacyAccount = z.output<typeof legacyAccount>;

export const legacyAccounts = list({
  id: 'accounts.legacy',
  path: '/v1/account/legacy',
  spec: '§4.4',
  input: bySlug.extend(paging),
  freshFor: HOUR,
  row: legacyAccount,
});

const successor = z.union([
  z.object({ id: maybe(ident), name: maybe(words) }).transform(({ id, name }) => ({ id, name })),
  words.transform((name) => ({ id: undefined, name })),
  ident.transform((id) => ({ id, name: undefined })),
]);

const accountFields = z
  .object({
    ...about,
    id: ident,
    project: maybe(words),
    isActive: maybe(flag),
    notes: maybe(words),
    contractLink: maybe(link),
    proposalTitle: maybe(words),
    proposalPublicKey: maybe(words),
    replacedBy: maybe(successor),
    subGroups: some(subGroup),
  })
  .transform(({ subGroups = [], ...rest }) => ({ ...rest, subGroups }));

const byId = z.object({ id: numericId });

export const accountDetail = get({
  id: 'accounts.detail',
  path: '/v1/account/{id}',
  spec: '§4.4',
  input: byId,
  freshFor: HOUR,
  dated: 'record',
  /** The account may be nested under `data.account`. */
  data: z.union([z.object({ account: accountFields }).transform((data) => data.account), accountFields]),
});

const balance = z
  .object({ tokens: some(tokenHolding), nativeTokenValue: maybe(decimal), totalValue: maybe(decimal) })
  .transform(({ tokens = [], nativeTokenValue, totalValue }) => ({
    tokens,
    native: nativeTokenValue,
    /** The value is in USD. Includes the own token, so it must never be summed into NAV. */
    withNative: totalValue,
  }));
export type Balance = z.output<typeof balance>;

export const onchainBalance = get({
  id: 'accounts.onchain',
  path: '/v1/account/{id}/balance/onchain',
  spec: '§4.4',
  input: byId,
  freshFor: 5 * MINUTE,
  data: balance,
});

/** Balances that are recorded by hand. They may have no tokens. */
export const offchainBalance = get({
  id: 'accounts.offchain',
  path: '/v1/account/{id}/balance/offchain',
  spec: '§4.4',
  input: byId,
  freshFor: HOUR,
  data: balance,
});
