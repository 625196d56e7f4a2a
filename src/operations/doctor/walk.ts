/** Every read operation once for one project; never reports values. */
import { z } from 'zod';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Analytics, Meter } from '../../analytics/analytics.js';
import { AnalyticsError, type Trouble } from '../../analytics/errors.js';
import type { Row } from '../../analytics/endpoint-row.js';
import type { Clock } from '../../base/clock.js';
import type { Finding } from '../../base/finding.js';
import type { LinkValues } from '../../domain/links.js';
import { surveyFields, type FieldSurvey } from './fields.js';
import { canBeAsked, collectInputs, inOrder } from './inputs.js';

export interface RowReport {
  readonly id: string;
  readonly operation: string;
  readonly spec: string;
  readonly mark: Finding['mark'];
  readonly status: 'answered' | 'unreadable' | 'not asked' | Trouble;
  /** What is wrong, where the service did not answer well. */
  readonly says?: string;
  readonly milliseconds?: number;
  /** Read, and unreadable. */
  readonly rows?: number;
  readonly broken?: number;
  readonly fields?: FieldSurvey;
}

export interface WalkOptions {
  readonly analytics: Analytics;
  readonly rows: readonly Row[];
  /** Undefined: the first project of a list. */
  readonly project: string | undefined;
  /** With retries; undefined: only the month's limit. */
  readonly most: number | undefined;
  readonly clock: Clock;
  readonly onFinding: (report: RowReport) => void;
}

export interface WalkResult {
  readonly project: string | undefined;
  readonly calls: number;
  readonly rows: readonly RowReport[];
  /** Those that responses named. */
  readonly links: LinkValues;
}

/** Further operations would fail too. */
const HOPELESS: ReadonlySet<Trouble> = new Set(['key-refused', 'budget-spent', 'allowance-spent', 'limited']);
/** The service is down. */
const AWAY_AFTER = 2;

/** The requests of a walk without retries. */
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
      // The raw answer: the doctor parses it itself to report what it could not read. Nothing cached is used.
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

/** Troubles that are no failure of the service. */
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
