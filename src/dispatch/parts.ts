/** What the replies of several commands are built from: options, ages, missing parts, pages. */
import { z } from 'zod';
import { AnalyticsError, type Trouble } from '../analytics/errors.js';
import type { Answer } from '../analytics/analytics.js';
import { isOld, type ActionDraft, type BlockDraft, type Line, type Reply } from '../chat/reply.js';
import { instant, type Instant } from '../base/clock.js';
import { duration, exact, UNKNOWN } from '../domain/format.js';
import { decimal } from '../domain/scalars.js';
import { because, excuse } from './apologies.js';

/** The option by which a project is named. */
export const projectOption = z.string().trim().min(1).describe('a project, by slug, symbol or name').meta({ complete: 'project' });

/** How many rows a page has: what the smallest plan seen shows at once. */
export const PAGE_SIZE = 10;
export const pageOption = z
  .string()
  .regex(/^[1-9]\d{0,3}$/)
  .default('1')
  .transform(Number)
  .describe('which page, from 1');

interface Aged {
  readonly at: Instant;
  readonly dataAt?: Instant | undefined;
  readonly stale?: Trouble;
}

/** A reply is as old as the oldest data in it, and says why when one of the answers is an old copy. */
export function ages(...answers: readonly (Aged | undefined)[]): Pick<Reply, 'asOf' | 'stale'> {
  const known = answers.filter((answer) => answer !== undefined);
  const stale = known.find((answer) => answer.stale !== undefined)?.stale;
  return {
    ...(known.length === 0 ? {} : { asOf: instant(Math.min(...known.map(({ at, dataAt = at }) => Math.min(at, dataAt)))) }),
    ...(stale === undefined ? {} : { stale: excuse(stale) }),
  };
}

/** Whether an answer speaks of a time that is over, so that its latest figure "was" and no longer "is". */
export const isPast = (answer: Aged | undefined, now: Instant): boolean => {
  const { asOf } = ages(answer);
  return asOf !== undefined && isOld(asOf, now);
};

/** " ⚠ 3 d old" for a row of a list that is older than the others may be; nothing for any other. */
export const rowAge = ({ updatedAt }: { readonly updatedAt?: Instant | undefined }, now: Instant): string =>
  updatedAt !== undefined && isOld(updatedAt, now) ? ` ⚠ ${duration(now - updatedAt)} old` : '';

/** Part of a reply that can do without it: the answer, or why there is none. */
export interface Part<A> {
  readonly answer?: A;
  readonly missing?: AnalyticsError;
}

/** Awaits an answer the reply can do without. Rejects only with what is no failure of the service. */
export async function part<A>(asked: Promise<A>): Promise<Part<A>> {
  try {
    return { answer: await asked };
  } catch (error) {
    if (error instanceof AnalyticsError) return { missing: error };
    throw error;
  }
}

/** "n/a: not answering", for a figure of a part that is missing. */
export const missingText = ({ missing }: Part<unknown>): string =>
  missing === undefined ? UNKNOWN : `${UNKNOWN}: ${because(missing.trouble)}`;

/** Throws the failure of the first part when every part is missing: then there is nothing to show. */
export function needOne(...parts: readonly Part<unknown>[]): void {
  const [failure] = parts.flatMap(({ missing }) => missing ?? []);
  if (failure !== undefined && parts.every(({ answer }) => answer === undefined)) throw failure;
}

/** What a page without a readable row says: `none` only where there is nothing, not where the service counts rows that it does not show. */
export function emptyPage(
  { page, rows, total = 0 }: Omit<PageOf, 'to'>,
  { of, none }: { readonly of?: string; readonly none: string },
): string {
  const said = (upper: string, rest: string): string => (of === undefined ? `${upper}${rest}` : `${of}: ${upper.toLowerCase()}${rest}`);
  if (rows > 0) return said(rows === 1 ? 'The only row' : `None of the ${rows} rows`, ' on this page could be read');
  if ((page - 1) * PAGE_SIZE < total) return said('The', ` service counts ${counted(total, 'entry', 'entries')} but shows none here`);
  return page > 1 ? said('There', ` is nothing on page ${page}`) : none;
}

