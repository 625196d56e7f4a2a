import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/analytics/endpoints/index.js';
import { operations } from './operations.js';

const written = ENDPOINTS.map(({ spec, method, path }) => `${spec} ${method} ${path}`);

test('the interface has 101 operations, 99 that read and two that start a refresh', () => {
  expect(operations).toHaveLength(101);
  expect(new Set(operations).size).toBe(101);
  expect(operations.filter((one) => one.includes(' POST '))).toHaveLength(2);
});

test('every operation has a row that cites its section', () => {
  expect(operations.filter((one) => !written.includes(one))).toEqual([]);
});

test('no row is made up, and none stands there twice', () => {
  expect(written.filter((one) => !operations.includes(one))).toEqual([]);
  expect(new Set(written).size).toBe(written.length);
});

test('no two rows have one id', () => {
  expect(new Set(ENDPOINTS.map(({ id }) => id)).size).toBe(ENDPOINTS.length);
});

test('every placeholder of a path is an input of its row', () => {
  const loose = ENDPOINTS.flatMap(({ id, path, input }) =>
    [...path.matchAll(/\{(\w+)\}/gu)].filter(([, name]) => !(String(name) in input.shape)).map(([name]) => `${id} ${name}`),
  );
  expect(loose).toEqual([]);
});
