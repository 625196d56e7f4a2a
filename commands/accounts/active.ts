/** Holdings of the active accounts. The project's own token is not backing. */
import { activeAccounts, type ActiveAccount } from '../../src/analytics/endpoints/accounts.js';
import { UNKNOWN, usd } from '../../src/domain/format.js';
import {
  crossCheck,
  wholeSum,
  brokenRows,
  counted,
  shareOf,
  worthMost,
  commandLine,
  ages,
  emptyPage,
  PAGE_SIZE,
  pageActions,
  pageText,
  pagingOf,
} from '../../src/reply/index.js';
import { accountButtons, accountName, type AccountView } from './view.js';

export const active: AccountView = async ({ analytics, project, page, signal }) => {
  const answer = await analytics.call(activeAccounts, { slug: project.slug, limit: PAGE_SIZE, page }, { signal });
  const { rows, broken, backing, native } = answer.data;
  const paging = pagingOf(answer, page);
  const where = pageText(paging);
  const own = project.symbol ?? 'its own token';
  return {
    finding:
      rows.length === 0
        ? [{ strong: emptyPage(paging, { of: project.name, none: `${project.name}: no active accounts` }) }]
        : [
            { strong: `${project.name}'s accounts hold ${usd(backing)}` },
            ` in ${counted(paging.total ?? rows.length, 'account')} (plus ${usd(native)} in ${own}, not in NAV)`,
            where === undefined ? '' : `, ${where}`,
          ],
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
      ...(paging.total === rows.length
        ? crossCheck(
            wholeSum(rows.map((one) => one.backing)),
            backing,
            (parts, reported) => `Total reported as ${usd(reported)}, but these accounts add up to ${usd(parts)}.`,
          )
        : []),
      ...brokenRows(broken),
    ],
    actions: [
      ...accountButtons(rows),
      ...pageActions({ ...paging, to: (other) => commandLine('accounts', project.slug, 'active', `page:${other}`) }),
      { label: 'Allocation', line: commandLine('treasury', project.slug, 'allocation') },
    ],
    ...ages(answer),
  };
};

const largestOf = (tokens: ActiveAccount['tokens']): string =>
  tokens.some(({ value }) => value === undefined)
    ? tokens.length < 2
      ? namesOf(tokens)
      : UNKNOWN
    : namesOf(worthMost(tokens).slice(0, 2));

const namesOf = (tokens: ActiveAccount['tokens']): string => tokens.flatMap(({ symbol }) => symbol ?? []).join(', ');
