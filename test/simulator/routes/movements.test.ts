import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { openBox } from '../box.js';

const PROJECTS = ['tide', 'heron', 'spindrift', 'cinder-quay'];

test('every movement has an account of the project on one side and, where it is classified, a counterparty or another account on the other', async () => {
  const box = await openBox();
  for (const slug of PROJECTS) {
    const accounts = (await box.get(`/v1/account?slug=${slug}`)).body.data.map(({ address }: { address: string }) => address);
    const known = new Map<string, number>();
    for (const { id, counterpartyAddresses } of (await box.get(`/v1/counterparty?slug=${slug}`)).body.data)
      for (const { address } of counterpartyAddresses) known.set(address, id);
    const { data, meta } = (await box.get(`/v1/movement?slug=${slug}&limit=100`)).body;
    expect(meta.totalItems).toBeGreaterThan(20);
    expect(new Set(data.map(({ id }: { id: number }) => id)).size).toBe(data.length);
    for (const one of data) {
      const own = [one.fromAddress, one.toAddress].map((address) => accounts.includes(address));
      expect(own).toEqual(one.direction === 'internal' ? [true, true] : [one.direction === 'outflow', one.direction === 'inflow']);
      const other = one.direction === 'inflow' ? one.fromAddress : one.toAddress;
      const party = one.direction === 'internal' || one.status !== 'classified' ? null : known.get(other);
      expect(one.counterpartyId).toBe(party);
    }
  }
});

test('a movement is the same in the list, by its number, in the simpler list and in the file', async () => {
  const box = await openBox();
  const { data } = (await box.get('/v1/movement?slug=tide&limit=100')).body;
  const [first] = data;
  expect((await box.get(`/v1/movement/${first.id}`)).body.data).toMatchObject(first);
  expect((await box.get(`/v1/movement/MOV-${first.id}`)).status).toBe(400);
  expect((await box.get('/v1/movement/123')).status).toBe(404);
  const simple = (await box.get('/v1/dao/movements?slug=tide&limit=1')).body;
  expect(simple.data[0]).toMatchObject({
    txHash: first.signature,
    source: { label: first.fromName },
    destination: { label: first.toName },
  });
  const answer = await box.get('/v1/movement/export/csv?slug=tide');
  expect(answer.headers.get('content-type')).toContain('text/csv');
  const records: readonly Readonly<Record<string, string>>[] = parse(answer.body, { columns: true });
  expect(records.length).toBe(simple.meta.totalItems);
  expect(records.slice(0, data.length)).toEqual(
    data.map((row: Record<string, string | number | null>) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? '')])),
    ),
  );
});

test('filters and categories name what occurs in the list', async () => {
  const box = await openBox();
  const { data } = (await box.get('/v1/movement?slug=tide&limit=100')).body;
  const categories = new Map<string, readonly string[]>(
    (await box.get('/v1/category?slug=tide')).body.data.map((one: { name: string; subcategories: { name: string }[] }) => [
      one.name,
      one.subcategories.map(({ name }) => name),
    ]),
  );
  for (const one of data.filter(({ category }: { category: string | null }) => category !== null))
    expect(categories.get(one.category)).toContain(one.subcategory);
  const values = (name: string) =>
    [...new Set(data.map((row: Record<string, string>) => row[name]))].map(String).toSorted((a, b) => a.localeCompare(b));
  expect((await box.get('/v1/movement/filters/entity?slug=tide')).body.data).toEqual(values('entityType'));
  expect((await box.get('/v1/movement/filters/token?slug=tide')).body.data.map(({ symbol }: { symbol: string }) => symbol)).toEqual(
    values('tokenSymbol'),
  );
  expect((await box.get('/v1/movement/filters/entity?slug=heron')).body.data).toEqual(['DAO']);
});

test('a plan without exports refuses the file with 403 and still answers the list, within its caps', async () => {
  const box = await openBox({ plan: { exports: false, maxRows: 10, maxPages: 3, refusesWith: 403 } });
  expect((await box.get('/v1/movement/export/csv?slug=tide')).status).toBe(403);
  expect((await box.get('/v1/movement?slug=tide')).body.data).toHaveLength(10);
  expect((await box.get('/v1/movement?slug=tide&limit=11')).status).toBe(403);
  expect((await box.get('/v1/movement?slug=tide&page=4')).status).toBe(403);
  const open = await openBox();
  await open.sim({ kind: 'plan', exports: false });
  expect((await open.get('/v1/movement/export/csv?slug=tide')).status).toBe(403);
});
