/** Calls every read operation once for one project, with inputs from earlier responses. The report contains no values. */
import { z } from 'zod';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Analytics, Meter } from '../../analytics/analytics.js';
import { AnalyticsError, type Trouble } from '../../analytics/errors.js';
import type { Row } from '../../analytics/endpoint-row.js';
import type { Clock } from '../../base/clock.js';
import type { Finding } from '../../base/finding.js';
import type { LinkValues } from '../../domain/links.js';
import { surveyFields, type FieldSurvey } from './fields.js';
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
import { ident } from '../../analytics/wire-values.js';

export interface RowReport {
  readonly id: string;
  readonly operation: string;
  readonly spec: string;
  readonly mark: Finding['mark'];
  readonly status: 'answered' | 'unreadable' | 'not asked' | Trouble;
  /** What is wrong; undefined if the service answered well. */
  readonly says?: string;
  readonly milliseconds?: number;
  /** The number of rows that were read; `broken` is the number of unreadable ones. */
  readonly rows?: number;
  readonly broken?: number;
  readonly fields?: FieldSurvey;
}

export interface WalkOptions {
  readonly analytics: Analytics;
  readonly rows: readonly Row[];
  /** If undefined, the first project of a list is taken. */
  readonly project: string | undefined;
  /** The most requests, retries included. If undefined, only the month's limit applies. */
  readonly most: number | undefined;
  readonly clock: Clock;
  readonly onFinding: (report: RowReport) => void;
}

export interface WalkResult {
  readonly project: string | undefined;
  readonly calls: number;
  readonly rows: readonly RowReport[];
  /** The ids that responses contained. */
  readonly links: LinkValues;
}

/** Troubles after which further operations would fail too. */
const HOPELESS: ReadonlySet<Trouble> = new Set(['key-refused', 'budget-spent', 'allowance-spent', 'limited']);
/** After this many failures in a row the service counts as down. */
const AWAY_AFTER = 2;

/** Returns the number of requests of a walk without retries. */
export const costOf = (rows: readonly Row[]): number => rows.filter(canBeAsked).length;

export async function walk({ analytics, rows, project, most, clock, onFinding }: WalkOptions): Promise<WalkResult> {
  const inputs = collectInputs(project);
  const reports: RowReport[] = [];
  let calls = 0;
  let away = 0;
  let over: string | undefined;
  const meter: Meter = {
    count: () => void (calls += 1),
    giveBack: () => void (calls -= 1),
    spentUntil: () => (most !== undefined && calls >= most ? clock.now() : undefined),
  };

  const ask = async (row: Row): Promise<RowReport> => {
    const about = { id: row.id, operation: `${row.method} ${row.path}`, spec: row.spec };
    const notAsked = (says: string): RowReport => ({ ...about, mark: 'none', status: 'not asked', says });
    if (!canBeAsked(row)) return notAsked('it needs a refresh that was started');
    if (over !== undefined) return notAsked(over);
    const found = inputs.of(row);
    if (!found.ok) return notAsked(`no earlier answer named a ${found.lacks}`);
    const before = calls;
    const time = () => (calls > before ? { milliseconds: analytics.state().lastMs ?? 0 } : {});
    try {
      // Requests the unparsed response, without the cache, because the doctor parses it and reports what it could not read.
      const { data } = await analytics.call({ ...row, data: z.unknown(), freshFor: 0 }, found.input, { ifFailing: 'refuse', meter });
      away = 0;
      inputs.take(row, data);
      return { ...about, ...time(), ...examine(row, data) };
    } catch (error) {
      if (!(error instanceof AnalyticsError)) throw error;
      const { trouble } = error;
      away = trouble === 'unreachable' || trouble === 'timeout' ? away + 1 : 0;
      if (HOPELESS.has(trouble)) over = WHY[trouble] ?? 'an earlier operation was refused';
      if (away >= AWAY_AFTER) over = 'the service does not answer';
      if (trouble === 'allowance-spent') return notAsked(over ?? '');
      return {
        ...about,
        ...time(),
        mark: MARKS[trouble] ?? 'fail',
        status: trouble,
        says: error.message.replace(/^analytics: [^:]+: /u, ''),
      };
    }
  };

  for (const row of inOrder(rows.filter(({ method }) => method === 'GET'))) {
    const report = await ask(row);
    reports.push(report);
    onFinding(report);
  }
  return { project: inputs.project, calls, rows: reports, links: inputs.links() };
}

