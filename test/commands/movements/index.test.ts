import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { labelledParties } from '../../../src/analytics/endpoints/movements.js';
import { openAppHarness } from '../../support/app-harness.js';

test('the list tells which way money went, and a movement is found by its number with and without MOV-', async () => {
  const { say, deadButtons } = await openAppHarness();
  const { text, reply } = await say('/movements tide');
  expect(text).toMatch(/^Tidewater: \d+ movements, page 1 of \d+\n/u);
  expect(text).toMatch(/▼ .+ USDC \(\$.+\) Operations wallet → .+\n {2}.+ · MOV-\d+ · Expenses \/ /u);
  expect(await deadButtons(reply)).toEqual([]);
  const number = /MOV-(\d+)/u.exec(text)?.[1] ?? '';
  const alerted = await Promise.all(
    [`/movements MOV-${number}`, `/movements mov-${number}`, `/movements ${number}`].map(async (line) => (await say(line)).text),
  );
  expect(alerted[0]).toMatch(new RegExp(`^MOV-${number}: .+ USDC \\(\\$.+\\) .+ → `, 'u'));
  expect(new Set(alerted).size).toBe(1);
  const own = await say(`/movements tide ${number}`);
  expect(own.reply.actions.map(({ label }) => label)).toContain('All movements');
  expect(await deadButtons(own.reply)).toEqual([]);
  expect((await say('/movements MOV-12')).text).toContain('Not found.');
  expect((await say('/movements')).text).toContain('Which movements?');
});

test("another project's movement is not shown under the project named", async () => {
  const { say } = await openAppHarness();
  const number = /MOV-(\d+)/u.exec((await say('/movements tide')).text)?.[1] ?? '';
  expect((await say(`/movements heron movement:${number}`)).text).toMatch(/movement isn't Heron Flats's/u);
  // A list that does not answer proves nothing.
  const alone = await openAppHarness({ answers: { '/v1/movement/7': { id: 7, tokenSymbol: 'USDC', amount: '5' } } });
  const { text, reply } = await alone.say('/movements heron movement:7');
  expect(text).toMatch(/⚠ .+Heron Flats/u);
  expect(reply.actions.map(({ label }) => label)).not.toContain('All movements');
});

test('pages follow one another without losing what narrows them', async () => {
  const { say } = await openAppHarness();
  const first = await say('/movements tide category:Revenue');
  const next = first.reply.actions.find(({ label }) => label === 'Next page')?.line ?? '';
  expect(next).toBe('/movements tide list category:Revenue page:2');
  const second = await say(next);
  expect(second.text).toMatch(/^Tidewater: \d+ movements \("Revenue"\), page 2 of \d+\n/u);
  for (const { text } of [first, second]) {
    expect(text).toContain('▲');
    expect(text).not.toContain('▼');
  }
  expect((await say('/movements tide find:"brackish & sons"')).text).toMatch(/^Tidewater: \d+ movements? \(matching "brackish & sons"\)/u);
  expect((await say('/movements tide token:DOGE')).text).toContain('Tidewater: no movements (DOGE)');
  expect((await say('/movements tide entity:OpCo')).text).toMatch(/^Tidewater: \d+ movements \(OpCo\)/u);
});

test('what the plan hides from a search is said', async () => {
  const { say } = await openAppHarness({ plan: { maxRows: 10, maxPages: 3, refusesWith: 403 } });
  const { text } = await say('/movements tide find:operations');
  expect(text).toMatch(/⚠ .+ 14\d movements /u);
});

test('the file holds every movement, and nothing in it runs', async () => {
  const { say } = await openAppHarness();
  const { reply, text } = await say('/movements tide csv');
  const [file] = reply.files;
  const records: readonly Readonly<Record<string, string>>[] = parse(file?.text ?? '', { columns: true });
  expect(file).toMatchObject({ name: 'tide-movements.csv', type: 'text/csv' });
  expect(text).toMatch(new RegExp(`^Tidewater: ${records.length} movements .+\n${records.length} records `, 'u'));
  // The simulated books hold a formula and a name that begins with @.
  expect(records.some(({ notes }) => notes?.startsWith("'=HYPERLINK"))).toBe(true);
  expect(records.some(({ counterpartyName }) => counterpartyName === "'@deepdesk")).toBe(true);
  for (const cell of records.flatMap((record) => Object.values(record))) expect(cell).not.toMatch(/^[=+@\t\r-]/u);
});

test('the file holds every movement even where a filter was named, and says so', async () => {
  const { say } = await openAppHarness();
  expect((await say('/movements tide csv')).text).not.toContain('⚠');
  for (const [option, words] of [
    ['find:audit', 'matching "audit"'],
    ['category:Payroll', '"Payroll"'],
    ['entity:OpCo', 'OpCo'],
  ] as const)
    expect((await say(`/movements tide ${option} csv`)).text).toContain(`(${words})`);
});

test('a plan without exports is said to be one, to the asker alone, and nothing old is sent in its place', async () => {
  const { say, sim, clock } = await openAppHarness();
  expect((await say('/movements tide csv')).reply.files).toHaveLength(1);
  await sim({ kind: 'plan', exports: false });
  await clock.advance(600_000);
  const { reply, text } = await say('/movements tide csv');
  expect(text).toMatch(/^⚠ CSV exports/u);
  expect(reply).toMatchObject({ audience: 'asker', files: [] });
});

test('the filters say what occurs, and each leads to it', async () => {
  const { say, deadButtons } = await openAppHarness();
  const { text, reply } = await say('/movements tide filters');
  expect(text).toMatch(/3 categories, 1 token\nEntities DAO, OpCo · tokens USDC\n/u);
  expect(await deadButtons(reply)).toEqual([]);
  for (const label of ['Internal transfer', 'OpCo']) {
    const to = reply.actions.find((one) => one.label === label)?.line ?? '';
    expect((await say(to)).text).toMatch(/^Tidewater: \d+ movements /u);
  }
  const part = await openAppHarness({ answers: { '/v1/category': [{ name: 'Expenses' }] } });
  expect((await part.say('/movements tide filters')).text).toContain('1 category, n/a: no data');
});

test('every view of the simulated service answers, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const view of ['list', 'labeled', 'filters', 'csv'])
    for (const slug of ['tide', 'lark-hollow', 'cinder-quay', 'spindrift']) {
      const { reply, text } = await say(`/movements ${slug} ${view}`);
      expect([slug, view, reply.tone, await deadButtons(reply)]).toEqual([slug, view, 'plain', []]);
      expect(text).toContain('Updated 12:00 UTC');
      expect(text).not.toMatch(/undefined|NaN|\[object/u);
    }
});

test('a party without a name has the label of the chat, and one with a name keeps it', () => {
  const labels = new Map([
    ['A', 'fund-1'],
    ['B', 'fund-2'],
  ]);
  const party = { id: undefined, name: undefined, type: undefined };
  const one = { from: { ...party, address: 'A' }, to: { ...party, address: 'B', name: 'Cold vault' } };
  expect(labelledParties(one, labels)).toMatchObject({ from: { name: 'fund-1' }, to: { name: 'Cold vault' } });
});
