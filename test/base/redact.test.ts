import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactor, crashText } from '../../src/base/redact.js';

const SECRET = 'k3y/with "odd" & signs+';
const redact = redactor([SECRET, undefined, 'tiny']);
const shown = (value: unknown): string => JSON.stringify(redact(value));

test('a secret is replaced wherever it stands in a structure, keys included', () => {
  expect(redact({ a: [`x ${SECRET} y`, { deep: { [SECRET]: SECRET } }] })).toEqual({
    a: ['x [redacted] y', { deep: { '[redacted]': '[redacted]' } }],
  });
});

test.each([
  ['as an address carries it', encodeURIComponent(SECRET)],
  ['as a form carries it', new URLSearchParams({ key: SECRET }).toString()],
  ['as JSON carries it', JSON.stringify({ key: SECRET })],
])('a secret is replaced %s', (_, text) => {
  expect(redact(text)).toContain('[redacted]');
  expect(redact(text)).not.toMatch(/odd/);
});

test('a word that only looks like a short secret is left alone', () => {
  expect(redact('a tiny word')).toBe('a tiny word');
});

describe('errors', () => {
  test('are cleaned in message, stack, name, cause and own fields', () => {
    const cause = Object.assign(new Error(`refused for ${SECRET}`), { options: { headers: { 'x-api-key': SECRET } } });
    const error = new Error(`failed with ${SECRET}`, { cause });
    error.name = `Error(${SECRET})`;
    const text = shown({ error });
    expect(text).not.toContain('odd');
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(6);
    expect(text).toContain('x-api-key');
  });
  test('that hold several errors show them all, cleaned', () => {
    const text = shown(new AggregateError([new Error('first'), new Error(SECRET)], 'both'));
    expect(text).toContain('first');
    expect(text).not.toContain('odd');
  });
  test('that are their own cause end', () => {
    const error = new Error('round');
    error.cause = error;
    expect(shown(error)).toContain('[circular]');
  });
});

test('a circle ends, and a value that merely stands twice is shown twice', () => {
  const twice = { n: 1 };
  const round: Record<string, unknown> = { a: twice, b: twice };
  round['self'] = round;
  expect(redact(round)).toEqual({ a: { n: 1 }, b: { n: 1 }, self: '[circular]' });
});

test('what has a shape of its own cannot carry a secret past', () => {
  const text = shown({
    url: new URL(`https://host/${encodeURIComponent(SECRET)}`),
    map: new Map([[SECRET, SECRET]]),
    set: new Set([SECRET]),
    bytes: Buffer.from(SECRET),
    toJSON: () => SECRET,
  });
  expect(text).not.toMatch(/odd/);
  expect(text).toContain('bytes]');
});

test('a getter is not called, so one that throws costs nothing', () => {
  const odd = Object.defineProperty({ fine: 1 }, 'bad', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  expect(redact(odd)).toEqual({ fine: 1, bad: '[getter]' });
});

test('an endless structure is cut', () => {
  const deep = Array.from({ length: 10_000 }).reduce<unknown>((inner) => ({ inner }), SECRET);
  expect(shown(deep)).toContain('[deeper]');
});

test('nothing but secrets is changed in plain data', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(JSON.stringify(redact(value))).toBe(JSON.stringify(value));
    }),
  );
});

test('a signing secret of a webhook is replaced though nobody named it', () => {
  const secret = `whsec_${Buffer.from('planted, 24 bytes or more').toString('base64')}`;
  expect(JSON.stringify(redactor([])({ error: new Error(`refused ${secret}`), deep: [`a ${secret} b`] }))).not.toContain(secret.slice(6));
});

test.each([
  [
    'in base64, wherever it stands in what was encoded',
    ['', 'a', 'ab', 'user:'].map((before) => Buffer.from(`${before}${SECRET}|rest`).toString('base64')),
  ],
  ['in the alphabet for addresses', ['', 'a', 'ab'].map((before) => Buffer.from(`${before}${SECRET}`).toString('base64url'))],
  ['in hex', [Buffer.from(SECRET).toString('hex')]],
  ['with small letters in its escapes', [encodeURIComponent(SECRET).replaceAll(/%\w\w/gu, (escape) => escape.toLowerCase())]],
])('a secret is replaced %s', (_, texts) => {
  const forms = (text: string): readonly string[] => [
    text,
    Buffer.from(text, 'base64').toString(),
    Buffer.from(text, 'hex').toString(),
    decodeURIComponent(text),
  ];
  for (const text of texts) {
    expect(forms(text).some((form) => form.includes('odd'))).toBe(true);
    const left = redact(`Basic ${text}, end`).replaceAll('[redacted]', '');
    expect(
      left
        .split(/[ ,]/u)
        .flatMap(forms)
        .filter((form) => form.includes('odd')),
    ).toEqual([]);
  }
});

test('what broke is shown with its place and causes, and without a secret in messages, stacks, fields and headers', () => {
  const cause = Object.assign(new Error(`refused ${SECRET}`), {
    request: { url: `https://x.example/bot${encodeURIComponent(SECRET)}/send` },
  });
  const error = Object.assign(new TypeError(`no ${SECRET}`, { cause }), { headers: { authorization: `Basic ${btoa(`u:${SECRET}`)}` } });
  const text = crashText(error, redactor([SECRET]));
  expect(text).toContain('TypeError: no [redacted]');
  expect(text).toContain('redact.test.ts');
  expect(text).toContain('[cause]');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(btoa(`u:${SECRET}`).slice(4, 24));
});
