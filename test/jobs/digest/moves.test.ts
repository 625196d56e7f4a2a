import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, later } from '../../../src/base/clock.js';
import { decimal } from '../../../src/domain/scalars.js';
import { moveOf, topMoves, type BackedPoint, type MeasuredProject, type ProjectMove } from '../../../src/jobs/digest/moves.js';

const TO = instant(Date.UTC(2026, 10, 20, 9));
const SPAN = { from: later(TO, -DAY), to: TO };
const point = (hoursAgo: number, gap?: string, nav?: string): BackedPoint => ({
  at: later(TO, -hoursAgo * HOUR),
  gap: gap === undefined ? undefined : decimal(gap),
  nav: nav === undefined ? undefined : decimal(nav),
});
const project = (last: BackedPoint | undefined, ...past: readonly BackedPoint[]): MeasuredProject => ({
  ...{ slug: 'tide', name: 'TIDE', last, past, foundAt: TO },
});

describe('a move', () => {
  test('is the difference to the value nearest to the beginning', () => {
    expect(
      moveOf(project(point(0, '-17.2', '1010'), point(30, '0', '900'), point(23, '-11.1', '1000'), point(3, '5', '1')), SPAN),
    ).toMatchObject({
      ...{ gapBefore: '-11.1', gapChange: '-6.1', navChange: '1' },
    });
  });

  test('is unknown without a value of about then, and never zero', () => {
    expect(moveOf(project(point(0, '-17.2', '1010'), point(10, '-11.1', '1000')), SPAN)).toMatchObject({
      ...{ gap: '-17.2', gapBefore: undefined, gapChange: undefined, navChange: undefined },
    });
    expect(moveOf(project(point(0, undefined, '5'), point(24, '1', '4')), SPAN)).toMatchObject({
      gap: undefined,
      gapChange: undefined,
      navChange: '25',
    });
    expect(moveOf(project(undefined, point(24, '1', '4')), SPAN)).toBeUndefined();
  });

  test('of values that have not changed since before the period is none', () => {
    expect(moveOf(project(point(40, '-17.2', '1010')), SPAN)).toMatchObject({ gapChange: '0', navChange: '0' });
  });
});

const moved = (slug: string, gapChange?: number, navChange?: number): ProjectMove => ({
  ...{ slug, name: slug, foundAt: TO, gap: undefined, gapBefore: undefined, nav: undefined },
  gapChange: gapChange === undefined ? undefined : decimal(String(gapChange)),
  navChange: navChange === undefined ? undefined : decimal(String(navChange)),
});

test('the largest moves up and down are named once each, premiums first, and small ones not', () => {
  const all = [
    moved('a', 1, 9),
    moved('b', -7),
    moved('c', 3),
    moved('d', 2),
    moved('e', 0.6),
    moved('f', 0.4, 0.4),
    moved('g', undefined, -30),
    moved('h'),
  ];
  expect(topMoves(all).map(({ slug }) => slug)).toEqual(['b', 'c', 'd', 'a', 'g']);
  expect(topMoves([moved('f', 0.4, -0.4), moved('h')])).toEqual([]);
});
