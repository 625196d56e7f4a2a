import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR, later, MINUTE } from '../../src/base/clock.js';
import { lineText } from '../../src/chat/plain-text.js';
import { decimal, slug, type Decimal, type Instant } from '../../src/domain/scalars.js';
import { membershipOf, screenFilterSchema, screenKinds, screenTests, type ScreenMembership } from '../../src/domain/screen.js';
import { screens, type ScreenedProject, type ScreenWatermark } from '../../src/feeds/screens.js';
import { NOON, snapshotOf } from './reading.js';

const FILTER = 'premium<-20 runway>12';

interface Given {
  readonly premium?: string | undefined;
  readonly runway?: string | undefined;
  readonly at?: Instant;
}

const heron = ({ premium, runway, at = NOON }: Given): ScreenedProject => ({
  slug: slug('heron'),
  name: 'Heron Flats',
  symbol: 'HERN',
  values: {
    ...(premium === undefined ? {} : { premium: { value: decimal(premium), at } }),
    ...(runway === undefined ? {} : { runway: { value: decimal(runway), at: later(at, -2 * HOUR) } }),
  },
});

/** What each of these evaluations alerts of, one after the other. */
function alerted(filter: string, ...evaluations: readonly Given[]) {
  let before: ScreenWatermark | undefined;
  return evaluations.map((given, index) => {
    const at = later(NOON, index * MINUTE);
    const { watermark, events } = screens.spec.diff({ screen: filter }, before, snapshotOf([heron({ at, ...given })]));
    before = screens.spec.watermark.parse(JSON.parse(JSON.stringify(watermark)));
    return events.map(({ stage }) => stage).join();
  });
}

describe('a screen', () => {
  test('alerts when a project enters and when it leaves, and not where it begins', () => {
    const [inside, outside] = [
      { premium: '-21', runway: '14' },
      { premium: '-10', runway: '14' },
    ];
    expect(alerted(FILTER, inside, inside, outside, inside)).toEqual(['', '', 'left', 'entered']);
    expect(alerted(FILTER, outside, inside)).toEqual(['', 'entered']);
  });

  test('does not flap where a value wavers around its threshold', () => {
    const premiums = ['-21', '-19.9', '-20.1', '-18.1', '-18', '-19.9', '-20.1'];
    expect(alerted(FILTER, ...premiums.map((premium) => ({ premium, runway: '14' })))).toEqual(['', '', '', '', 'left', '', 'entered']);
  });

  test('keeps a project where it is while a value is not known, and does not let it begin either', () => {
    expect(alerted(FILTER, { premium: '-21' }, { premium: '-21', runway: '14' }, { runway: '14' }, { premium: '-21' })).toEqual([
      '',
      '',
      '',
      '',
    ]);
    expect(alerted(FILTER, { premium: '-10' }, { premium: '-21' }, { premium: '-21', runway: '13' })).toEqual(['', '', 'entered']);
    expect(alerted(FILTER, { premium: '-21', runway: '14' }, { runway: '5' }, {})).toEqual(['', 'left', '']);
  });

  test('has the same id for the same values, whenever they are evaluated', () => {
    const before: ScreenWatermark = { projects: { heron: 'out' } };
    const run = (late: number) =>
      screens.spec.diff({ screen: FILTER }, before, { ...snapshotOf([heron({ premium: '-21', runway: '14' })]), at: later(NOON, late) })
        .events;
    expect(run(0)).toEqual(run(HOUR));
    expect(run(0)).toMatchObject([{ project: 'heron', screen: FILTER, stage: 'entered' }]);
  });

  test('is read from checks of the kinds that it tests', () => {
    expect([FILTER, 'discount>20', 'treasury<1000000 allowance>5'].map(screenKinds)).toEqual([
      ['premium', 'treasury'],
      ['premium'],
      ['treasury'],
    ]);
    expect(
      ['premium<-20', 'cap<3', 'premium<=-20', 'premium<-20  runway>1', ''].map((text) => screenFilterSchema.safeParse(text).success),
    ).toEqual([true, false, false, false, false]);
  });
});

test('a discount is a premium of the other sign', () => {
  const value = fc.integer({ min: -900, max: 900 }).map((tenths): Decimal => decimal(tenths / 10));
  fc.assert(
    fc.property(value, value, fc.constantFrom<ScreenMembership | undefined>('in', 'out', undefined), (threshold, premium, before) => {
      const [discount, own] = [`discount>${threshold}`, `premium<${decimal(-Number(threshold))}`].map(screenTests);
      expect(membershipOf(discount ?? [], { premium }, before)).toBe(membershipOf(own ?? [], { premium }, before));
    }),
  );
});

test('an alert names the project, the screen and its values, and a value that was read much earlier with its time', () => {
  const [event] = screens.spec.diff(
    { screen: FILTER },
    { projects: { heron: 'out' } },
    snapshotOf([heron({ premium: '-21.3', runway: '14' })]),
  ).events;
  if (event === undefined) throw new Error('it alerts nothing');
  const { headline, details, tone } = screens.spec.content({ ...event, feed: 'screens', detectedAt: NOON }, {});
  expect([tone, lineText(headline, NOON)]).toEqual(['up', `Heron Flats entered your screen ${FILTER}: premium −21.3%, runway 14 months`]);
  expect(details.map((line) => lineText(line, NOON))).toEqual([expect.stringContaining('runway was read')]);
});
