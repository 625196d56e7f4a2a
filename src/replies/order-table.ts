/** Trades in decision markets as table rows. */
import type { Order } from '../analytics/endpoints/proposals-market.js';
import type { BlockDraft } from '../chat/reply.js';
import { clockTime, price, UNKNOWN, usd } from '../domain/format.js';
import type { Instant } from '../domain/scalars.js';
import { shortKey } from '../domain/wallet.js';

interface TableDeps {
  readonly now: Instant;
  readonly zone: string | undefined;
  readonly titled: boolean;
}

export const orderTable = (rows: readonly Order[], { now, zone, titled }: TableDeps): BlockDraft => ({
  kind: 'table',
  columns: [
    { title: 'When' },
    { title: 'Trade' },
    { title: 'Price', align: 'right' },
    { title: 'Value', align: 'right' },
    { title: 'Trader' },
    ...(titled ? [{ title: 'Proposal' }] : []),
  ],
  rows: rows.map((row) => [
    row.at === undefined ? UNKNOWN : clockTime(row.at, now, zone),
    [row.direction, row.market].filter((word) => word !== undefined).join(' ') || UNKNOWN,
    price(row.price),
    usd(row.value),
    row.wallet === undefined ? UNKNOWN : row.wallet.length > 12 ? shortKey(row.wallet) : row.wallet,
    ...(titled ? [row.title ?? row.publicKey ?? UNKNOWN] : []),
  ]),
});
