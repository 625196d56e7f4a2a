/** How NAV per adjusted share comes about: the parts of NAV, what is left out of it, and what is taken off the supply. */
import type { z } from 'zod';
import { navBreakdown } from '../../analytics/endpoints/treasury.js';
import type { BlockDraft } from '../../chat/reply.js';
import { absolute, add, compare, multiply, subtract } from '../../domain/decimal.js';
import { amount, price, usd } from '../../domain/format.js';
import { decimal, type Decimal } from '../../domain/scalars.js';
import { ages, doubtful, line } from '../parts.js';
import { shareOf, worthMost } from './shares.js';
import type { View } from './view.js';

type Breakdown = z.output<(typeof navBreakdown)['data']>;
type Piece = Breakdown['wallets'][number];

const MOST = 12;

export const nav: View = async ({ analytics, project, timestamp, signal }) => {
  const answer = await analytics.call(navBreakdown, { slug: project.slug, timestamp }, { signal });
  const { data } = answer;
  return {
    finding:
      data.navPerShare === undefined
        ? [{ strong: `${project.name}: no NAV per share is published` }]
        : [
            { strong: `${project.name}'s NAV/AS is ${price(data.navPerShare)}` },
            `: ${usd(data.netAssetValue)} for ${amount(data.adjustedSupply)} adjusted shares`,
          ],
    blocks: [
      {
        kind: 'figures',
        items: [
          { label: 'treasury', value: `${usd(data.treasuryPart)}${shareOf(data.treasuryPart, data.netAssetValue)}` },
          { label: 'LP', value: `${usd(data.lpPart)}${shareOf(data.lpPart, data.netAssetValue)}` },
          { label: 'NAV', value: usd(data.netAssetValue) },
        ],
      },
      ...mismatch(data),
      pieces('Counted', worthMost(data.wallets)),
      pieces('Not in NAV', worthMost(data.excluded)),
      pieces('Taken off the supply', data.supplyAdjustments),
      ...doubtful(data.doubts),
    ],
    ...ages(answer),
  };
};

/** Rounded parts may miss the whole by a thousandth. */
const SLACK = decimal('0.001');

function mismatch({ netAssetValue: whole, treasuryPart, lpPart }: Breakdown): readonly BlockDraft[] {
  if (whole === undefined || treasuryPart === undefined || lpPart === undefined) return [];
  const parts: Decimal = add(treasuryPart, lpPart);
  const fits = compare(absolute(subtract(parts, whole)), multiply(absolute(whole), SLACK)) <= 0;
  return fits ? [] : [line(`⚠ Treasury and LP add up to ${usd(parts)}, not to the NAV the service reports.`)];
}

const pieces = (title: string, all: readonly Piece[]): BlockDraft => ({
  kind: 'table',
  columns: [{ title }, { title: 'Amount', align: 'right' }, { title: 'Value', align: 'right' }],
  rows: all
    .slice(0, MOST)
    .map((one) => [
      one.name ?? one.symbol ?? 'unnamed',
      `${amount(one.amount)}${one.symbol === undefined ? '' : ` ${one.symbol}`}`,
      usd(one.value),
    ]),
  more: Math.max(0, all.length - MOST),
});
