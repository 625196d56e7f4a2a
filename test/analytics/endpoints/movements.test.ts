/** Movements, whose layout is not shown: whatever way they are alerted, the same is read; a prefix is never sent. */
import { expect, test } from 'vitest';
import { ZodError } from 'zod';
import {
  daoMovements,
  movementCategories,
  movementDetail,
  movementEntities,
  movements,
  movementTokens,
} from '../../../src/analytics/endpoints/movements.js';
import { answerWith, connect, serve, tide } from '../../support/service.js';

const serviceWith = async (data: unknown, meta?: unknown) => {
  const service = await serve((asked) => answerWith(asked, data, meta));
  return { ...(await connect(service.url)), service };
};

test('MOV- is no part of a number: it is never sent, and read away where the service sends it', async () => {
  const { analytics, service } = await serviceWith({ id: 'MOV-123', amount: '5' });
  for (const id of ['MOV-123', 'mov-123', ' 123 ', 123]) expect((await analytics.call(movementDetail, { id })).data.id).toBe('123');
  expect(new Set(service.asked.map(({ path }) => path))).toEqual(new Set(['/v1/movement/123']));
  for (const id of ['MOV-', 'MOV-12a', 'MOV-MOV-1', '../1', ''])
    await expect(analytics.call(movementDetail, { id })).rejects.toBeInstanceOf(ZodError);
});

test('parties, class and token are read from flat and from nested rows alike', async () => {
  const expected = {
    id: '9',
    from: { name: 'Main', address: undefined },
    to: { name: 'Router' },
    counterparty: { name: 'Router' },
    category: 'Expenses',
    subcategory: 'Payroll',
    symbol: 'USDC',
    amount: '5.5',
    value: '5.5',
  };
  for (const row of [
    {
      id: 9,
      timestamp: '2026-11-20T10:00:00Z',
      fromName: 'Main',
      toName: 'Router',
      counterpartyName: 'Router',
      category: 'Expenses',
      subcategory: 'Payroll',
      tokenSymbol: 'USDC',
      amount: '5.5',
      usdValue: 5.5,
    },
    {
      id: '9',
      date: 1763632800,
      fromAccount: { name: 'Main', id: 1 },
      toWallet: { label: 'Router' },
      counterparty: { id: 4, name: 'Router', type: 'routing' },
      category: { id: 1, name: 'Expenses' },
      subCategory: { name: 'Payroll' },
      token: { symbol: 'USDC', address: 'usd' },
      amount: 5.5,
      value: '5.5',
    },
  ]) {
    const { analytics } = await serviceWith([row, { amount: '1' }, null]);
    const { rows, broken } = (await analytics.call(movements, tide)).data;
    expect(rows).toMatchObject([expected]);
    expect(rows[0]?.at).toBeDefined();
    expect(broken).toBe(2);
  }
});

test('a movement nobody classified has no class and no counterparty, and is read all the same', async () => {
  const { analytics } = await serviceWith([{ id: 1, category: null, subcategory: null, counterparty: null, status: 'unclassified' }]);
  expect((await analytics.call(movements, tide)).data.rows[0]).toMatchObject({
    id: '1',
    category: undefined,
    counterparty: undefined,
    status: 'unclassified',
  });
});

test('filters and categories come as words or as objects', async () => {
  expect((await (await serviceWith(['DAO', 'OpCo', null])).analytics.call(movementEntities, tide)).data).toEqual({
    rows: ['DAO', 'OpCo'],
    broken: 1,
  });
  expect(
    (await (await serviceWith(['USDC', { symbol: 'SOL' }])).analytics.call(movementTokens, tide)).data.rows.map(({ symbol }) => symbol),
  ).toEqual(['USDC', 'SOL']);
  const categories = await serviceWith([{ name: 'Expenses', subcategories: ['Payroll', { name: 'Audit' }, 7] }, 'Revenue']);
  expect((await categories.analytics.call(movementCategories, tide)).data.rows).toEqual([
    { name: 'Expenses', subcategories: ['Payroll', 'Audit'] },
    { name: 'Revenue', subcategories: [] },
  ]);
});

test('the simpler list needs no numbers', async () => {
  const { analytics } = await serviceWith([{ source: { label: 'Main' }, destination: 'Router', amount: '5', timestamp: 1763632800 }]);
  expect((await analytics.call(daoMovements, tide)).data).toMatchObject({
    broken: 0,
    rows: [{ from: { name: 'Main' }, to: { name: 'Router' }, amount: '5' }],
  });
});