/** The marks of troubles that are not failures of the service. */
const MARKS: Readonly<Partial<Record<Trouble, Finding['mark']>>> = { forbidden: 'none', unknown: 'warn', 'budget-spent': 'warn' };
const WHY: Readonly<Partial<Record<Trouble, string>>> = {
  'key-refused': 'the service refuses the key',
  'budget-spent': 'the calls of this month are used',
  'allowance-spent': 'the calls given with --budget are used',
  limited: 'the service asks for a pause',
};

const counted = z.object({ rows: z.array(z.unknown()), broken: z.int() });
const filed = z.object({ records: z.array(z.unknown()) });

function examine(row: Row, raw: unknown): Pick<RowReport, 'mark' | 'status' | 'says' | 'rows' | 'broken' | 'fields'> {
  const read = row.data.safeParse(raw);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = ['data', ...(issue?.path ?? [])].join('.');
    return {
      mark: 'fail',
      status: 'unreadable',
      says: `the answer does not fit the interface at "${place}" (${issue?.code ?? 'unreadable'})`,
    };
  }
  const list = counted.safeParse(read.data).data;
  const file = filed.safeParse(read.data).data;
  const fields = row.answers === 'csv' ? undefined : surveyFields(row, raw);
  const broken = list?.broken ?? 0;
  const isOdd = broken > 0 || (fields?.missing.length ?? 0) > 0;
  return omitUndefined({
    mark: isOdd ? 'warn' : 'ok',
    status: 'answered',
    rows: file?.records.length ?? list?.rows.length,
    broken: list && broken,
    fields,
  });
}

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

/** The operations whose responses contain each input, the best first. None of them needs the input that it provides. */
const SOURCES: Readonly<Record<string, { readonly concept: Concept; readonly rows: readonly Row[] }>> = {
  project: { concept: 'slug', rows: [projects, projectsLaunch, recentLaunches, graveyardLaunches] },
  mint: { concept: 'baseMint', rows: [projectOverview, marketMetrics] },
  proposal: { concept: 'proposalKey', rows: [proposals, proposalTitles] },
  wallet: { concept: 'trader', rows: [proposalTraders, tradingActivities, icoInvestors, tokenHolders] },
  token: { concept: 'address', rows: [walletHoldings] },
};

/** The order in which inputs are discovered. */
const ORDER = ['project', 'mint', 'id', 'proposal', 'wallet', 'token'];

const fieldsOf = (row: Row): readonly { readonly name: string; readonly schema: z.ZodType }[] =>
  Object.entries<unknown>(row.input.shape).flatMap(([name, schema]) => (schema instanceof z.ZodType ? [{ name, schema }] : []));

/** Returns the inputs that an operation needs. `other` stands for an input that no response contains. */
const needsOf = (row: Row): readonly string[] =>
  fieldsOf(row).flatMap(({ name, schema }) =>
    schema.safeParse(undefined).success || optionsOf(schema).length > 0 ? [] : [MEANS[name] ?? 'other'],
  );

/** Tells whether the doctor can call an operation. It starts no refresh. */
const canBeAsked = (row: Row): boolean => row.method === 'GET' && !needsOf(row).includes('other');

/** Sorts operations so that each follows those whose responses may contain its inputs. */
const inOrder = (rows: readonly Row[]): readonly Row[] => {
  const rank = (row: Row): number => Math.max(-1, ...needsOf(row).map((need) => ORDER.indexOf(need)));
  return rows.toSorted((a, b) => rank(a) - rank(b));
};

type FoundInputs =
  { readonly ok: true; readonly input: Readonly<Record<string, unknown>> } | { readonly ok: false; readonly lacks: string };

/** Collects inputs for operations from earlier responses. */
interface Inputs {
  take(row: Row, raw: unknown): void;
  of(row: Row): FoundInputs;
  readonly project: string | undefined;
  readonly links: () => LinkValues;
}

/** The number of rows per request, which every plan allows. */
const LIMIT = 10;

function collectInputs(project: string | undefined): Inputs {
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
        // Without a project some lists answer for all projects (§4.1).
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