/** One button per choice, the one in force marked. */
export const choiceActions = (choices: readonly string[], current: string, to: (choice: string) => string): readonly ActionDraft[] =>
  choices.map((choice) => ({ label: LABELS[choice] ?? capital(choice), line: to(choice), on: choice === current }));

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
/** Choices that are no words. */
const LABELS: Readonly<Record<string, string>> = {
  nav: 'NAV',
  csv: 'CSV',
  native: 'Own token',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
};

export const line = (...spans: Line): BlockDraft => ({ kind: 'line', line: spans });

/** "2 rows could not be read and are left out." Nothing where none was broken. */
export const brokenRows = (broken: number): readonly BlockDraft[] =>
  broken === 0 ? [] : [line(`⚠ ${broken} ${broken === 1 ? 'row' : 'rows'} could not be read and ${broken === 1 ? 'is' : 'are'} left out.`)];

/** What was found under several names that disagree is not shown; this says so. */
export const doubtful = (doubts: readonly string[]): readonly BlockDraft[] =>
  doubts.length === 0 ? [] : [line(`⚠ The service gives several values that differ for ${doubts.join(', ')}; none of them is shown.`)];

export interface PageOf {
  readonly page: number;
  /** Rows on this page, those that could not be read included. */
  readonly rows: number;
  /** `meta.totalItems`, where the service counts. */
  readonly total?: number;
  /** The command line of another page. */
  readonly to: (page: number) => string;
}

/** Where a page of a list stands: what paging texts and buttons need of its answer. */
export const pagingOf = (
  answer: Pick<Answer<{ readonly rows: readonly unknown[]; readonly broken: number }>, 'data' | 'meta'>,
  page: number,
) => ({
  page,
  rows: answer.data.rows.length + answer.data.broken,
  total: answer.meta.totalItems,
});

/** "Previous page" and "Next page". Where nothing is counted, a full page may have another behind it. */
export function pageActions({ page, rows, total, to }: PageOf): readonly ActionDraft[] {
  const last = lastBefore({ page, rows, total });
  if (last !== undefined) return [{ label: 'Last page', line: to(last) }];
  const next = total === undefined ? rows >= PAGE_SIZE : page * PAGE_SIZE < total && rows > 0;
  return [
    ...(page > 1 ? [{ label: 'Previous page', line: to(page - 1) }] : []),
    ...(next ? [{ label: 'Next page', line: to(page + 1) }] : []),
  ];
}

/** The last page there is, where this one lies beyond it. */
function lastBefore({ page, rows, total }: Omit<PageOf, 'to'>): number | undefined {
  const last = total === undefined ? page : Math.max(1, Math.ceil(total / PAGE_SIZE));
  return rows === 0 && page > last ? last : undefined;
}

/** "page 2 of 7", "the last page is 7" beyond it, "page 2" where nothing is counted, and nothing where one page holds it all. */
export function pageText({ page, rows, total }: Omit<PageOf, 'to'>): string | undefined {
  const last = lastBefore({ page, rows, total });
  if (last !== undefined) return `the last page is ${last}`;
  if (total !== undefined) return total > PAGE_SIZE ? `page ${page} of ${Math.ceil(total / PAGE_SIZE)}` : undefined;
  return page > 1 || rows >= PAGE_SIZE ? `page ${page}` : undefined;
}

/** Spans joined by a middle dot; those that are undefined are left out. */
export const dotted = (...lines: readonly (Line | string | undefined)[]): Line =>
  lines
    .filter((one) => one !== undefined)
    .flatMap((one, index) => [...(index === 0 ? [] : [' · ']), ...(typeof one === 'string' ? [one] : one)]);

/** "1 project", "10,438 projects". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${exact(decimal(count))} ${count === 1 ? one : many}`;
