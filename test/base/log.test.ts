import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog, silentLog } from '../../src/base/log.js';
import { redactor } from '../../src/base/redact.js';

function open(level: 'debug' | 'warn' | 'silent', secret = 'a-secret-thing') {
  const to = new PassThrough();
  const log = createLog({ level, redact: redactor([secret]), to });
  const lines = (): readonly Record<string, unknown>[] =>
    String(to.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log, lines };
}

test('a line is one JSON object with the event, its fields and its level', () => {
  const { log, lines } = open('debug');
  log.warn('check.failed', { check: 'supply/tide', problem: 'timeout' });
  expect(lines()).toEqual([expect.objectContaining({ level: 40, event: 'check.failed', check: 'supply/tide', problem: 'timeout' })]);
});

test("a field cannot take the place of the event's name", () => {
  const { log, lines } = open('debug');
  log.error('delivery.event-missing', { event: 'supply/tide/1' });
  expect(lines()).toEqual([expect.objectContaining({ event: 'delivery.event-missing' })]);
});

test('secrets do not reach the line, in an error neither', () => {
  const { log, lines } = open('debug');
  log.error('x', { cause: new Error('with a-secret-thing', { cause: { key: 'a-secret-thing' } }), amount: 5n });
  expect(JSON.stringify(lines())).toContain('[redacted]');
  expect(JSON.stringify(lines())).not.toContain('a-secret-thing');
});

test('what is below the level is not written', () => {
  const { log, lines } = open('warn');
  log.info('a');
  log.debug('b');
  log.warn('c');
  expect(lines().map(({ event }) => event)).toEqual(['c']);
  expect(open('silent').lines()).toEqual([]);
});

test('the silent log takes everything and says nothing', () => {
  expect(() => silentLog.error('x', { y: 1 })).not.toThrow();
});
