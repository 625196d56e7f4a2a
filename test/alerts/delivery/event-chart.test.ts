import { describe, expect, test } from 'vitest';
import { chartIn, DRAWN_WITHIN, drawn, storedChart } from '../../../src/alerts/delivery/event-chart.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import { premium } from '../../../src/feeds/premium.js';
import { StoreError } from '../../../src/store/store.js';
import { NOON } from '../../feeds/reading.js';
import { notebook } from '../../jobs/harness.js';
import { handClock } from '../../support/clock.js';
import { burn } from '../harness.js';

const BYTES = new Uint8Array([1, 2, 3]);

/** A crossing with its past values. */
function crossed(id: string) {
  const { crossings, ...event } = premium.sample(NOON);
  return { event: { ...event, id }, member: { event: id, entry: 'tide', queuedAt: NOON, ...(crossings && { crossings }) } };
}

const plain = (amount: number) => {
  const event = burn(amount, NOON);
  return { event, member: { event: event.id, entry: 'tide', queuedAt: NOON } };
};

const chartOf = (id: string) => {
  const found = chartIn([crossed(id)], 'now');
  if (found === undefined) throw new Error('a crossing has a chart');
  return found.chart;
};

describe('the chart of a message', () => {
  test('is that of its only event, also in a summary, or of the first in a list of fresh ones that has one', () => {
    expect(chartIn([crossed('a')], 'summary')?.event).toBe('a');
    expect(chartIn([plain(1), crossed('a'), crossed('b')], 'now')?.event).toBe('a');
    expect(chartIn([crossed('a'), plain(1)], 'summary')).toBeUndefined();
    expect(chartIn([plain(1)], 'now')).toBeUndefined();
  });

  test('is of one of the ten events that are listed in full', () => {
    const burns = Array.from({ length: 10 }, (_, index) => plain(index + 1));
    expect(chartIn([...burns, crossed('a')], 'now')).toBeUndefined();
    expect(chartIn([...burns.slice(1), crossed('a')], 'now')?.event).toBe('a');
  });

  test('needs past values and what was crossed', () => {
    const { event, member } = crossed('a');
    const { past: _, ...without } = event;
    expect(chartIn([{ event: without, member }], 'now')).toBeUndefined();
    const { crossings: __, ...unknown } = member;
    expect(chartIn([{ event, member: unknown }], 'now')).toBeUndefined();
  });
});

describe('the chart of a message that is tried again', () => {
  const { event, member } = crossed('b');
  const open = (get: (id: string) => Promise<FeedEvent | undefined>) => {
    const book = notebook();
    const members = [plain(1).member, member];
    return { ...book, chart: async (id: string | undefined) => storedChart({ members, chartOf: id }, { archive: { get }, log: book.log }) };
  };

  test('is drawn from the event that the delivery names', async () => {
    const asked: string[] = [];
    const { chart } = open(async (id) => {
      asked.push(id);
      return event;
    });
    expect(await chart('b')).toEqual(chartOf('b'));
    expect(asked).toEqual(['b']);
    expect([await chart(undefined), await chart('unknown')]).toEqual([undefined, undefined]);
  });

  test('is missing where the event cannot be read, which is logged', async () => {
    const { chart, noted } = open(async () => Promise.reject(new StoreError('unreadable', 'store: it cannot be read')));
    expect(await chart('b')).toBeUndefined();
    expect(noted).toMatchObject([{ level: 'warn', event: 'delivery.chart-unreadable', fields: { member: 'b' } }]);
    expect(await open(async () => undefined).chart('b')).toBeUndefined();
  });
});

describe('a picture', () => {
  const open = (png: () => Promise<Uint8Array>) => {
    const clock = handClock();
    const book = notebook();
    const pictures = { png, svg: async () => '<svg/>' };
    return { ...book, clock, picture: drawn(chartOf('a'), 'dark', { pictures, clock, log: book.log }) };
  };

  test('has the title of its chart, and leaves nobody asleep', async () => {
    const { picture, clock, names } = open(async () => BYTES);
    expect(await picture).toEqual({ bytes: BYTES, title: chartOf('a').title });
    expect([clock.sleepers(), names()]).toEqual([0, []]);
  });

  test('that takes too long or cannot be drawn is missing, which is logged', async () => {
    const slow = open(async () => new Promise(() => {}));
    await slow.clock.advance(DRAWN_WITHIN);
    expect([await slow.picture, slow.names()]).toEqual([undefined, ['info delivery.picture-late']]);
    const broken = open(async () => Promise.reject(new Error('no font')));
    expect([await broken.picture, broken.names()]).toEqual([undefined, ['info delivery.picture-failed']]);
    expect(broken.clock.sleepers()).toBe(0);
  });
});
