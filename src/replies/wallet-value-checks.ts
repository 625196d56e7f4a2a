/** Warnings when a wallet's value differs from its parts. */
import type { z } from 'zod';
import type { walletHoldings, walletHoldingsOverview } from '../analytics/endpoints/wallets.js';
import type { Answer } from '../analytics/analytics.js';
import type { BlockDraft } from '../chat/reply.js';
import { usd } from '../domain/format.js';
import { crossCheck, differ, wholeSum } from './cross-check.js';

/** `holdings`: only if one page shows all. */
export function valueChecks(
  { value, coins, others, snapshotAt }: z.output<(typeof walletHoldingsOverview)['data']>,
  holdings: Answer<z.output<(typeof walletHoldings)['data']>> | undefined,
): readonly BlockDraft[] {
  const { rows, broken } = holdings?.data ?? { rows: [], broken: 0 };
  const isWhole = broken === 0 && holdings?.meta.totalItems === rows.length;
  const listed = isWhole && snapshotAt !== undefined ? wholeSum(rows.map((row) => row.value)) : undefined;
  const all = wholeSum([listed, others]);
  return [
    // If the listed coins and the rest add up to the value, the reported coins are wrong.
    ...crossCheck(
      all !== undefined && value !== undefined && !differ(all, value) ? undefined : wholeSum([coins, others]),
      value,
      (sum, reported) => `Value reported as ${usd(reported)}, but its parts add up to ${usd(sum)}.`,
    ),
    ...crossCheck(
      listed,
      coins,
      (sum, reported) => `Ownership coins reported as ${usd(reported)}, but the listed coins add up to ${usd(sum)}.`,
    ),
  ];
}
