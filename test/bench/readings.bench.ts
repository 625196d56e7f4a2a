/**
 * What reading answers costs, the first time and again. Run with `npx vitest bench --run test/bench/readings.bench.ts`. The answers are
 * those of the simulated service, one of each operation; each round reads all of them, or one long one.
 */
import { afterAll, bench, describe } from 'vitest';
import { projects } from '../../src/analytics/endpoints/dashboard.js';
import { movements } from '../../src/analytics/endpoints/movements.js';
import { navAsChart } from '../../src/analytics/endpoints/treasury.js';
import { openEnvelope, readParsed } from '../../src/analytics/interpret-response.js';
import { ParsedAnswers } from '../../src/analytics/parse-cache.js';
import type { Row } from '../../src/analytics/endpoint-row.js';
import { ask, knownOf, needed, rows } from '../analytics/questions.js';
import { openBox } from '../simulator/box.js';

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});
const box = await openBox({ onClose: (close) => void closing.push(close) });
const known = await knownOf(box, 'tide');

const json = rows.filter(({ answers, method }) => answers !== 'csv' && method === 'GET');
const samples = await Promise.all(json.map(async (row) => ({ row, text: (await ask(box, row, await needed(box, row, known))).text })));

async function read(row: Row, text: string) {
  const opened = await openEnvelope(row, text);
  const found = opened.ok ? await readParsed(row, opened.value) : opened;
  if (!found.ok) throw new Error(`${row.id}: ${found.because}`);
  return found;
}

describe('an answer read once', () => {
  bench('one of each operation', async () => {
    for (const { row, text } of samples) await read(row, text);
  });
  const long: readonly [string, Row, Record<string, string>][] = [
    ['a hundred projects', projects, { limit: '100' }],
    ['a hundred movements', movements, { slug: 'tide', limit: '100' }],
    ['all points of NAV per token', navAsChart, { slug: 'tide', range: 'ALL' }],
  ];
  for (const [name, row, input] of long) {
    const text = ask(box, row, input);
    bench(name, async () => void (await read(row, (await text).text)));
  }
});

describe('an answer read again', () => {
  const answers = new ParsedAnswers();
  bench('one of each operation', async () => {
    for (const { row, text } of samples) await answers.of({ key: row.id, schema: row.data, body: text }, async () => read(row, text));
  });
});
