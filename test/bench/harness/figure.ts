/** A figure of the table: what was measured, what is aimed at, and what peers need for the same. */

export interface Figure {
  readonly figure: string;
  readonly unit: string;
  /** One of each repetition; empty where it could not be measured. */
  readonly values: readonly number[];
  readonly goal?: number;
  /** Whether the goal is the least (a share) rather than the most. */
  readonly atLeast?: boolean;
  readonly peers?: Readonly<Record<string, readonly number[]>>;
  /** What is to be known about it: why it was not measured, or under which conditions. */
  readonly note?: string;
  /** Where it is a point of a curve: of what, and at how many chats. */
  readonly curve?: { readonly of: string; readonly at: number };
}

export type Verdict = 'met' | 'missed' | 'unknown' | '';

export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle];
  const [below, above] = [sorted[middle - 1], sorted[middle]];
  return below === undefined || above === undefined ? undefined : (below + above) / 2;
}

/** The value that so large a part of them does not exceed. */
export function quantile(values: readonly number[], part: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)];
}

export function verdict({ values, goal, atLeast = false }: Figure): Verdict {
  const now = median(values);
  if (goal === undefined) return '';
  if (now === undefined) return 'unknown';
  return (atLeast ? now >= goal : now <= goal) ? 'met' : 'missed';
}

/** Three significant figures, as far as there are any. */
function shown(value: number | undefined, unit: string): string {
  if (value === undefined) return 'n/a';
  const digits = value === 0 || Number.isInteger(value) ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return `${value.toFixed(Math.min(digits, 2))}${unit === '' ? '' : ` ${unit}`}`;
}

const HEAD = ['figure', 'now', 'goal', 'peer', 'verdict'] as const;

/** The table as text, its columns in line; notes follow below it. */
export function table(figures: readonly Figure[]): string {
  const rows = [HEAD, ...figures.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  const notes = figures.flatMap(({ figure, note }) => (note === undefined ? [] : [`${figure}: ${note}`]));
  return [lines[0], rule, ...lines.slice(1), ...(notes.length === 0 ? [] : ['', ...notes])].join('\n');
}

function cells(figure: Figure): readonly string[] {
  const { unit, goal, atLeast = false, peers = {} } = figure;
  return [
    figure.figure,
    shown(median(figure.values), unit),
    goal === undefined ? '' : `${atLeast ? '≥' : '≤'} ${shown(goal, unit)}`,
    Object.entries(peers)
      .map(([name, values]) => `${name} ${shown(median(values), unit)}`)
      .join(', '),
    verdict(figure),
  ];
}
