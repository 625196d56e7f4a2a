/** Every token of the treasury. The project's own is not backing. */
import { treasuryHoldings } from '../../src/analytics/endpoints/treasury.js';
import { sum } from '../../src/domain/decimal.js';
import { amount, price, usd } from '../../src/domain/format.js';
import type { Decimal } from '../../src/domain/scalars.js';
import { allocationChart, ages, brokenRows, counted, line, isOwnToken, largestOf, shareOf, worthMost } from '../../src/reply/index.js';
import type { TreasuryView } from './view.js';

const MAX_ROWS = 20;

export const holdings: TreasuryView = async ({ analytics, project, signal }) => {
  const answer = await analytics.call(treasuryHoldings, { slug: project.slug }, { signal });
  const rows = worthMost(answer.data.rows);
  const backing = rows.filter((row) => !isOwnToken(row, project));
  const values = backing.flatMap(({ value }) => value ?? []);
  const total = values.length === 0 ? undefined : sum(values);
  const unpriced = backing.length - values.length;
  return {
    finding:
      rows.length === 0
        ? [{ strong: `${project.name}'s treasury has no holdings` }]
        : [
            { strong: `${project.name} holds ${usd(total)} in ${counted(backing.length, 'token')}` },
            unpriced > 0 ? `, ${unpriced} without a price` : '',
          ],
    blocks: [
      {
        kind: 'table',
        columns: [
          { title: 'Token' },
          { title: 'Amount', align: 'right' },
          { title: 'Price', align: 'right' },
          { title: 'Value', align: 'right' },
        ],
        rows: rows
          .slice(0, MAX_ROWS)
          .map((row) => [
            `${tokenName(row)}${isOwnToken(row, project) ? ' (own, not in NAV)' : ''}`,
            amount(row.amount),
            price(row.price),
            `${usd(row.value)}${isOwnToken(row, project) ? '' : shareOf(row.value, total)}`,
          ]),
        more: Math.max(0, rows.length - MAX_ROWS),
      },
      ...(rows.length === 0 ? [line('The service may not have indexed them yet.')] : []),
      ...(unpriced > 0 && total !== undefined ? [line('Percentages leave out tokens without a price.')] : []),
      ...brokenRows(answer.data.broken),
    ],
    chart: allocationChart(
      backing.map((row) => ({ name: tokenName(row), value: row.value })),
      {
        title: `${project.name}'s treasury: ${usd(total)}${largestText(largestOf(backing), total)}`,
        subtitle: leftOut({ own: rows.length > backing.length, unpriced }),
      },
    ),
    ...ages(answer),
  };
};

interface Row {
  readonly symbol?: string | undefined;
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly value?: Decimal | undefined;
}

const tokenName = ({ symbol, name, address }: Row): string => symbol ?? name ?? address ?? 'unnamed';

function largestText(largest: Row | undefined, total: Decimal | undefined): string {
  const ratio = shareOf(largest?.value, total).slice(2, -1);
  return largest === undefined || ratio === '' ? '' : `, ${ratio} in ${tokenName(largest)}`;
}

const leftOut = ({ own, unpriced }: { own: boolean; unpriced: number }): string | undefined => {
  const parts = [...(own ? ['the own token'] : []), ...(unpriced > 0 ? [`${counted(unpriced, 'token')} without a price`] : [])];
  return parts.length === 0 ? undefined : `without ${parts.join(' and ')}`;
};
