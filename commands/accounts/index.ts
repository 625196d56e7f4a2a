/** /accounts <project> [view] [page]: the accounts of a project. */
import { z } from 'zod';
import { reply, type Line } from '../../src/chat/reply.js';
import { accountButtons, accountName, active, legacy, list, tracking, type AccountView } from './list.js';
import { one } from './one.js';
import { defineCommand } from '../../src/dispatch/command.js';
import {
  UserError,
  ages,
  brokenRows,
  commandLine,
  counted,
  countedRows,
  dotted,
  formOption,
  line,
  listPage,
  missingText,
  notOfProject,
  optional,
  optionalProject,
  pageOfAll,
  pageOption,
  right,
  tableOf,
  textOption,
  viewReply,
} from '../../src/reply/index.js';
import {
  accountGroups,
  accountRegistry,
  accounts,
  custodyTypes,
  groupedAccounts,
  type RegistryEntry,
} from '../../src/analytics/endpoints/accounts.js';
import { UNKNOWN } from '../../src/domain/format.js';

const MEANINGS: Readonly<Record<string, string>> = {
  'Self-custody': 'one signer',
  'Multi-sig': 'several signers',
  Program: 'an on-chain program',
  'Third-party custody': 'a custodian',
  Offchain: 'off-chain account',
};

const custody: AccountView = async ({ analytics, project, signal }) => {
  const [types, all] = await Promise.all([
    analytics.call(custodyTypes, {}, { signal }),
    optional(analytics.call(accounts, { slug: project.slug, isActive: true }, { signal })),
  ]);
  const open = all.answer?.data.rows.filter(({ deactivatedTime }) => deactivatedTime === undefined);
  const used = new Set(open?.flatMap(({ custodyType }) => custodyType ?? []));
  const names = [...new Set([...types.data.rows, ...used])];
  const unknown = open?.filter(({ custodyType }) => custodyType === undefined).length ?? 0;
  return {
    finding: [
      {
        strong: `${project.name} uses ${open === undefined ? missingText(all) : used.size} of ${counted(names.length, 'custody type')}`,
      },
    ],
    blocks: [
      tableOf(
        ['Custody', 'Held by', right('Accounts')],
        names.map((name) => [
          name,
          MEANINGS[name] ?? '',
          open === undefined ? missingText(all) : String(open.filter(({ custodyType }) => custodyType === name).length),
        ]),
      ),
      ...(unknown === 0 ? [] : [line(`⚠ Custody unknown for ${counted(unknown, 'account')}.`)]),
      ...brokenRows(types.data.broken + (all.answer?.data.broken ?? 0)),
    ],
    ...ages(types, all.answer),
  };
};

const groups: AccountView = async ({ analytics, project, signal }) => {
  const [grouped, known] = await Promise.all([
    analytics.call(groupedAccounts, { slug: project.slug }, { signal }),
    optional(analytics.call(accountGroups, { slug: project.slug }, { signal })),
  ]);
  const { rows, broken } = grouped.data;
  const below = new Map((known.answer?.data.rows ?? []).map(({ name, subgroups }) => [name, subgroups.map((one) => one.name)]));
  const members = rows.flatMap(({ accounts }) => accounts);
  return {
    finding: [
      {
        strong:
          rows.length === 0
            ? `${project.name}: no account groups published`
            : `${project.name}: ${counted(members.length, 'account')} in ${counted(rows.length, 'group')}`,
      },
    ],
    blocks: [
      {
        kind: 'list',
        items: rows.map(({ name, accounts }) => ({
          line: [{ strong: name ?? UNKNOWN }, subgroupsText(below.get(name ?? ''))],
          detail: dotted(
            ...(accounts.length === 0
              ? ['no active accounts']
              : accounts.map((one) => `${accountName(one)} (${one.custodyType ?? UNKNOWN})`)),
          ),
        })),
      },
      ...brokenRows(broken + (known.answer?.data.broken ?? 0)),
    ],
    actions: accountButtons(members),
    ...ages(grouped, known.answer),
  };
};

const subgroupsText = (names: readonly string[] | undefined): string =>
  names === undefined || names.length === 0 ? '' : `: ${names.join(', ')}`;

