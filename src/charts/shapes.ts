/** Defines the sizes of the drawing area, and the texts and shapes outside the axes. */
import type { EChartsOption } from 'echarts';
import { FAMILY, type Typeface } from './fonts.js';
import type { PlotPlace } from './pointed-values.js';
import type { Colours } from './theme.js';

export const EDGE = 24;
export const SIZES = { text: 22, name: 20 } as const;

export interface Faces {
  readonly regular: Typeface;
  readonly bold: Typeface;
}

export interface Pen {
  readonly colours: Colours;
  readonly faces: Faces;
}

export type Mark = Exclude<NonNullable<EChartsOption['graphic']>, readonly unknown[]>;

export interface PaperDrawing {
  readonly option: EChartsOption;
  readonly height: number;
  /** Where points are drawn, for pages that show values under the pointer. */
  readonly plot?: PlotPlace;
}

export interface Words {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly fill: string;
  readonly size?: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
  readonly rise?: 'top' | 'middle' | 'bottom';
  readonly rim?: string;
}

export const words = ({ text, x, y, fill, size = SIZES.text, bold = false, align = 'left', rise = 'top', rim }: Words): Mark => ({
  type: 'text',
  x,
  y,
  z: 10,
  silent: true,
  style: {
    text,
    fill,
    fontSize: size,
    fontFamily: FAMILY,
    fontWeight: bold ? 600 : 400,
    align,
    verticalAlign: rise,
    ...(rim === undefined ? {} : { stroke: rim, lineWidth: 6, lineJoin: 'round' }),
  },
});

export interface Stroke {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly stroke: string;
  readonly width?: number;
  readonly dashed?: boolean;
  readonly z?: number;
}

export const stroke = ({ from, to, stroke: colour, width = 3, dashed = false, z = 5 }: Stroke): Mark => ({
  type: 'line',
  z,
  silent: true,
  shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] },
  style: { stroke: colour, lineWidth: width, ...(dashed ? { lineDash: DASH } : {}) },
});

export const DASH = [9, 6];

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  readonly opacity?: number;
  readonly round?: number;
  readonly z?: number;
}

export const box = ({ x, y, width, height, fill, opacity = 1, round = 0, z = 5 }: Box): Mark => ({
  type: 'rect',
  z,
  silent: true,
  shape: { x, y, width, height, r: round },
  style: { fill, opacity },
});

export const dot = ({ x, y, fill, rim, radius = 6.5 }: { x: number; y: number; fill: string; rim: string; radius?: number }): Mark => ({
  type: 'circle',
  z: 9,
  silent: true,
  shape: { cx: x, cy: y, r: radius },
  style: { fill, stroke: rim, lineWidth: 2.5 },
});

export const polygon = ({
  points,
  fill,
  opacity,
}: {
  points: readonly (readonly [number, number])[];
  fill: string;
  opacity: number;
}): Mark => ({
  type: 'polygon',
  z: 1,
  silent: true,
  shape: { points: points.map(([x, y]) => [x, y]) },
  style: { fill, opacity },
});
