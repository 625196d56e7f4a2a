/** Lists the accounts of a project, by number, active and retired, and names an account. */
import { brief } from '../../src/base/one-line.js';
import {
  accounts,
  activeAccounts,
  legacyAccounts,
  type Account,
  type ActiveAccount,
  type LegacyAccount,
} from '../../src/analytics/endpoints/accounts.js';
import type { ActionDraft, BlockDraft } from '../../src/chat/reply.js';
import { UNKNOWN, usd } from '../../src/domain/format.js';
import {
  PAGE_SIZE,
  commandLine,
  countedRows,
  crossCheck,
  dotted,
  listPage,
  namedWords,
  pageOfAll,
  right,
  servicePage,
  shareOf,
  tableOf,
  wholeSum,
  worthMost,
  type ProjectView,
  type ProjectViewDeps,
} from '../../src/reply/index.js';
import { looksLikeKey, shortKey } from '../../src/domain/wallet.js';

interface AccountViewDeps extends ProjectViewDeps {
  readonly find?: string | undefined;
  readonly entity?: string | undefined;
  readonly state?: 'open' | 'retired' | undefined;
}

export type AccountView = (deps: AccountViewDeps) => ReturnType<ProjectView>;

interface Called {
  readonly id?: string;
  readonly name?: string | undefined;
  readonly address?: string | undefined;
}

const addressText = (address: string | undefined): string =>
  address === undefined ? '' : looksLikeKey(address) ? shortKey(address) : address;

export const accountName = ({ id, name, address }: Called): string =>
  name ?? (address === undefined ? (id === undefined ? 'unnamed' : `account ${id}`) : addressText(address));

const MAX_BUTTONS = 5;

export const accountButtons = (accounts: readonly (Called & { readonly id: string })[]): readonly ActionDraft[] =>
  accounts.slice(0, MAX_BUTTONS).map((one) => ({ label: accountName(one), line: commandLine('accounts', `account:${one.id}`) }));

const isOpen = (one: Account): boolean => one.deactivatedTime === undefined;

export const list: AccountView = async (deps) => {
  const { analytics, project, page, signal, find, entity, state } = deps;
  const answer = await analytics.call(
    accounts,
    { slug: project.slug, q: find, entityType: entity, isActive: state && state === 'open' },
    { signal },
  );
  // The service may ignore the filter and return every account.
  const rows = answer.data.rows.filter(
    (one) => (entity === undefined || one.entityType === entity) && (state === undefined || isOpen(one) === (state === 'open')),
  );
  const read = pageOfAll(rows, { page, broken: answer.data.broken, answer });
  const retired = rows.filter((one) => !isOpen(one)).length;
  return listPage(read, {
    found: (where) => [
      { strong: `${project.name}: ${countedRows(read, 'account')}${narrowed(deps)}` },
      state === undefined && retired > 0 ? `, ${retired} retired` : '',
      where,
    ],
    namesLast: false,
    of: project.name,
    none: `${project.name}: no accounts${narrowed(deps)}`,
    blocks: [table(read.rows)],
    to: (other) => again(deps, other),
    actions: (pages) => [...accountButtons(read.rows), ...pages],
  });
};

const narrowed = ({ find, entity, state }: AccountViewDeps): string =>
  [
    entity === undefined ? '' : ` (${entity})`,
    state === undefined ? '' : ` (${state})`,
    find === undefined ? '' : ` matching "${brief(find)}"`,
  ].join('');

const again = ({ project, find, entity, state }: AccountViewDeps, page: number): string =>
  commandLine('accounts', project.slug, 'list', ...namedWords({ entity, state, find }), `page:${page}`);

const table = (rows: readonly Account[]): BlockDraft =>
  tableOf(
    [right('#'), 'Account', 'Custody', 'Entity', 'Tracked', 'Location'],
    rows.map((one) => [
      one.id,
      `${accountName(one)}${isOpen(one) ? '' : ' (retired)'}`,
      one.custodyType ?? UNKNOWN,
      one.entityType ?? UNKNOWN,
      tracking(one.trackingMode),
      one.venue ?? addressText(one.address),
    ]),
  );

