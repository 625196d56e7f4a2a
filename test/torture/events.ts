/** Events whose alerts cannot be mistaken for one another: each has a mark of its own that stands in its alert exactly once. */

export interface Planted {
  /** What `POST /__sim` takes. */
  readonly order: Readonly<Record<string, unknown>>;
  /** Text that its one alert contains. */
  readonly mark: string;
}

/** A growth metric and its days that have a value already: only such a day can be restated. */
export interface Metric {
  readonly project: string;
  readonly id: string;
  readonly days: readonly string[];
}

/** The `n`-th event: mostly mints and burns, some late, with proposals, launches and restated growth days between them. */
export function plant(n: number, { projects, metric }: { readonly projects: readonly string[]; readonly metric: Metric }): Planted {
  const project = projects[n % projects.length];
  const tail = String(n).padStart(6, '0');
  // A last digit that is not zero, because alerts show no trailing zeros.
  const amount = `1234.${tail.slice(1)}7`;
  switch (n % 8) {
    case 3:
      return {
        order: { kind: 'proposal', project, title: `Planted question ${tail}.`, draftSeconds: 100_000 },
        mark: `New proposal: “Planted question ${tail}.”`,
      };
    case 5:
      return {
        order: { kind: 'launch', project, title: `Planted raise ${tail}.`, waitSeconds: 100_000 },
        mark: `Announced: Planted raise ${tail}.`,
      };
    case 7: {
      const value = `7${tail}3`;
      const shown = new Intl.NumberFormat('en').format(Number(value));
      return {
        order: {
          kind: 'growth',
          project: metric.project,
          metricId: metric.id,
          date: metric.days[Math.floor(n / 8) % metric.days.length],
          value,
        },
        mark: `corrected: ${metric.id} is ${shown}`,
      };
    }
    default:
      return { order: { kind: n % 2 === 0 ? 'mint' : 'burn', project, amount, late: n % 5 === 0 }, mark: `1,234.${tail.slice(1)}7` };
  }
}

/**
 * The `n`-th push of a price, to a premium (in percent) that stands on the other side of both lines than the one before it. Its mark is the figure as
 * its one alert tells it; "was …" in the next one begins otherwise.
 */
export function push(n: number): { readonly percent: number; readonly mark: string } {
  const percent = (n % 2 === 0 ? 30.1 : 8.1) + n / 5;
  return { percent, mark: `line: ${percent.toFixed(1)} % above NAV` };
}
/** The lines that such pushes cross. */
export const LINES = ['above 28 band 2', 'below 20 band 2'] as const;
