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
  readonly isInDollars: boolean;
  readonly days: readonly string[];
}

/** The `n`-th event: mostly mints and burns, some late, with proposals, launches and, as long as there are days left, restated growth days between them. */
export function plant(n: number, { projects, metric }: { readonly projects: readonly string[]; readonly metric: Metric }): Planted {
  const project = projects[n % projects.length];
  const tail = String(n).padStart(6, '0');
  // A day is restated once: corrections of one value have pauses of five minutes and more between them.
  const date = n % 8 === 7 ? metric.days[Math.floor(n / 8)] : undefined;
  if (date !== undefined) {
    const value = 70_000_000 + n;
    return {
      order: { kind: 'growth', project: metric.project, metricId: metric.id, date, value: String(value) },
      mark: `corrected its ${metric.id.replaceAll('-', ' ')}: ${metric.isInDollars ? '$' : ''}${grouped(value)} (`,
    };
  }
  switch (n % 8) {
    case 3:
      return {
        order: { kind: 'proposal', project, title: `Planted question ${tail}.`, draftSeconds: 100_000 },
        mark: `New proposal: "Planted question ${tail}."`,
      };
    case 5:
      return {
        order: { kind: 'launch', project, title: `Planted raise ${tail}.`, waitSeconds: 100_000 },
        mark: `New launch: Planted raise ${tail}.`,
      };
    default: {
      const isMint = n % 2 === 0;
      // Alerts round amounts to whole tokens from 1,000 on. The verb tells a headline from the largest amounts of a total.
      const amount = 20_000 + n;
      return {
        order: { kind: isMint ? 'mint' : 'burn', project, amount: String(amount), late: n % 5 === 0 },
        mark: `${isMint ? 'minted' : 'burned'} ${grouped(amount)} `,
      };
    }
  }
}

const grouped = (whole: number): string => new Intl.NumberFormat('en').format(whole);

/**
 * Lines that a premium crosses one after another, in percent, as it rises. Each is crossed once, because a line that was alerted rests for an hour,
 * which is longer than all of this takes.
 */
const LEVELS = Array.from({ length: 10 }, (_, index) => 28 + index * 4);
/** The rules, as they are typed. */
export const LINES = LEVELS.map((level) => `above ${level} band 1`);
/** From here on it rises. */
export const BELOW_ALL_LINES = 24;

/** The `n`-th push of a price, to a premium beyond the `n`-th line; undefined once all were crossed. */
export function push(n: number): { readonly percent: number; readonly mark: string } | undefined {
  const level = LEVELS[n];
  return level === undefined ? undefined : { percent: level + 1.5, mark: `above your ${level}% threshold` };
}
