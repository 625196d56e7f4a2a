/** Draws delay and age over the budget as one picture. */
import { HOUR } from '../../../src/base/clock.js';
import { COLOURS } from '../../../src/charts/theme.js';
import { AXIS_TEXT, drawPanels, plain } from '../harness/panels.js';
import type { Measured } from './cell.js';
import { KINDS } from './oracle.js';
import { LISTS } from './service.js';

const PANEL = { width: 480, height: 280, left: 64, top: 52, right: 96, bottom: 48 } as const;
const { parts } = COLOURS.light;

interface Line {
  readonly name: string;
  /** Requests a month, and hours. */
  readonly points: readonly (readonly [number, number])[];
}
function panelsOf(cells: readonly Measured[]): readonly { readonly title: string; readonly lines: readonly Line[] }[] {
  const line = (name: string, some: readonly Measured[], value: (one: Measured) => number | undefined): Line => ({
    name,
    points: some.flatMap((one) => {
      const known = value(one);
      return known === undefined || !Number.isFinite(known) ? [] : [[one.limit, known / HOUR] as const];
    }),
  });
  return [...new Set(cells.map(({ projects }) => projects))].flatMap((projects) => {
    const own = cells.filter((one) => one.projects === projects);
    const honest = own.filter(({ lists }) => lists === 'honest');
    return [
      {
        title: `${projects} projects: median delay of an alert, hours`,
        lines: KINDS.map((kind) => line(kind, honest, ({ delays }) => delays[kind].median)),
      },
      {
        title: `${projects} projects: age of what lists tell, hours`,
        lines: [
          ...LISTS.map((lists) =>
            line(
              `lists ${lists}`,
              own.filter((one) => one.lists === lists),
              ({ ages }) => ages.listed,
            ),
          ),
          line('bound', honest, ({ statedBound }) => statedBound.pages),
        ],
      },
    ];
  });
}

const drawn = ({ name, points }: Line, order: number): object => ({
  ...{ data: points, symbol: 'circle', symbolSize: 6, color: parts[order % parts.length] },
  ...{ endLabel: { ...AXIS_TEXT, show: true, formatter: name }, labelLayout: { moveOverlap: 'shiftY' } },
  ...(name === 'bound' ? { lineStyle: { type: 'dashed' } } : {}),
});

export const curve = (cells: readonly Measured[]): string =>
  drawPanels({
    panels: panelsOf(cells).map(({ title, lines }) => ({ title, lines: lines.map(drawn) })),
    panel: PANEL,
    over: 'requests a month',
    // The names of the lines stand right of the axis and may be as low.
    xAxis: { axisLabel: { ...AXIS_TEXT, formatter: plain, alignMaxLabel: 'right' } },
  });
