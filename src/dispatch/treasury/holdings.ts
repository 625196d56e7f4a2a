/** Every token the treasury holds, largest first. The project's own token is listed and marked: it is no backing. */
import { treasuryHoldings } from '../../analytics/endpoints/treasury.js';
import { sum } from '../../domain/decimal.js';
import { amount, price, usd } from '../../domain/format.js';
import { ages, brokenRows, counted, line } from '../parts.js';
import { isOwnToken, shareOf, worthMost } from './shares.js';
import type { View } from './view.js';

const MOST = 20;

export const holdings: View = async ({ analytics, project, signal }) => {
  const answer = await analytics.call(treasuryHoldings, { slug: project.slug }, { signal });
  const rows = worthMost(answer.data.rows);
  const backing = rows.filter((row) => !isOwnToken(row, project));
  const values = backing.flatMap(({ value }) => value ?? []);
  const total = values.length === 0 ? undefined : sum(values);
  const unpriced = backing.length - values.length;
  return {
    finding:
      rows.length === 0
        ? [{ strong: `${project.name}'s treasury shows no holdings` }]
        : [
            { strong: `${project.name} holds ${usd(total)} in ${counted(backing.length, 'token')}` },
            unpriced > 0 ? `, ${unpriced} of them without a value` : '',
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
          .slice(0, MOST)
          .map((row) => [
            `${row.symbol ?? row.name ?? row.address ?? 'unnamed'}${isOwnToken(row, project) ? ' (own, not in NAV)' : ''}`,
            amount(row.amount),
            price(row.price),
            `${usd(row.value)}${isOwnToken(row, project) ? '' : shareOf(row.value, total)}`,
          ]),
        more: Math.max(0, rows.length - MOST),
      },
      ...(rows.length === 0 ? [line('An empty list may mean that the service has not counted them yet.')] : []),
      ...brokenRows(answer.data.broken),
    ],
    ...ages(answer),
  };
};