const registry: AccountView = async ({ analytics, project, page, signal }) => {
  const answer = await analytics.call(accountRegistry, { slug: project.slug }, { signal });
  const { rows, broken } = answer.data;
  const list = pageOfAll(rows, { page, broken, answer });
  return listPage(list, {
    found: (where) => [{ strong: `${project.name}: ${countedRows(list, 'registered account')}` }, where],
    of: project.name,
    none: `${project.name}: no registered accounts`,
    blocks: [{ kind: 'list', items: list.rows.map(item) }],
    to: (other) => commandLine('accounts', project.slug, 'registry', `page:${other}`),
  });
};

const item = (one: RegistryEntry) => ({
  tone: one.isActive === false ? ('over' as const) : ('plain' as const),
  line: [{ strong: accountName(one) }, ...where(one)],
  detail: dotted(
    one.custodyType ?? UNKNOWN,
    one.entityType,
    one.trackingMode === undefined ? undefined : `tracked: ${tracking(one.trackingMode)}`,
    one.isActive === false ? 'retired' : undefined,
    one.notes,
  ),
});

const where = ({ address, chain }: RegistryEntry): Line =>
  address === undefined ? [' off-chain'] : [' ', { code: address }, chain === undefined ? '' : ` on ${chain}`];

const VIEWS = { list, active, groups, legacy, registry, custody } satisfies Record<string, AccountView>;
const NAMES = ['list', 'active', 'groups', 'legacy', 'registry', 'custody'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'accounts',
  summary: 'Accounts of a project and their balances',
  args: z.object({
    project: optionalProject('project (not needed with an account number)'),
    view: z.enum(NAMES).default('list').describe('what to show'),
    entity: z.enum(['DAO', 'OpCo']).optional().describe('DAO or OpCo (list only)'),
    state: z.enum(['open', 'retired']).optional().describe('open or retired (list only)'),
    page: pageOption,
    account: formOption(/^#?\d{1,18}$/, 'account number, like #101'),
    find: textOption('text in name, address or venue (list only)'),
  }),
  examples: ['/accounts tide', '/accounts tide active', '/accounts tide list entity:OpCo', '/accounts #101'],
  phrases: {
    '/accounts {project} {state}': `retired accounts of {project} | closed accounts {project} | open accounts of {project} | old wallets of {project}`,
    '/accounts {project} {entity} {state}': `which accounts of {project} belong to the dao and are open | open opco accounts of {project} | retired dao accounts of
      {project} | {project} accounts of the opco that are closed`,
    '/accounts {project} find:{words}': `find the multisig among the accounts of {project} | {project} accounts with "multisig" in the name | accounts of {project} called
      cold storage`,
    '/accounts {project} {entity?}': `accounts of {project} | {project} accounts | which accounts does {project} have | bank accounts of {project} | where does
      {project} keep its money | which wallets does the {project} dao hold stuff in | {project} opco accounts | list the multisigs of
      {project} | show the account list of {project} | on which accounts is the treasury of {project} spread | dao accounts {project}`,
    '/accounts {project} custody': `who keeps the money of {project} | custody of {project} | custodian of {project} treasury | who holds the keys to the {project}
      treasury`,
    '/accounts {project} active': `active accounts of {project} | which accounts of {project} are in use`,
    '/accounts {account}': `account #101 | what is account #12 | show #101`,
  },

  async run({ project: text, view, entity, state, page, account, find }, { analytics, directory, signal, now }) {
    const project = text === undefined ? undefined : await directory.find(text, signal);
    if (account !== undefined) {
      const shown = await one({ analytics, id: account.replace('#', ''), signal });
      if (project !== undefined && shown.slug !== undefined && shown.slug !== project.slug) throw notOfProject('account', project);
      return reply(shown);
    }
    if (project === undefined) throw new UserError('Which accounts? Add a project, or an account number like #101.', { usage: 'accounts' });
    const shown = await VIEWS[view]({ analytics, project, page, now, signal, find, entity, state });
    return viewReply(shown, { command: 'accounts', names: NAMES, view, slug: project.slug, others: ['movements', 'treasury'] });
  },
});
