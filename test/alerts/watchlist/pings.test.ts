import { expect, test } from 'vitest';
import { pingedBy, withoutPing } from '../../../src/alerts/watchlist/pings.js';
import type { Crossing } from '../../../src/domain/crossing.js';
import { instant } from '../../../src/base/clock.js';
import { decimal } from '../../../src/domain/scalars.js';

const PINGS = { proposals: '1', launches: '2', discounts: '3' };
const at = instant(0);
const point = (value: string) => ({ at, value: decimal(value) });
const crossing = (side: Crossing['side'], value: string, more: Partial<Crossing> = {}): Crossing => ({
  rule: { when: 'below', measure: 'premium', threshold: decimal('-5'), hysteresis: decimal('1') },
  ...{ side, now: point(value), was: point('0'), since: point('0') },
  ...more,
});
const roles = (feed: string, crossings?: readonly Crossing[]) => pingedBy({ feed }, { crossings, pings: PINGS }).map(({ id }) => id);

test('proposals and launches ping those who chose them, and other kinds ping nobody', () => {
  expect([roles('proposals'), roles('launches'), roles('supply'), roles('premium')]).toEqual([['1'], ['2'], [], []]);
  expect(pingedBy({ feed: 'proposals' }, {})).toEqual([]);
});

test('a discount is deep from 10% below NAV on; a premium, a smaller one and an alert that is over are none', () => {
  expect(roles('premium', [crossing('low', '-10')])).toEqual(['3']);
  expect(roles('premium', [crossing('low', '-9.99')])).toEqual([]);
  expect(roles('premium', [crossing('high', '-12')])).toEqual([]);
  expect(roles('premium', [crossing('low', '-11', { furthest: point('-15') })])).toEqual([]);
});

test('without its last role a chat has no ping roles', () => {
  expect(withoutPing({ proposals: '1', launches: '2' }, '1')).toEqual({ launches: '2' });
  expect(withoutPing({ launches: '2' }, '2')).toBeUndefined();
});