const MODES: Readonly<Record<string, string>> = { full: 'movements, balances', balance_only: 'balances only', partial: 'partly' };

export const tracking = (mode: string | undefined): string => (mode === undefined ? UNKNOWN : (MODES[mode] ?? mode));

/** Shows what the active accounts hold. The project's own token is not backing. */
export const active: AccountView = async ({ analytics, project, page, signal }) => {
  const answer = await analytics.call(activeAccounts, { slug: project.slug, limit: PAGE_SIZE, page }, { signal });
  const { rows, backing, native } = answer.data;
  const list = servicePage(answer, page);
  const own = project.symbol ?? 'its own token';
  return listPage(list, {
    found: (where) => [
      { strong: `${project.name}'s accounts hold ${usd(backing)}` },
      ` in ${countedRows(list, 'account')} (plus ${usd(native)} in ${own}, not in NAV)`,
      where,
    ],
    namesLast: false,
    of: project.name,
    none: `${project.name}: no active accounts`,
    blocks: [
      tableOf(
        ['Account', 'Custody', right('Value'), right('Own token'), 'Top tokens'],
        rows.map((one) => [
          accountName(one),
          one.custodyType ?? UNKNOWN,
          `${usd(one.backing)}${shareOf(one.backing, backing)}`,
          usd(one.native),
          largestOf(one.tokens),
        ]),
      ),
      ...(list.paging.total === rows.length
        ? crossCheck(
            wholeSum(rows.map((one) => one.backing)),
            backing,
            (parts, reported) => `Total reported as ${usd(reported)}, but these accounts add up to ${usd(parts)}.`,
          )
        : []),
    ],
    to: (other) => commandLine('accounts', project.slug, 'active', `page:${other}`),
    actions: (pages) => [
      ...accountButtons(rows),
      ...pages,
      { label: 'Allocation', line: commandLine('treasury', project.slug, 'allocation') },
    ],
  });
};

const largestOf = (tokens: ActiveAccount['tokens']): string =>
  tokens.some(({ value }) => value === undefined)
    ? tokens.length < 2
      ? namesOf(tokens)
      : UNKNOWN
    : namesOf(worthMost(tokens).slice(0, 2));

const namesOf = (tokens: ActiveAccount['tokens']): string => tokens.flatMap(({ symbol }) => symbol ?? []).join(', ');

const MAX_PROPOSALS = 2;

/** Shows retired accounts with their replacements. */
export const legacy: AccountView = async ({ analytics, project, page, signal }) => {
  const list = servicePage(await analytics.call(legacyAccounts, { slug: project.slug, limit: PAGE_SIZE, page }, { signal }), page);
  const { rows } = list;
  return listPage(list, {
    found: (where) => [{ strong: `${project.name}: ${countedRows(list, 'retired account')}` }, where],
    of: project.name,
    none: `${project.name}: no retired accounts`,
    blocks: [{ kind: 'list', items: rows.map(item) }],
    to: (other) => commandLine('accounts', project.slug, 'legacy', `page:${other}`),
    actions: (pages) => [
      ...accountButtons(rows),
      ...proposalsOf(rows).map(([key, title]) => ({ label: `Proposal: ${title}`, line: commandLine('proposal', key) })),
      ...pages,
    ],
  });
};

const item = (one: LegacyAccount) => ({
  tone: 'over' as const,
  line: [{ strong: accountName(one) }, ` ${addressText(one.address)}`],
  detail: dotted(
    one.custodyType ?? UNKNOWN,
    one.replacedByName === undefined ? 'not replaced' : `replaced by ${one.replacedByName}`,
    one.proposalTitle === undefined ? undefined : `proposal "${one.proposalTitle}"`,
  ),
});

const proposalsOf = (rows: readonly LegacyAccount[]): readonly (readonly [key: string, title: string])[] =>
  [
    ...new Map(
      rows.flatMap((one) => (one.proposalAddress === undefined ? [] : [[one.proposalAddress, one.proposalTitle ?? 'untitled'] as const])),
    ),
  ].slice(0, MAX_PROPOSALS);
