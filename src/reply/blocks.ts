/** Makes the blocks of a reply (lines, figures, tables, warnings) and its buttons. */
import type { Labelled } from '../analytics/field-reader.js';
import { capitalised } from '../base/sentence-lists.js';
import { commandLine } from '../chat/command-line.js';
import type { BlockDraft, Line, ActionDraft } from '../chat/reply.js';
import { isApartBy, sum, compare, divide, multiply } from '../domain/decimal.js';
import { UNKNOWN, countText, amount, percent, share } from '../domain/format.js';
import type { Gap } from '../domain/premium.js';
import type { Project } from '../domain/project.js';
import { decimal, type Decimal } from '../domain/scalars.js';

export const line = (...spans: Line): BlockDraft => ({ kind: 'line', line: spans });

type Column = string | { readonly title: string; readonly align: 'right' };

/** Makes a column of numbers. */
export const right = (title: string): Column => ({ title, align: 'right' });

/** `more` counts the rows that the table leaves out. */
export const tableOf = (columns: readonly Column[], rows: readonly (readonly string[])[], more = 0): BlockDraft => ({
  kind: 'table',
  columns: columns.map((column) => (typeof column === 'string' ? { title: column } : column)),
  rows,
  more,
});

export type Figure = readonly [label: string, value: string];

export const figuresOf = (all: readonly (Figure | undefined)[]): BlockDraft => ({
  kind: 'figures',
  items: all.filter((one) => one !== undefined).map(([label, value]) => ({ label, value })),
});

export const brokenRows = (broken: number): readonly BlockDraft[] =>
  broken === 0 ? [] : [line(`⚠ ${counted(broken, 'row')} skipped: unreadable.`)];

export const doubtful = (doubts: readonly string[]): readonly BlockDraft[] =>
  doubts.length === 0 ? [] : [line(`⚠ Not shown: ${doubts.join(', ')}. The service reports conflicting values.`)];

/** Removes the emphasis of a line, to use it within another one. */
export const plainLine = (text: Line): Line => text.map((span) => (typeof span === 'object' && 'strong' in span ? span.strong : span));

export const dotted = (...lines: readonly (Line | string | undefined)[]): Line =>
  lines
    .filter((one) => one !== undefined)
    .flatMap((one, index) => [...(index === 0 ? [] : [' · ']), ...(typeof one === 'string' ? [one] : one)]);

/** Returns "1 project", "10,438 projects" or "n/a projects". */
export const counted = (count: number | undefined, one: string, many = `${one}s`): string =>
  `${count === undefined ? UNKNOWN : countText(count)} ${count === 1 ? one : many}`;

export const labelledFigures = (all: readonly Labelled[]): BlockDraft =>
  all.length === 0
    ? { kind: 'line', line: ['No figures published.'] }
    : { kind: 'figures', items: all.map(({ label, value }) => ({ label, value: amount(value) })) };

/** Values that differ by a smaller fraction than this count as equal. */
const TOLERANCE = decimal('0.001');

export const differ = (a: Decimal, b: Decimal, of: Decimal = b): boolean => isApartBy(a, b, { part: TOLERANCE, of });

export function wholeSum(parts: readonly (Decimal | undefined)[]): Decimal | undefined {
  const known = parts.flatMap((part) => part ?? []);
  return parts.length > 0 && known.length === parts.length ? sum(known) : undefined;
}

/** Warns with both figures if they differ. */
export const crossCheck = (
  computed: Decimal | undefined,
  reported: Decimal | undefined,
  says: (computed: Decimal, reported: Decimal) => string,
): readonly BlockDraft[] =>
  computed === undefined || reported === undefined || !differ(computed, reported) ? [] : [line(`⚠ ${says(computed, reported)}`)];

export const premiumCheck = ({ percent: computed, reported }: Gap): readonly BlockDraft[] =>
  reported === undefined ? [] : [line(`⚠ Premium reported as ${percent(reported)}, but price and NAV/share give ${percent(computed)}.`)];

export const worthMost = <T extends { readonly value?: Decimal | undefined }>(rows: readonly T[]): readonly T[] =>
  rows.toSorted((a, b) => {
    if (a.value === undefined || b.value === undefined) return Number(a.value === undefined) - Number(b.value === undefined);
    return compare(b.value, a.value);
  });

/** Returns the largest row; undefined if a value is unknown, because it may be the largest. */
export const largestOf = <T extends { readonly value?: Decimal | undefined }>(rows: readonly T[]): T | undefined =>
  rows.some(({ value }) => value === undefined) ? undefined : worthMost(rows)[0];

export function shareOf(part: Decimal | undefined, whole: Decimal | undefined): string {
  const ratio = part === undefined || whole === undefined ? undefined : divide(multiply(part, decimal('100')), whole);
  return ratio === undefined ? '' : ` (${share(ratio)})`;
}

/** Tells whether a row is the project's own token, which never counts as backing. */
export const isOwnToken = (row: { readonly symbol?: string; readonly address?: string }, { symbol, mint }: Project): boolean =>
  (mint !== undefined && row.address === mint) || (symbol !== undefined && row.symbol?.toUpperCase() === symbol.toUpperCase());

/** Smaller ratios are ignored, because they come from rounding and late changes. */
const MIN_RATIO = decimal('1.1');

/** Returns committed divided by accepted, if a launch is oversubscribed. */
export function oversubscription({
  committed,
  accepted,
}: {
  readonly committed?: Decimal | undefined;
  readonly accepted?: Decimal | undefined;
}): Decimal | undefined {
  const ratio = committed === undefined || accepted === undefined ? undefined : divide(committed, accepted);
  return ratio !== undefined && compare(ratio, MIN_RATIO) >= 0 ? ratio : undefined;
}

/** Writes the options that are set, each with its name: "entity:DAO". */
export const namedWords = (options: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]));

/** The number of options that every platform can show. */
export const MAX_MENU_OPTIONS = 25;

export const choiceActions = (choices: readonly string[], current: string, to: (choice: string) => string): readonly ActionDraft[] =>
  choices.map((choice) => ({ label: LABELS[choice] ?? capitalised(choice), line: to(choice), on: choice === current }));

/** Makes buttons for other commands about the same project. */
export const commandActions = (slug: string, ...commands: readonly string[]): readonly ActionDraft[] =>
  commands.map((command) => ({ label: LABELS[command] ?? capitalised(command), line: commandLine(command, slug) }));

const LABELS: Readonly<Record<string, string>> = {
  nav: 'NAV',
  csv: 'CSV',
  native: 'Own token',
  ico: 'ICO',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
};
