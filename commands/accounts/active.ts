/** Holdings of the active accounts. The project's own token is not backing. */
import { activeAccounts, type ActiveAccount } from '../../src/analytics/endpoints/accounts.js';
import { UNKNOWN, usd } from '../../src/domain/format.js';
import {
  PAGE_SIZE,
  commandLine,
  countedRows,
  crossCheck,
  listPage,
  servicePage,
  shareOf,
  wholeSum,
  worthMost,
} from '../../src/reply/index.js';
import { accountButtons, accountName, type AccountView } from './view.js';

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
      {
        kind: 'table',
        columns: [
          { title: 'Account' },
          { title: 'Custody' },
          { title: 'Value', align: 'right' },
          { title: 'Own token', align: 'right' },
          { title: 'Top tokens' },
        ],
        rows: rows.map((one) => [
          accountName(one),
          one.custodyType ?? UNKNOWN,
          `${usd(one.backing)}${shareOf(one.backing, backing)}`,
          usd(one.native),
          largestOf(one.tokens),
        ]),
      },
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
