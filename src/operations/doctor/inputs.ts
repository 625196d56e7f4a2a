/** Inputs for operations, found in earlier responses. */
import { z } from 'zod';
import { projects, projectsLaunch } from '../../analytics/endpoints/dashboard.js';
import { tokenHolders } from '../../analytics/endpoints/holders.js';
import { icoInvestors } from '../../analytics/endpoints/ico.js';
import { graveyardLaunches, recentLaunches } from '../../analytics/endpoints/launches.js';
import { marketMetrics, projectOverview } from '../../analytics/endpoints/project.js';
import { proposalTitles, proposals } from '../../analytics/endpoints/proposals.js';
import { proposalTraders } from '../../analytics/endpoints/proposals-market.js';
import { tradingActivities } from '../../analytics/endpoints/trading.js';
import { walletHoldings } from '../../analytics/endpoints/wallets.js';
import type { Concept } from '../../analytics/field-names.js';
import { listsIn, reader } from '../../analytics/field-reader.js';
import type { Row } from '../../analytics/endpoint-row.js';
import { ident } from '../../analytics/wire-values.js';
import type { LinkValues } from '../../domain/links.js';

const MEANS: Readonly<Record<string, string>> = {
  slug: 'project',
  project: 'project',
  daoSlug: 'project',
  search: 'project',
  baseMint: 'mint',
  publicKey: 'proposal',
  proposalPublicKey: 'proposal',
  walletPublicKey: 'wallet',
  tokenAddress: 'token',
  id: 'id',
};

/** The best first. None needs what it names. */
const SOURCES: Readonly<Record<string, { readonly concept: Concept; readonly rows: readonly Row[] }>> = {
  project: { concept: 'slug', rows: [projects, projectsLaunch, recentLaunches, graveyardLaunches] },
  mint: { concept: 'baseMint', rows: [projectOverview, marketMetrics] },
  proposal: { concept: 'proposalKey', rows: [proposals, proposalTitles] },
  wallet: { concept: 'trader', rows: [proposalTraders, tradingActivities, icoInvestors, tokenHolders] },
  token: { concept: 'address', rows: [walletHoldings] },
};

/** The order of discovery. */
const ORDER = ['project', 'mint', 'id', 'proposal', 'wallet', 'token'];

const fieldsOf = (row: Row): readonly { readonly name: string; readonly schema: z.ZodType }[] =>
  Object.entries<unknown>(row.input.shape).flatMap(([name, schema]) => (schema instanceof z.ZodType ? [{ name, schema }] : []));

/** `other`: in no response. */
const needsOf = (row: Row): readonly string[] =>
  fieldsOf(row).flatMap(({ name, schema }) =>
    schema.safeParse(undefined).success || optionsOf(schema).length > 0 ? [] : [MEANS[name] ?? 'other'],
  );

/** The doctor starts no refresh. */
export const canBeAsked = (row: Row): boolean => row.method === 'GET' && !needsOf(row).includes('other');

/** Rows in an order in which each one follows those that may name its inputs. */
export const inOrder = (rows: readonly Row[]): readonly Row[] => {
  const rank = (row: Row): number => Math.max(-1, ...needsOf(row).map((need) => ORDER.indexOf(need)));
  return rows.toSorted((a, b) => rank(a) - rank(b));
};

export type FoundInputs =
  { readonly ok: true; readonly input: Readonly<Record<string, unknown>> } | { readonly ok: false; readonly lacks: string };

export interface Inputs {
  take(row: Row, raw: unknown): void;
  of(row: Row): FoundInputs;
  readonly project: string | undefined;
  readonly links: () => LinkValues;
}

/** Allowed by every plan. */
const LIMIT = 10;

export function collectInputs(project: string | undefined): Inputs {
  const named = new Map<string, string>();
  const best = (need: string): string | undefined =>
    SOURCES[need]?.rows.map(({ id }) => named.get(`${need} ${id}`)).find((one) => one !== undefined);
  const valueOf = (need: string, row: Row): string | undefined => {
    if (need === 'project') return project ?? best('project');
    if (need === 'id') return named.get(`id ${row.path.slice(0, row.path.indexOf('/{id}'))}`);
    return best(need) ?? (need === 'token' ? best('mint') : undefined);
  };
  return {
    take(row, raw) {
      const items = itemsOf(row, raw);
      const [first] = items;
      for (const [need, { concept, rows }] of Object.entries(SOURCES)) {
        if (!rows.some(({ id }) => id === row.id)) continue;
        const value = items.map((item) => textOf(item, concept)).find((one) => one !== undefined);
        if (value !== undefined) named.set(`${need} ${row.id}`, value);
      }
      const id = first === undefined ? undefined : ofAnyName(first, ['id', 'movementId']);
      if (id !== undefined) named.set(`id ${row.path}`, id);
    },
    of(row) {
      const input: Record<string, unknown> = 'limit' in row.input.shape ? { limit: LIMIT } : {};
      for (const { name, schema } of fieldsOf(row)) {
        const isNeeded = !schema.safeParse(undefined).success;
        // Without a project some lists answer for all of them (§4.1).
        if (!isNeeded && name !== 'slug') continue;
        const need = MEANS[name] ?? 'other';
        const value = optionsOf(schema)[0] ?? valueOf(need, row);
        if (value === undefined || !schema.safeParse(value).success) return { ok: false, lacks: need };
        input[name] = value;
      }
      return { ok: true, input };
    },
    get project() {
      return project ?? best('project');
    },
    links: () => ({ slug: project ?? best('project'), mint: best('mint'), wallet: best('wallet'), publicKey: best('proposal') }),
  };
}

const optionsOf = (schema: z.ZodType): readonly unknown[] => (schema instanceof z.ZodEnum ? schema.options : []);

const itemsOf = (row: Row, raw: unknown): readonly unknown[] => row.items?.(raw) ?? listsIn(raw)[0]?.items ?? [raw];

function textOf(item: unknown, concept: Concept): string | undefined {
  if (typeof item === 'string') return item;
  return reader(item).get(concept, ident);
}

function ofAnyName(item: unknown, names: readonly string[]): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(item));
  return names.map((name) => ident.safeParse(fields.get(name)).data).find((one) => one !== undefined);
}
