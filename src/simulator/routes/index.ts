/** Lists the route of each operation. A missing one does not compile. */
import type { FAMILIES } from '../../analytics/endpoints/index.js';
import type { Row } from '../../analytics/endpoint-row.js';
import type { Route } from '../route.js';
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

type Families = typeof FAMILIES;
type RowName<Family> = { [Name in keyof Family]: Family[Name] extends Row ? Name : never }[keyof Family];
type Routes = { readonly [Name in keyof Families]: Readonly<Record<RowName<Families[Name]>, Route>> };

const whole = <File extends object>(file: File): File => file;

export const ROUTES = {
  accounts: whole(accounts),
  allocation: whole(allocation),
  counterparties: whole(counterparties),
  dashboard: whole(dashboard),
  finances: whole(finances),
  holders: whole(holders),
  ico: whole(ico),
  launches: whole(launches),
  movements: whole(movements),
  project: whole(project),
  proposalsAnalytics: whole(proposalsAnalytics),
  proposalsMarket: whole(proposalsMarket),
  proposals: whole(proposals),
  supply: whole(supply),
  trading: whole(trading),
  treasury: whole(treasury),
  walletActivity: whole(walletActivity),
  wallets: whole(wallets),
} satisfies Routes;
