import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spread } from '../../src/charts/panels.js';

test('words at the ends of lines are moved apart and keep their order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 6 }), (heights) => {
      const apart = spread(heights, { room: 27, top: 0, bottom: 300 });
      const order = apart.toSorted((a, b) => a - b);
      expect(order.every((height, index) => index === 0 || height - (order[index - 1] ?? 0) >= 27 - 1e-9)).toBe(true);
      expect(apart.every((height) => height >= 0 && height <= 300)).toBe(true);
    }),
  );
});
