import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { instant } from '../../src/base/clock.js';
import { asStored, openMarks, withNews, type MarkDocument } from '../../src/jobs/watermarks.js';
import { openStore } from '../../src/store/open.js';
import { burn } from '../alerts/harness.js';

const NOW = instant(Date.UTC(2026, 10, 20, 12));
const event = (amount: number) => burn(amount, NOW);
const ids = ({ news }: MarkDocument): readonly string[] => news.map(({ id }) => id);

test('the first mark of a subject holds the news of its look, in the order it was found', () => {
  const document = withNews(undefined, { source: 'here', mark: { told: [1] }, events: [event(2), event(1)] });
  expect(document).toEqual({ source: 'here', mark: { told: [1] }, news: [event(2), event(1)] });
});

test('new news stands behind what a crash left, with the new mark and the new service in place of the old', () => {
  const before: MarkDocument = { source: 'there', mark: { told: [1] }, news: [event(1)] };
  const after = withNews(before, { source: 'here', mark: { told: [1, 2] }, events: [event(2)] });
  expect(after).toEqual({ source: 'here', mark: { told: [1, 2] }, news: [event(1), event(2)] });
});

test('what waits already is not put there again, and stays as it was first seen', () => {
  const first = event(1);
  const again = { ...first, seenAt: instant(NOW + 1) };
  const { news } = withNews({ source: 'here', mark: 1, news: [first] }, { source: 'here', mark: 2, events: [event(2), again] });
  expect(news).toEqual([first, event(2)]);
});

test('no event is lost or doubled, however the waiting and the new repeat and overlap', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 12 }));
  fc.assert(
    fc.property(amounts, amounts, (waiting, fresh) => {
      const before: MarkDocument = { source: 'here', mark: 0, news: [...new Set(waiting)].map(event) };
      const after = withNews(before, { source: 'here', mark: 1, events: fresh.map(event) });
      expect(ids(after)).toEqual([...new Set([...waiting, ...fresh])].map((amount) => event(amount).id));
    }),
  );
});

test('a mark that comes back from the store equals itself as stored, absent fields and all', async () => {
  const marks = openMarks(await openStore('memory://'));
  const document: MarkDocument = {
    source: 'here',
    mark: { seen: ['1', '2'], floor: undefined, deep: { none: undefined, nothing: null } },
    news: [burn(1, NOW, { project: undefined, occurredAt: undefined, facts: { name: 'Tidewater', symbol: undefined, of: [{ x: 1 }] } })],
  };
  await marks.set('supply/tide', document);
  expect(isDeepStrictEqual(asStored(document), await marks.get('supply/tide'))).toBe(true);
  expect(isDeepStrictEqual(asStored({ ...document, mark: { seen: ['1'] } }), await marks.get('supply/tide'))).toBe(false);
});

test('a mark that cannot be read is refused and listed as such, never taken for absent', async () => {
  const store = await openStore('memory://');
  const raw = store.collection({ prefix: 'mark', schema: z.unknown(), version: 1 });
  await raw.set('supply/tide', { source: 'here', mark: 1, news: [{ id: 'half an event' }] });
  const marks = openMarks(store);
  await expect(marks.get('supply/tide')).rejects.toMatchObject({ name: 'StoreError', trouble: 'unreadable' });
  expect(await marks.list()).toMatchObject({ found: [], unreadable: [{ key: 'supply/tide' }] });
});
