/** Serves accounts, groups and balances (§4.4, §2.10); without `slug` those of all projects (§7). */
import { CUSTODY_TYPES, firstIdOf, GROUPS, type SimAccount } from '../world/accounts.js';
import { jsonNumber, sumOf } from '../world/amounts.js';
import { ServiceRefusal } from '../error-response.js';
import { iso, many, one, projectOf, type RouteRequest } from '../route.js';

const isActive = (account: SimAccount, { world, at }: RouteRequest): boolean => world.accounts.isActive(account, at);

const everywhere = (ask: RouteRequest) => (ask.input['slug'] === undefined ? ask.world.projects : [projectOf(ask)]);

const GROUP_IDS = 60;
const SUBGROUP_IDS = 70;

const groupsOf = (ask: RouteRequest) => numberedGroups(firstIdOf(projectOf(ask)));

function numberedGroups(first: number) {
  let subgroups = 0;
  return GROUPS.map(({ name, key, subgroups: below }, index) => ({
    id: first + GROUP_IDS + index,
    name,
    key,
    subgroups: below.map((one, order) => ({
      id: first + SUBGROUP_IDS + subgroups++,
      name: one.name,
      order,
      parts: one.parts as readonly string[],
    })),
  }));
}

const subGroupsOf = (account: SimAccount) =>
  numberedGroups(firstIdOf(account.who)).flatMap((group) =>
    group.subgroups
      .filter(({ parts }) => parts.includes(account.key))
      .map(({ id, name }) => ({ subGroup: name, group: group.name, subGroupId: id, groupId: group.id })),
  );

const brief = ({ id, address, name, custodyType, chain, entityType }: SimAccount) => ({
  id,
  address,
  name,
  custodyType,
  chain,
  entityType,
});

export const accountRegistry = many({
  items: (ask) => ask.world.accounts.all(projectOf(ask), ask.at),
  show: (account, ask) => ({
    address: account.address,
    name: account.name,
    custodyType: account.custodyType,
    chain: account.chain,
    isActive: isActive(account, ask),
    entityType: account.entityType,
    trackingMode: account.trackingMode === 'balance_only' ? 'partial' : account.trackingMode,
    notes: account.notes,
  }),
});

export const accountGroups = many({
  items: groupsOf,
  show: ({ id, name, subgroups }) => ({ id, name, subgroups: subgroups.map(({ parts: _parts, ...shown }) => shown) }),
});

function wanted(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false') throw new ServiceRefusal(400, 'isActive must be true or false');
  return text === 'true';
}

export const accounts = many({
  items: (ask) => {
    const { q, entityType, isActive: active } = ask.input;
    const which = wanted(active);
    const sought = q?.toLowerCase();
    return everywhere(ask)
      .flatMap((who) => ask.world.accounts.all(who, ask.at))
      .filter((one) => which === undefined || isActive(one, ask) === which)
      .filter((one) => entityType === undefined || one.entityType === entityType)
      .filter((one) => sought === undefined || [one.name, one.address, one.venue].some((text) => text.toLowerCase().includes(sought)));
  },
  show: (account, ask) => ({
    ...brief(account),
    project: account.who.slug,
    venue: account.venue,
    creationTime: iso(account.createdAt),
    deactivatedTime: isActive(account, ask) || account.retiresAt === undefined ? null : iso(account.retiresAt),
    trackingMode: account.trackingMode,
  }),
});

export const custodyTypes = many({ items: () => [...CUSTODY_TYPES], show: (word) => word });

