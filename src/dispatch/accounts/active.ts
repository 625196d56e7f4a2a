/** What the accounts in use hold. The totals are the service's own and leave the project's own token out: it is no backing. */
import { activeAccounts, type ActiveAccount } from '../../analytics/endpoints/accounts.js';
import type { BlockDraft } from '../../chat/reply.js';
import { absolute, compare, multiply, subtract, sum } from '../../domain/decimal.js';
import { UNKNOWN, usd } from '../../domain/format.js';
import { decimal } from '../../domain/scalars.js';
import { lineOf } from '../line.js';
import { ages, brokenRows, counted, emptyPage, line, PAGE_SIZE, pageActions, pageText, pagingOf } from '../parts.js';
import { shareOf } from '../treasury/shares.js';
import { accountButtons, accountName } from './cells.js';
import type { View } from './view.js';

export const active: View = async ({ analytics, project, page, signal }) => {
  const answer = await analytics.call(activeAccounts, { slug: project.slug, limit: PAGE_SIZE, page }, { signal });
  const { rows, broken, backing, native } = answer.data;
  const paging = pagingOf(answer, page);
  const where = pageText(paging);
  const own = project.symbol ?? 'its own token';
  return {
    finding:
      rows.length === 0
        ? [{ strong: emptyPage(page, { of: project.name, none: `${project.name}: no account is in use` }) }]
        : [
            { strong: `${project.name}'s accounts hold ${usd(backing)}` },
            ` in ${counted(paging.total ?? rows.length, 'account')}, and ${usd(native)} of ${own}, which is no backing`,
            where === undefined ? '' : `; ${where}`,
          ],
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: 'Account' },
          { title: 'Custody' },
          { title: 'Backing', align: 'right' },
          { title: 'Own token', align: 'right' },
          { title: 'Largest' },
        ],
        rows: rows.map((one) => [
          accountName(one),
          one.custodyType ?? UNKNOWN,
          `${usd(one.backing)}${shareOf(one.backing, backing)}`,
          usd(one.native),
          one.tokens
            .flatMap(({ symbol }) => symbol ?? [])
            .slice(0, 2)
            .join(', '),
        ]),
      },
      ...(paging.total === rows.length ? mismatch(rows, backing) : []),
      ...brokenRows(broken),
    ],
    actions: [
      ...accountButtons(rows),
      ...pageActions({ ...paging, to: (other) => lineOf('accounts', project.slug, 'active', `page:${other}`) }),
      { label: 'Allocation', line: lineOf('treasury', project.slug, 'allocation') },
    ],
    ...ages(answer),
  };
};

/** Rounded parts may miss the whole by a thousandth. */
const SLACK = decimal('0.001');

function mismatch(rows: readonly ActiveAccount[], whole: ActiveAccount['backing']): readonly BlockDraft[] {
  const values = rows.flatMap(({ backing }) => backing ?? []);
  if (whole === undefined || values.length < rows.length) return [];
  const parts = sum(values);
  const fits = compare(absolute(subtract(parts, whole)), multiply(absolute(whole), SLACK)) <= 0;
  return fits ? [] : [line(`⚠ These accounts add up to ${usd(parts)}, not to the total the service reports.`)];
}
