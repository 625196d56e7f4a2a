import fc from 'fast-check';
import { LosslessNumber, stringify } from 'lossless-json';
import { expect, test } from 'vitest';
import { jsonOf } from '../../src/simulator/service.js';

test('a number keeps every digit it was given, wherever it stands', () => {
  const number = new LosslessNumber('1234567890.12345678901234567890');
  expect(jsonOf({ data: [{ plain: 1.5, exact: number, none: undefined }] })).toBe(
    '{"data":[{"plain":1.5,"exact":1234567890.12345678901234567890}]}',
  );
  expect(jsonOf([[number]])).toBe('[[1234567890.12345678901234567890]]');
  expect(jsonOf({ count: 10n })).toBe('{"count":10}');
});

test('a plain answer reads the same with either writer', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      expect(jsonOf({ body })).toBe(stringify({ body }));
    }),
  );
  const odd = { none: undefined, list: [undefined, null, Number.NaN, -0], when: new Date(0), text: '\u2028"\\' };
  expect(jsonOf(odd)).toBe(stringify(odd));
});

test('an answer without any value is null', () => {
  expect(jsonOf(undefined)).toBe('null');
});
