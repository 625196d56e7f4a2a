/** The projects' counterparties. Some names look like spreadsheet formulas, to test exports. */
import type { Character } from './invented-projects.js';
import { firstIdOf, hasOpCo, type EntityType } from './accounts.js';
import { byNature } from './seeded-random.js';
import type { WorldScene } from './world-inputs.js';

export interface SimCounterparty {
  readonly id: number;
  readonly who: Character;
  readonly name: string;
  readonly type: string;
  readonly notes: string;
  readonly entityType: EntityType;
  readonly contractLink: string | null;
  readonly addresses: readonly { readonly address: string; readonly chain: string }[];
  readonly category: readonly [category: string, subcategory: string];
  readonly pays: boolean;
}

interface Plan {
  readonly name: string;
  readonly type: string;
  readonly category: readonly [string, string];
  readonly pays?: boolean;
  readonly company?: boolean;
  readonly addresses?: number;
  readonly notes?: string;
}

const PLANS: readonly Plan[] = [
  { name: 'Harbor Router', type: 'routing', category: ['Revenue', 'Routing fees'], pays: true, addresses: 2 },
  { name: 'Lantern Pools', type: 'protocol', category: ['Revenue', 'Liquidity fees'], pays: true },
  { name: 'Contributors', type: 'payroll', category: ['Expenses', 'Payroll'], company: true, addresses: 3 },
  { name: 'Brackish & Sons', type: 'vendor', category: ['Expenses', 'Audit'], notes: '=HYPERLINK("https://books.example","open books")' },
  { name: '@deepdesk', type: 'market maker', category: ['Expenses', 'Market making'] },
  { name: 'Northbank Trust', type: 'custodian', category: ['Expenses', 'Custody'] },
  { name: 'Mooring Cloud', type: 'vendor', category: ['Expenses', 'Hosting'], company: true },
  { name: 'Quill Counsel', type: 'legal', category: ['Expenses', 'Legal'], company: true },
  { name: 'Spring Meeting', type: 'events', category: ['Expenses', 'Events'], notes: 'Ends the season' },
  { name: 'Shorebird Grants', type: 'grants', category: ['Expenses', 'Grants'], addresses: 2 },
  { name: 'Tern Licences', type: 'licensing', category: ['Revenue', 'Licences'], pays: true },
];

const FIRST = 40;

const naturalCounterparties = byNature<readonly SimCounterparty[]>(40);

export function counterpartyBook(world: WorldScene) {
  const { keys } = world;
  const known = naturalCounterparties(world);
  return {
    all: (who: Character): readonly SimCounterparty[] =>
      known(who.slug, () =>
        PLANS.map((plan, index) => ({
          id: firstIdOf(who) + FIRST + index,
          who,
          name: plan.name,
          type: plan.type,
          notes: plan.notes ?? '',
          entityType: plan.company === true && hasOpCo(who) ? 'OpCo' : 'DAO',
          contractLink: plan.type === 'routing' ? `https://explorer.example/${keys.address('counterparty', who.slug, index, 0)}` : null,
          addresses: Array.from({ length: plan.addresses ?? 1 }, (_, number) => ({
            address: keys.address('counterparty', who.slug, index, number),
            chain: 'solana',
          })),
          category: plan.category,
          pays: plan.pays ?? false,
        })),
      ),
  };
}

export const CATEGORIES: readonly { readonly name: string; readonly subcategories: readonly string[] }[] = [
  ...['Revenue', 'Expenses'].map((name) => ({
    name,
    subcategories: PLANS.filter(({ category }) => category[0] === name).map(({ category }) => category[1]),
  })),
  { name: 'Internal transfer', subcategories: ['Allowance', 'Custody'] },
];
