/** Draws a ring beside a list of its parts. */
import type { SharesChart } from '../chat/chart.js';
import { valueText } from './scale.js';
import { FAMILY } from './fonts.js';
import { headerOf } from './header.js';
import { HEIGHT, WIDTH } from './theme.js';
import { EDGE, SIZES, box, words, type Mark, type PaperDrawing, type Pen } from './shapes.js';
import { shorten } from './text.js';

/** The most slices. Smaller parts are combined. */
const MAX_SLICES = 6;

const [MIN_RADIUS, GAP, NAME] = [96, 34, 34];

export interface Slice {
  readonly name: string;
  readonly value: number;
  readonly share: number;
}

/** Returns the slices, the largest first. Leaves out values that are not positive. */
export function slicesOf(parts: SharesChart['parts']): readonly Slice[] {
  const sorted = parts.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value);
  const whole = sorted.reduce((sum, { value }) => sum + value, 0);
  const shown = sorted.length > MAX_SLICES ? sorted.slice(0, MAX_SLICES - 1) : sorted;
  const rest = sorted.slice(shown.length);
  const others = { name: `${rest.length} others`, value: rest.reduce((sum, { value }) => sum + value, 0) };
  return [...shown, ...(rest.length === 0 ? [] : [others])].map((part) => ({ ...part, share: (part.value / whole) * 100 }));
}

const shareText = (percent: number): string => (percent < 0.05 ? '<0.1%' : `${percent.toFixed(1)}%`);

export function sharesDrawing(chart: SharesChart, pen: Pen): PaperDrawing {
  const { colours } = pen;
  const head = headerOf({ ...chart, legend: [] }, pen);
  const slices = slicesOf(chart.parts);
  const {
    ring: { cx, cy, radius },
    rows,
  } = partsList(slices, { unit: chart.unit, top: head.below + 8, bottom: HEIGHT - EDGE }, pen);
  const whole = slices.reduce((sum, { value }) => sum + value, 0);
  return {
    height: HEIGHT,
    option: {
      animation: false,
      backgroundColor: colours.ground,
      textStyle: { fontFamily: FAMILY },
      series: [
        {
          type: 'pie',
          silent: true,
          center: [cx, cy],
          radius: [radius * 0.6, radius],
          startAngle: 90,
          label: { show: false },
          labelLine: { show: false },
          itemStyle: { borderColor: colours.ground, borderWidth: 3 },
          data: slices.map(({ name, value }, index) => ({ name, value, itemStyle: { color: colours.parts[index] } })),
        },
      ],
      graphic: [
        ...head.marks,
        ...rows,
        words({
          text: slices.length === 0 ? 'no parts' : valueText(chart.unit, whole),
          x: cx,
          y: cy,
          fill: colours.ink,
          size: 26,
          bold: true,
          align: 'center' as const,
          rise: 'middle' as const,
        }),
      ],
    },
  };
}

interface Space {
  readonly unit: SharesChart['unit'];
  readonly top: number;
  readonly bottom: number;
}

/** Places the list of parts, and the ring in the space that is left. */
function partsList(slices: readonly Slice[], { unit, top, bottom }: Space, { colours, faces }: Pen) {
  const texts = slices.map((slice) => ({ share: shareText(slice.share), value: valueText(unit, slice.value) }));
  const widest = (all: readonly string[], weight: 'regular' | 'bold') =>
    all.reduce((most, text) => Math.max(most, faces[weight].width(text, SIZES.text)), 0);
  const values = widest(
    texts.map(({ value }) => value),
    'regular',
  );
  const shares = widest(
    texts.map(({ share }) => share),
    'bold',
  );
  const [atValue, atShare] = [WIDTH - EDGE, WIDTH - EDGE - values - 22];
  const names = widest(
    slices.map(({ name }) => name),
    'regular',
  );
  // Long names make the ring smaller, down to the minimum.
  const free = atShare - shares - 18 - NAME - names - GAP - 2 * EDGE;
  const radius = Math.min((bottom - top) / 2, Math.max(MIN_RADIUS, free / 2));
  const [cx, cy] = [EDGE + radius + 4, (top + bottom) / 2];
  const left = cx + radius + GAP;
  const room = atShare - shares - 18 - left - NAME;
  const row = Math.min(54, (bottom - top) / Math.max(1, slices.length));
  const first = cy - (row * slices.length) / 2;
  const rows = slices.flatMap((slice, index): Mark[] => {
    const y = first + (index + 0.5) * row;
    const name = shorten(slice.name, { face: faces.regular, size: SIZES.text, room });
    const text = texts[index];
    return [
      box({ x: left, y: y - 11, width: 22, height: 22, fill: colours.parts[index] ?? colours.soft, round: 5 }),
      words({ text: name, x: left + NAME, y, fill: colours.ink, rise: 'middle' }),
      words({ text: text?.share ?? '', x: atShare, y, fill: colours.ink, bold: true, align: 'right', rise: 'middle' }),
      words({ text: text?.value ?? '', x: atValue, y, fill: colours.soft, align: 'right', rise: 'middle' }),
    ];
  });
  return { ring: { cx, cy, radius }, rows };
}
