/** How NAV per adjusted share is computed. */
import type { z } from 'zod';
import { navBreakdown } from '../../src/analytics/endpoints/treasury.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { divide } from '../../src/domain/decimal.js';
import { amount, price, usd } from '../../src/domain/format.js';
import type { Decimal } from '../../src/domain/scalars.js';
import { ages, crossCheck, differ, doubtful, figuresOf, right, shareOf, tableOf, wholeSum, worthMost } from '../../src/reply/index.js';
import type { TreasuryView } from './holdings.js';

type Breakdown = z.output<(typeof navBreakdown)['data']>;
type Piece = Breakdown['wallets'][number];

const MAX_PIECES = 12;

export const nav: TreasuryView = async ({ analytics, project, timestamp, signal }) => {
  const answer = await analytics.call(navBreakdown, { slug: project.slug, timestamp }, { signal });
  const { data } = answer;
  return {
    finding:
      data.navPerShare === undefined
        ? [{ strong: `${project.name}: no NAV/share published` }]
        : [
            { strong: `${project.name}'s NAV/share is ${price(data.navPerShare)}` },
            ` (${usd(data.netAssetValue)} over ${amount(data.adjustedSupply)} adjusted shares)`,
          ],
    blocks: [
      figuresOf([
        ['Treasury', `${usd(data.treasuryPart)}${shareOf(data.treasuryPart, data.netAssetValue)}`],
        ['LP', `${usd(data.lpPart)}${shareOf(data.lpPart, data.netAssetValue)}`],
        ['NAV', usd(data.netAssetValue)],
      ]),
      ...navChecks(data),
      pieces('Counts toward NAV', worthMost(data.wallets)),
      pieces('Not in NAV', worthMost(data.excluded)),
      pieces('Removed from supply', data.supplyAdjustments),
      ...doubtful(data.doubts),
    ],
    snapshotAt: data.at,
    ...ages(answer),
  };
};

/** A wrong figure gives one warning: what follows from it is not checked against the others. */
export function navChecks({ netAssetValue, treasuryPart, lpPart, navPerShare, adjustedSupply, wallets }: Breakdown): readonly BlockDraft[] {
  const parts = wholeSum([treasuryPart, lpPart]);
  const inWallets = wholeSum(wallets.map(({ value }) => value));
  const isNav = (sum: Decimal | undefined): boolean => sum !== undefined && netAssetValue !== undefined && !differ(sum, netAssetValue);
  const perShare = [netAssetValue, parts].flatMap((whole) =>
    whole === undefined || adjustedSupply === undefined ? [] : (divide(whole, adjustedSupply) ?? []),
  );
  const isExplained = navPerShare !== undefined && perShare.some((computed) => !differ(computed, navPerShare));
  return [
    // If the wallets and LP add up to NAV, the treasury's part is wrong.
    ...crossCheck(
      isNav(wholeSum([inWallets, lpPart])) ? undefined : parts,
      netAssetValue,
      (sum, reported) => `NAV reported as ${usd(reported)}, but treasury and LP add up to ${usd(sum)}.`,
    ),
    ...crossCheck(
      // The service may list the liquidity among the wallets.
      isNav(inWallets) ? undefined : inWallets,
      treasuryPart,
      (sum, reported) => `Treasury reported as ${usd(reported)}, but its wallets add up to ${usd(sum)}.`,
    ),
    ...crossCheck(
      isExplained ? undefined : perShare[0],
      navPerShare,
      (computed, reported) => `NAV/share reported as ${price(reported)}, but NAV and adjusted shares give ${price(computed)}.`,
    ),
  ];
}

const pieces = (title: string, all: readonly Piece[]): BlockDraft =>
  tableOf(
    [title, right('Amount'), right('Value')],
    all
      .slice(0, MAX_PIECES)
      .map((one) => [
        one.name ?? one.symbol ?? 'unnamed',
        `${amount(one.amount)}${one.symbol === undefined ? '' : ` ${one.symbol}`}`,
        usd(one.value),
      ]),
    Math.max(0, all.length - MAX_PIECES),
  );