export const activeAccounts = many({
  meta: ['totalItems', 'totalPages', 'currentPage'],
  items: (ask) => ask.world.accounts.active(projectOf(ask), ask.at),
  show: (account, ask) => {
    const { tokens, nativeTokenValue, backing } = ask.world.accounts.balance(account, ask.at);
    const { id, name, address, custodyType, entityType, trackingMode } = account;
    return {
      id,
      name,
      address,
      custodyType,
      entityType,
      trackingMode,
      nativeTokenValue,
      totalValue: backing,
      subGroups: subGroupsOf(account),
      tokens,
    };
  },
  wrap: (page, ask) => {
    const all = ask.world.accounts.active(projectOf(ask), ask.at).map((account) => ask.world.accounts.balance(account, ask.at));
    return {
      totalNativeTokenValue: jsonNumber(sumOf(all.map((one) => one.nativeTokenValue))),
      totalValue: jsonNumber(sumOf(all.map((one) => one.backing))),
      accounts: page,
    };
  },
});

export const groupedAccounts = many({
  items: groupsOf,
  show: ({ key, name, subgroups }, ask) => ({
    group: { key, label: name },
    accounts: subgroups
      .flatMap(({ parts }) => ask.world.accounts.active(projectOf(ask), ask.at).filter((one) => parts.includes(one.key)))
      .map(brief),
  }),
});

const retiredBy = (account: SimAccount, ask: RouteRequest) =>
  account.who.tempo === 'fast'
    ? undefined
    : ask.world.proposals.list(account.who, ask.at).findLast((one) => ask.world.proposals.phase(one, ask.at) === 'passed');

const successorOf = (account: SimAccount, ask: RouteRequest): SimAccount | undefined =>
  ask.world.accounts.all(account.who, ask.at).find((one) => one.key === account.replacedBy);

export const legacyAccounts = many({
  meta: ['totalItems', 'currentPage'],
  items: (ask) => ask.world.accounts.retired(projectOf(ask), ask.at),
  show: (account, ask) => {
    const proposal = retiredBy(account, ask);
    return {
      ...brief(account),
      project: account.who.slug,
      trackingMode: account.trackingMode,
      proposalTitle: proposal?.title ?? null,
      proposalAddress: proposal?.publicKey ?? null,
      proposalId: proposal?.id ?? null,
      replacedByName: successorOf(account, ask)?.name ?? null,
      subGroups: subGroupsOf(account),
    };
  },
});

/** Returns the requested account. Refuses with 400 or 404. */
function accountOf(ask: RouteRequest): SimAccount {
  const text = ask.input['id'] ?? '';
  if (!/^\d{1,18}$/u.test(text)) throw new ServiceRefusal(400, 'id must be a number');
  const found = ask.world.projects.flatMap((who) => ask.world.accounts.all(who, ask.at)).find((one) => one.id === Number(text));
  if (!found) throw new ServiceRefusal(404, `no account has the number ${text}`);
  return found;
}

export const accountDetail = one((ask) => {
  const account = accountOf(ask);
  const active = isActive(account, ask);
  const proposal = active ? undefined : retiredBy(account, ask);
  const successor = successorOf(account, ask);
  return {
    account: {
      id: account.id,
      project: account.who.slug,
      address: account.address,
      name: account.name,
      custodyType: account.custodyType,
      isActive: active,
      notes: account.notes,
      contractLink: account.custodyType === 'Program' ? `https://explorer.example/${account.address}` : '',
      proposalTitle: proposal?.title ?? null,
      proposalPublicKey: proposal?.publicKey ?? null,
      replacedBy: active || successor === undefined ? null : { id: successor.id, name: successor.name },
      entityType: account.entityType,
      trackingMode: account.trackingMode,
      subGroups: subGroupsOf(account),
    },
  };
});

const NOTHING = { tokens: [], nativeTokenValue: '0', totalValue: '0' };

/** Here `totalValue` includes the project's own token. */
function balanceOf(ask: RouteRequest, off: boolean) {
  const account = accountOf(ask);
  if ((account.custodyType === 'Offchain') !== off) return NOTHING;
  const { tokens, nativeTokenValue, backing } = ask.world.accounts.balance(account, ask.at);
  return { tokens, nativeTokenValue, totalValue: sumOf([nativeTokenValue, backing]) };
}

export const onchainBalance = one((ask) => balanceOf(ask, false));
export const offchainBalance = one((ask) => balanceOf(ask, true));
