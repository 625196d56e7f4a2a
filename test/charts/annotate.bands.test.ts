import { expect, test } from 'vitest';
import { bandsOf } from '../../src/charts/annotate.js';

test('the area between two lines is cut where they cross, and a gap stays a gap', () => {
  const first = {
    points: [
      [0, 1],
      [2, 3],
      [4, null],
      [6, 1],
      [8, 1],
    ] as const,
  };
  const second = {
    points: [
      [0, 2],
      [2, 2],
      [4, 2],
      [6, 2],
      [8, 2],
    ] as const,
  };
  expect(bandsOf(first, second)).toEqual([
    {
      side: 'down',
      rows: [
        [0, 1, 2],
        [1, 2, 2],
      ],
    },
    {
      side: 'up',
      rows: [
        [1, 2, 2],
        [2, 3, 2],
      ],
    },
    {
      side: 'down',
      rows: [
        [6, 1, 2],
        [8, 1, 2],
      ],
    },
  ]);
});

test('a stepped line holds its value until the next', () => {
  const [band] = bandsOf(
    {
      points: [
        [0, 5],
        [2, 5],
      ],
    },
    {
      points: [
        [0, 1],
        [2, 3],
      ],
      stepped: true,
    },
  );
  expect(band).toEqual({
    side: 'up',
    rows: [
      [0, 5, 1],
      [2, 5, 1],
      [2, 5, 3],
    ],
  });
});
