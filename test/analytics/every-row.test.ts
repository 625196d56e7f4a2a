/** The contract that every row of the table keeps with the simulated service: a new row is covered by standing there. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ListRow, Row } from '../../src/analytics/endpoint-row.js';
import { KEY, openBox } from '../simulator/box.js';
import { ask, dataOf, knownOf, listed, needed, rows, written } from './questions.js';
import { connect } from '../support/service.js';

const isPaged = (row: Row & { readonly paged?: boolean }): row is ListRow => row.paged === true;

describe.each(['kestrel-yard', 'lark-hollow'])('asked about %s', (project) => {
  test('every row takes its question and reads its answer whole', async () => {
    const box = await openBox();
    const known = await knownOf(box, project);
    const { analytics } = await connect(box.url, { apiKey: KEY });
    for (const row of rows) {
      const answer = await analytics.call(row, await needed(box, row, known));
      expect([row.id, listed(answer.data)?.broken ?? 0]).toEqual([row.id, 0]);
    }
  });
});

/** How many rows a list has: as it counts them, or, where it counts none, as one large page shows. */
async function sizeOf(text: string): Promise<number> {
  const body = z.object({ data: z.unknown(), meta: z.object({ totalItems: z.int() }).optional() }).parse(JSON.parse(text));
  return body.meta?.totalItems ?? z.array(z.unknown()).parse(body.data).length;
}

test('every paged list is walked to its end once, and meets every row once', async () => {
  const box = await openBox();
  const known = await knownOf(box, 'thistle-down');
  const paged = rows.filter(isPaged);
  expect(paged.length).toBeGreaterThan(15);
  for (const row of paged) {
    const input = await needed(box, row, known);
    const first = await ask(box, row, { ...input, limit: '100' });
    const [total, counts] = [await sizeOf(first.text), first.text.includes('"totalItems"')];
    const size = Math.min(100, Math.max(1, Math.ceil(total / 4)));
    const { analytics } = await connect(box.url, { apiKey: KEY, maxRows: size });
    const walk = await analytics.walk(row, input, written);
    expect([row.id, walk.rows.length, walk.complete, walk.broken, walk.hidden]).toEqual([row.id, total, true, 0, 0]);
    expect([row.id, new Set(walk.rows.map(written)).size]).toEqual([row.id, total]);
    // Where nothing is counted, only an empty page says that the one before was the last.
    const pages = Math.max(1, Math.ceil(total / size));
    const calls = analytics.state().budget.used;
    expect([row.id, calls === pages || (!counts && calls === pages + 1)]).toEqual([row.id, true]);
    const behind = await analytics.call<z.ZodObject, unknown>(row, { ...input, limit: size, page: pages + 1 });
    expect([row.id, listed(behind.data)?.rows]).toEqual([row.id, []]);
  }
});

/** Where any text is a good question: by the name of the field, or with the row before it. */
const ANYTHING: ReadonlySet<string> = new Set([
  ...['search', 'q'],
  // Words that a list is filtered by: nothing is called so, and the list is empty.
  ...['type', 'entityType', 'wallets.overview slug', 'wallets.markets slug'],
  // By what these trades can be sorted is not shown (§4.3).
  'wallets.proposal-trades sort',
  // The canonical page is null for every project today, known or not (§4.9).
  'project.url project',
]);
const NONSENSE = ['', 'no such thing', '-1', '🦀', '../..'];

test('what must be said is missed, and what is nonsense is refused: by the client, or with a 4xx', async () => {
  const box = await openBox();
  const known = await knownOf(box, 'tide');
  const taken: unknown[] = [];
  let asked = 0;
  for (const row of rows) {
    const good = await needed(box, row, known);
    for (const name of Object.keys(good)) {
      const { [name]: _, ...without } = good;
      expect([row.id, name, row.input.safeParse(without).success]).toEqual([row.id, name, false]);
    }
    for (const name of Object.keys(row.input.shape)) {
      if (ANYTHING.has(name) || ANYTHING.has(`${row.id} ${name}`)) continue;
      for (const nonsense of NONSENSE) {
        const input = { ...good, [name]: nonsense };
        if (!row.input.safeParse(input).success) continue;
        asked += 1;
        const { status } = await ask(box, row, input);
        if (status < 400 || status >= 500) taken.push([row.id, name, nonsense, status]);
      }
    }
  }
  expect(taken).toEqual([]);
  expect(asked).toBeGreaterThan(100);
});

test('a page beyond what the plan gives, and a file it does not give, are refused', async () => {
  const box = await openBox({ plan: { maxRows: 10, maxPages: 2, refusesWith: 403, exports: false } });
  const known = await knownOf(await openBox(), 'tide');
  for (const row of rows.filter(({ answers }) => answers === 'csv'))
    expect([row.id, (await ask(box, row, await needed(box, row, known))).status]).toEqual([row.id, 403]);
  for (const row of rows.filter(isPaged)) {
    const input = await needed(box, row, known);
    for (const [beyond, status] of [
      [{ limit: '11' }, 403],
      [{ page: '3' }, 403],
      [{ limit: '10', page: '2' }, 200],
    ] as const)
      expect([row.id, beyond, (await ask(box, row, { ...input, ...beyond })).status]).toEqual([row.id, beyond, status]);
  }
});

test('a file carries its list, row for row', async () => {
  const box = await openBox();
  const known = await knownOf(box, 'tide');
  const files = rows.filter(({ answers }) => answers === 'csv');
  expect(files.length).toBe(4);
  for (const row of files) {
    const { status, text } = await ask(box, row, await needed(box, row, known));
    expect([row.id, status]).toEqual([row.id, 200]);
    expect([row.id, row.data.safeParse(dataOf(row, text)).success]).toEqual([row.id, true]);
    expect(text.split('\n').length).toBeGreaterThan(2);
  }
});
