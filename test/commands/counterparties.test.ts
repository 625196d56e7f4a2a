import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

test('a counterparty is listed with its number and shown with every address', async () => {
  const { say, deadButtons } = await openAppHarness();
  const first = await say('/counterparties tide');
  expect(first.text).toContain('Tidewater: 11 counterparties, page 1 of 2\n');
  const button = first.reply.actions.find(({ label }) => label === 'Contributors');
  const { text, reply } = await say(button?.line ?? '');
  expect(text).toContain('Contributors: payroll, 3 addresses\nDeals with OpCo\n');
  expect(text.match(/ on solana/gu)).toHaveLength(3);
  expect([...(await deadButtons(first.reply)), ...(await deadButtons(reply))]).toEqual([]);
  const next = first.reply.actions.find(({ label }) => label === 'Next page');
  expect((await say(next?.line ?? '')).text).toContain('Tern Licences');
});

test("another project's counterparty is not shown under the project named", async () => {
  const { say } = await openAppHarness();
  const number = / #(\d+)/u.exec((await say('/counterparties tide')).text)?.[1] ?? '';
  expect((await say(`/counterparties heron counterparty:${number}`)).text).toMatch(/counterparty isn't Heron Flats's/u);
  expect((await say(`/counterparties tide counterparty:${number}`)).text).not.toContain('⚠');
});

test('the list is narrowed by words and by whose it is, and keeps that on the next page', async () => {
  const { say } = await openAppHarness();
  expect((await say('/counterparties tide find:router')).text).toContain('1 counterparty matching "router"');
  expect((await say('/counterparties tide OpCo')).text).toContain('3 counterparties (OpCo)');
  expect((await say('/counterparties heron entity:OpCo')).text).toContain('no counterparties (OpCo)');
  const many = Array.from({ length: 10 }, (_, id) => ({ id, name: `c${id}` }));
  const crafted = await openAppHarness({ answers: { '/v1/counterparty': { data: many, meta: { totalItems: 25 } } } });
  const { reply } = await crafted.say('/counterparties tide find:c entity:DAO');
  expect(reply.actions.find(({ label }) => label === 'Next page')?.line).toBe('/counterparties tide entity:DAO find:c page:2');
});

test('what is missing is n/a, and a wrong number is said to be unknown', async () => {
  const { say } = await openAppHarness({
    answers: { '/v1/counterparty': [{ id: 5 }, 7], '/v1/counterparty/5': { name: null, addresses: null } },
  });
  expect((await say('/counterparties tide')).text).toContain('counterparty 5 #5\n  kind n/a · 0 addresses\n⚠ 1 row');
  expect((await say('/counterparties #5')).text).toContain('Counterparty 5: kind n/a, 0 addresses');
  expect((await say('/counterparties #6')).text).toContain('Not found.');
  expect((await say('/counterparties')).text).toContain('Which counterparties?');
});
