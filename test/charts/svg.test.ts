import { describe, expect, test } from 'vitest';
import { chartSchema, type ChartDraft } from '../../src/chat/chart.js';
import { THEMES, chartHeight } from '../../src/charts/theme.js';
import { drawSvg } from '../../src/charts/svg.js';
import { typeface } from '../../src/charts/fonts.js';
import { SAMPLES } from './samples.js';
import { clashes, textsOf } from './texts.js';

const draw = (draft: ChartDraft, theme: (typeof THEMES)[number] = 'dark') => drawSvg(chartSchema.parse(draft), theme);
const DAY = 86_400_000;

describe.each(Object.entries(SAMPLES))('the picture of %s', (_name, chart) => {
  test.each(THEMES)('has every word on its sheet, none on another, none without a glyph: %s', (theme) => {
    const svg = drawSvg(chart, theme);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/u);
    expect(clashes(svg)).toEqual([]);
    const faces = [typeface('regular'), typeface('bold')];
    const missing = textsOf(svg).flatMap(({ text }) => [...text].filter((character) => !faces.every((face) => face.has(character))));
    expect(missing).toEqual([]);
  });

  test('is the same each time it is drawn', () => {
    expect(drawSvg(chart, 'light')).toBe(drawSvg(chart, 'light'));
  });
});

test.each(['card', 'card-alone'])('the height that platforms keep free for %s is that of the picture', (name) => {
  const [sample] = Object.entries(SAMPLES).flatMap(([known, chart]) => (known === name ? [chart] : []));
  if (sample === undefined) throw new Error('there is no such sample');
  expect(/<svg[^>]*height="(\d+)"/u.exec(drawSvg(sample, 'dark'))?.[1]).toBe(String(chartHeight(sample)));
});

test('a value is left of the middle of its bar in the lower half of its range, and right of it in the upper', () => {
  const at = (value: number): number => {
    const row = { name: 'TIDE', low: -30, high: 10, value };
    const svg = draw({ kind: 'ranges', title: 'card', unit: 'percent', middle: 0, rows: [row] });
    const [, x = '0'] = /<circle cx="([\d.]+)"/u.exec(svg) ?? /<path d="M([\d.]+)[^"]*A/u.exec(svg) ?? [];
    return Number(x);
  };
  const places = [-30, -20, -10, 0, 10].map(at);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(places).size).toBe(5);
});

test('the check of words notices words that lie on one another or leave the sheet', () => {
  const svg = (words: string) => `<svg width="800" height="450">${words}</svg>`;
  const text = (x: number, y: number, words: string) =>
    `<text dominant-baseline="central" style="font-size:22px;font-family:Inter;" transform="translate(${x} ${y})">${words}</text>`;
  expect(clashes(svg(text(10, 20, 'one') + text(20, 25, 'two')))).toEqual(['"one" lies on "two"']);
  expect(clashes(svg(text(780, 20, 'a long way out')))).toEqual(['"a long way out" leaves the sheet']);
  expect(clashes(svg(text(10, 20, 'one') + text(10, 60, 'two')))).toEqual([]);
});

test('a gap leaves the line open, and a value between two gaps is a dot', () => {
  const line = (...values: (number | null)[]) =>
    draw({
      kind: 'xy',
      title: 'fees',
      series: [{ name: 'fees', draw: 'line', unit: 'usd', points: values.map((value, index) => [index * DAY, value]) }],
    });
  const starts = (svg: string) => (/<path d="([^"]+)" fill="none"[^>]*stroke="#5db8ec"/u.exec(svg)?.[1]?.match(/M/gu) ?? []).length;
  expect(starts(line(1, 2, 3, 4))).toBe(1);
  expect(starts(line(1, 2, null, 3, 4))).toBe(2);
  const dots = (svg: string) => (svg.match(/fill="#5db8ec"/gu) ?? []).length;
  expect(dots(line(1, 2, null, 3, null, 4, 5))).toBeGreaterThan(dots(line(1, 2, 3, 4)));
});

test('bars and areas stand on zero, lines need not', () => {
  const labels = (how: 'bar' | 'area' | 'line') =>
    textsOf(
      draw({
        kind: 'xy',
        title: 'worth',
        series: [
          {
            name: 'worth',
            draw: how,
            unit: 'usd',
            points: [
              [0, 100],
              [DAY, 104],
            ],
          },
        ],
      }),
    ).map(({ text }) => text);
  expect(labels('bar')).toContain('$0');
  expect(labels('area')).toContain('$0');
  expect(labels('line')).not.toContain('$0');
});

test('a level and a window are named, and the scale reaches to the level', () => {
  const svg = draw({
    kind: 'xy',
    title: 'edge',
    series: [
      {
        name: 'edge',
        draw: 'line',
        unit: 'percent',
        points: [
          [0, 1],
          [DAY, 2],
        ],
      },
    ],
    levels: [{ name: 'needs +9%', value: 9 }],
    spans: [{ name: 'TWAP window', from: DAY / 2, to: DAY }],
  });
  const texts = textsOf(svg).map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(['needs +9%', 'TWAP window', '10%']));
});

test('what comes from outside is text and no markup', () => {
  const svg = draw({
    kind: 'shares',
    title: '<script>alert(1)</script> & co',
    unit: 'usd',
    parts: [
      { name: '"><img src=x>', value: 1 },
      { name: 'b', value: 2 },
    ],
  });
  expect(svg).not.toMatch(/<script|<img/u);
  expect(svg).toContain('&lt;script&gt;');
});

test('odd charts are drawn too: no series, no categories, one point, a moment beyond any calendar', () => {
  expect(draw({ kind: 'xy', title: 'none', series: [] })).toContain('<svg');
  expect(draw({ kind: 'xy', title: 'none', categories: [], series: [{ name: 'a', draw: 'bar', unit: 'count', points: [] }] })).toContain(
    '<svg',
  );
  expect(draw({ kind: 'xy', title: 'one', series: [{ name: 'a', draw: 'bar', unit: 'count', points: [[DAY, 3]] }] })).not.toContain('NaN');
  expect(
    draw({
      kind: 'xy',
      title: 'far',
      series: [
        {
          name: 'a',
          draw: 'line',
          unit: 'usd',
          points: [
            [0, 1],
            [9e15, 2],
          ],
        },
      ],
    }),
  ).not.toContain('NaN');
  const alone = {
    name: 'a',
    draw: 'line' as const,
    unit: 'usd' as const,
    points: [
      [0, 3],
      [DAY, 4],
    ] as [number, number][],
  };
  expect(draw({ kind: 'xy', title: 'below', series: [{ ...alone, axis: 'below' }] })).toContain('height="450"');
  expect(textsOf(draw({ kind: 'xy', title: 'right', series: [{ ...alone, axis: 'right' }] })).map(({ text }) => text)).toContain('$4.0');
  expect(draw({ kind: 'shares', title: 'nothing', unit: 'usd', parts: [{ name: 'debt', value: -1 }] })).toContain('no parts');
});
