/** Active accounts by group, with the subgroups. */
import { accountGroups, groupedAccounts } from '../../src/analytics/endpoints/accounts.js';
import { UNKNOWN } from '../../src/domain/format.js';
import { ages, optional, brokenRows, counted, dotted } from '../../src/reply/index.js';
import { accountButtons, accountName, type AccountView } from './view.js';

export const groups: AccountView = async ({ analytics, project, signal }) => {
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
