/** All operations, by family; the simulator's routes have the same names. */
import type { ListRow, Row } from '../endpoint-row.js';
import * as accounts from './accounts.js';
import * as allocation from './allocation.js';
import * as counterparties from './counterparties.js';
import * as dashboard from './dashboard.js';
import * as finances from './finances.js';
import * as holders from './holders.js';
import * as ico from './ico.js';
import * as launches from './launches.js';
import * as movements from './movements.js';
import * as project from './project.js';
import * as proposalsAnalytics from './proposals-analytics.js';
import * as proposalsMarket from './proposals-market.js';
import * as proposals from './proposals.js';
import * as supply from './supply.js';
import * as trading from './trading.js';
import * as treasury from './treasury.js';
import * as walletActivity from './wallet-activity.js';
import * as wallets from './wallets.js';

export const FAMILIES = {
  accounts,
  allocation,
  counterparties,
  dashboard,
  finances,
  holders,
  ico,
  launches,
  movements,
  project,
  proposalsAnalytics,
  proposalsMarket,
  proposals,
  supply,
  trading,
  treasury,
  walletActivity,
  wallets,
};

const isRow = (exported: unknown): exported is Row | ListRow => typeof exported === 'object' && exported !== null && 'spec' in exported;

export const NAMED_ENDPOINTS = Object.entries<Readonly<Record<string, unknown>>>(FAMILIES)
  .flatMap(([family, exports]) => Object.entries(exports).flatMap(([name, row]) => (isRow(row) ? [{ family, name, row }] : [])))
  .toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1));

export const ENDPOINTS: readonly (Row | ListRow)[] = NAMED_ENDPOINTS.map(({ row }) => row);
