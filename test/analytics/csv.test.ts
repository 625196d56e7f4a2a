import { expect, test } from 'vitest';
import { csv } from '../../src/analytics/csv.js';
import { bySlug } from '../../src/analytics/endpoint-row.js';
import { stepwise } from '../../src/analytics/untrusted-json.js';
import { caught, connect, reply, serve, tide } from '../support/service.js';

const MINUTE = 60_000;
const exported = csv({ id: 'test.export', path: '/v1/export/csv', spec: '§4.10', input: bySlug, freshFor: MINUTE });
const type = { 'content-type': 'text/csv' };

test('a file is read whole, asked for as one, and kept like any other answer', async () => {
  const service = await serve((asked) => reply(asked, '\ufeffid,note\r\n1,"a, ""b"""\r\n\r\n2,"two\nlines",odd\n3\n', { headers: type }));
  const { analytics } = await connect(service.url);
  const { data } = await analytics.call(exported, tide);
  expect(data).toEqual({
    columns: ['id', 'note'],
    records: [
      ['1', 'a, "b"'],
      ['2', 'two\nlines'],
      ['3', ''],
    ],
  });
  expect((await analytics.call(exported, tide)).data).toEqual(data);
  expect(service.asked.map(({ headers }) => headers.accept)).toEqual(['text/csv']);
});

test('a file without records is an empty table; a page, a JSON error and an open quote are no files', async () => {
  const bodies = ['id,note\n', '', '<html>soon</html>', '{"error":{}}', 'a,"b'];
  const service = await serve((asked) => reply(asked, bodies[asked.number - 1] ?? '', { headers: type }));
  const { analytics } = await connect(service.url);
  expect((await analytics.call(exported, { slug: 'a' })).data).toEqual({ columns: ['id', 'note'], records: [] });
  expect((await analytics.call(exported, { slug: 'b' })).data).toEqual({ columns: [], records: [] });
  for (const slug of ['c', 'd', 'e']) expect(await caught(analytics.call(exported, { slug }))).toMatchObject({ trouble: 'malformed' });
});

test('a plan without exports is a verdict of its own, with no older copy in its place', async () => {
  const service = await serve((asked) =>
    asked.number === 1 ? reply(asked, 'id\n1\n', { headers: type }) : reply(asked, '{}', { status: 403 }),
  );
  const { analytics, clock } = await connect(service.url);
  await analytics.call(exported, tide);
  await clock.advance(2 * MINUTE);
  expect(await caught(analytics.call(exported, tide))).toMatchObject({ trouble: 'forbidden' });
});

test.each([
  ['a quote that is never closed', `a,b\n"${'x,y\n'.repeat(300_000)}`, undefined],
  ['a long file', `a,b\n${'1,"x"\n'.repeat(20_000)}`, 20_000],
])('%s is read in steps that each go through little', (_, text, records) => {
  const steps = stepwise.get(exported.data)?.steps(text);
  let count = 1;
  let step = steps?.next();
  for (; step?.done === false; step = steps?.next()) count += 1;
  expect(step?.value?.records.length).toBe(records);
  // An open quote is given up after a few steps, each twice as long as the one before; what is well-formed goes in equal ones.
  expect(count).toBeGreaterThanOrEqual(records === undefined ? 3 : text.length / 10_000);
});
