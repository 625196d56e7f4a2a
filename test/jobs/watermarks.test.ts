import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { instant } from '../../src/base/clock.js';
import { asStored, openWatermarks, unrouted, withEvents, type WatermarkDocument } from '../../src/jobs/watermarks.js';
import { openStore } from '../../src/store/open.js';
import { burn } from '../alerts/harness.js';

const NOW = instant(Date.UTC(2026, 10, 20, 12));
const event = (amount: number) => burn(amount, NOW);
const ids = ({ pending: news }: WatermarkDocument): readonly string[] => news.map(({ id }) => id);

test('the first watermark of a subject holds the events of its check, in the order they were found', () => {
  const document = withEvents(undefined, { source: 'here', watermark: { alerted: [1] }, events: [event(2), event(1)] });
  expect(document).toEqual({ source: 'here', watermark: { alerted: [1] }, pending: [event(2), event(1)] });
});

test('new events stand behind what a crash left, with the new watermark and the new service in place of the old', () => {
  const before: WatermarkDocument = { source: 'there', watermark: { alerted: [1] }, pending: [event(1)] };
  const after = withEvents(before, { source: 'here', watermark: { alerted: [1, 2] }, events: [event(2)] });
  expect(after).toEqual({ source: 'here', watermark: { alerted: [1, 2] }, pending: [event(1), event(2)] });
});

test('what waits already is not put there again, and stays as it was first seen', () => {
  const first = event(1);
  const again = { ...first, detectedAt: instant(NOW + 1) };
  const { pending: news } = withEvents(
    { source: 'here', watermark: 1, pending: [first] },
    { source: 'here', watermark: 2, events: [event(2), again] },
  );
  expect(news).toEqual([first, event(2)]);
});

test('no event is lost or doubled, however the waiting and the new repeat and overlap', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 12 }));
  fc.assert(
    fc.property(amounts, amounts, (waiting, fresh) => {
      const before: WatermarkDocument = { source: 'here', watermark: 0, pending: [...new Set(waiting)].map(event) };
      const after = withEvents(before, { source: 'here', watermark: 1, events: fresh.map(event) });
      expect(ids(after)).toEqual([...new Set([...waiting, ...fresh])].map((amount) => event(amount).id));
    }),
  );
});

test('a watermark that comes back from the store equals itself as stored, absent fields and all', async () => {
  const watermarks = openWatermarks(await openStore('memory://'));
  const document: WatermarkDocument = {
    source: 'here',
    watermark: { seen: ['1', '2'], floor: undefined, deep: { none: undefined, nothing: null } },
    pending: [burn(1, NOW, { project: undefined, occurredAt: undefined, facts: { name: 'Tidewater', symbol: undefined, of: [{ x: 1 }] } })],
  };
  await watermarks.set('supply/tide', document);
  expect(isDeepStrictEqual(asStored(document), await watermarks.get('supply/tide'))).toBe(true);
  expect(isDeepStrictEqual(asStored({ ...document, watermark: { seen: ['1'] } }), await watermarks.get('supply/tide'))).toBe(false);
});

test('a watermark that cannot be read is refused and listed as such, never taken for absent', async () => {
  const store = await openStore('memory://');
  const raw = store.collection({ prefix: 'watermark', schema: z.unknown(), version: 1 });
  await raw.set('supply/tide', { source: 'here', watermark: 1, pending: [{ id: 'half an event' }] });
  const watermarks = openWatermarks(store);
  await expect(watermarks.get('supply/tide')).rejects.toMatchObject({ name: 'StoreError', trouble: 'unreadable' });
  expect(await watermarks.list()).toMatchObject({ found: [], unreadable: [{ key: 'supply/tide' }] });
});

describe('events that the check record says are routed', () => {
  const late = { because: 'bot', since: NOW } as const;
  const checked = (amount: number, at = NOW) => burn(amount, NOW, { checkedAt: at });
  const document: WatermarkDocument = { source: 'here', watermark: 1, pending: [checked(1), checked(2)], late };
  const routed = (...amounts: readonly number[]) => ({ at: NOW, events: amounts.map((amount) => event(amount).id) });

  test('are no longer pending, and the rest stay late', () => {
    expect(unrouted(document, routed(1))).toEqual({ ...document, pending: [checked(2)] });
    expect(unrouted({ source: 'here', watermark: 1, pending: [checked(1), checked(2)] }, routed(1))).toEqual({
      ...{ source: 'here', watermark: 1, pending: [checked(2)] },
    });
    expect(unrouted(document, routed(1, 2))).toEqual({ source: 'here', watermark: 1, pending: [] });
  });

  test('are those of that check only: the same event found by another one is pending', () => {
    const other = instant(NOW + 1);
    const found: WatermarkDocument = { ...document, pending: [checked(1, other), checked(2)] };
    expect(unrouted(found, routed(1, 2))).toEqual({ ...document, pending: [checked(1, other)] });
    expect(unrouted(found, { at: instant(NOW + 2), events: routed(1, 2).events })).toBe(found);
  });

  test('without a record, or of other events, leave the document as it is', () => {
    expect([unrouted(document, undefined), unrouted(document, routed(3))]).toEqual([document, document]);
  });
});

test('why events are late is kept with them, and not without any', () => {
  const late = { because: 'bot', since: NOW } as const;
  const of = (events: readonly ReturnType<typeof event>[]) => withEvents(undefined, { source: 'here', watermark: 1, events, late });
  expect(of([event(1)])).toEqual({ source: 'here', watermark: 1, pending: [event(1)], late });
  expect(of([])).toEqual({ source: 'here', watermark: 1, pending: [] });
});
