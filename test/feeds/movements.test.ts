import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { movements as movementList, type Movement } from '../../src/analytics/endpoints/movements.js';
import { DAY, instant, MINUTE, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { movements } from '../../src/feeds/movements.js';
import { WINDOW } from '../../src/feeds/seen-ids.js';
import { figuresIn } from '../support/figures.js';
import { answerPage, connect, serve } from '../support/service.js';
import { alertLines, background, firstCheck, found, idsOf, snapshotOf, NOON, TIDE, alerted } from './reading.js';

const spec = movements.spec;
const party = (name: string) => ({ id: undefined, name, address: undefined, type: undefined });

const row = (id: string | number, extra: Partial<Movement> = {}): Movement => ({
  id: String(id),
  at: instant(NOON - 5 * MINUTE),
  kind: 'outflow',
  from: party('Operations'),
  to: party('Quill Counsel'),
  symbol: 'USDC',
  amount: decimal('18400.25'),
  value: decimal('18400.25'),
  transaction: undefined,
  status: 'classified',
  category: 'Expenses',
  subcategory: 'Legal',
  counterparty: { id: '7', name: 'Quill Counsel', address: undefined, type: 'legal' },
  entityType: 'DAO',
  note: undefined,
  ...extra,
});
const undated = (id: string | number) => row(id, { at: undefined });
const idOf = (one: Pick<Movement, 'id'>) => `movements/tide/${one.id}`;
const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b));

test('a first check of a ledger returns no events, also when it is empty', () => {
  expect(idsOf(spec, [snapshotOf([row(1), undated(2)])])).toEqual([[]]);
  expect(idsOf(spec, [snapshotOf([]), snapshotOf([row(1), undated(2)])])).toEqual([[], ['movements/tide/1', 'movements/tide/2']]);
});

test('a late row with a lower number is reported, and a shorter or empty list forgets nothing', () => {
  const checkRecords = [snapshotOf([row(5), row(9)]), snapshotOf([]), snapshotOf([row(3), row(9)]), snapshotOf([row(3), row(5), row(9)])];
  expect(idsOf(spec, checkRecords)).toEqual([[], [], ['movements/tide/3'], []]);
});

test('a movement that is classed later, or whose date comes or goes, is no other movement', () => {
  const checkRecords = [
    snapshotOf([]),
    snapshotOf([row(1, { status: 'unclassified', category: undefined }), undated(2)]),
    snapshotOf([row(1), row(2)]),
    snapshotOf([undated(1), row(2, { at: instant(NOON - DAY) })]),
  ];
  expect(idsOf(spec, checkRecords)).toEqual([[], ['movements/tide/1', 'movements/tide/2'], [], []]);
});

const rows = fc.uniqueArray(
  fc
    .record({ id: fc.integer({ min: 1, max: 60 }), minutes: fc.option(fc.nat(500), { nil: undefined }) })
    .map(({ id, minutes }) => row(id, { at: minutes === undefined ? undefined : instant(NOON - minutes * MINUTE) })),
  { selector: ({ id }) => id, maxLength: 40 },
);

test('whatever the order, the split into checks and the repetition, each movement is reported once', () => {
  fc.assert(
    fc.property(rows, fc.array(fc.array(fc.nat(79), { maxLength: 60 }), { maxLength: 6 }), rows, (all, picks, before) => {
      const ledger = [...new Map([...all, ...before].map((one) => [one.id, one])).values()];
      const old = ledger.filter(({ id }) => before.some((one) => one.id === id));
      const checkRecords = picks.map((indices) => snapshotOf(indices.flatMap((index) => ledger[index] ?? [])));
      const ids = idsOf(spec, [snapshotOf(old), ...checkRecords, snapshotOf(ledger), snapshotOf(ledger.toReversed())]).flat();
      expect(sorted(ids)).toEqual(sorted(ledger.filter((one) => !old.includes(one)).map(idOf)));
    }),
  );
});

test('the watermark and the events are the same whatever order the rows came in', () => {
  fc.assert(
    fc.property(
      rows.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const { watermark } = spec.diff(TIDE, undefined, snapshotOf([]));
        expect(spec.diff(TIDE, watermark, snapshotOf(shuffled))).toEqual(spec.diff(TIDE, watermark, snapshotOf(all)));
      },
    ),
  );
});

test('a ledger longer than the window reports nothing twice, by date or, where there is none, by number', () => {
  const dated = Array.from({ length: WINDOW + 5 }, (_, index) => row(10 + index, { at: instant(NOON - DAY - index * MINUTE) }));
  const bare = Array.from({ length: WINDOW + 5 }, (_, index) => undated(10_000 + index));
  const inside = [row(1, { at: instant(NOON - 2 * DAY) }), undated(90_000)];
  const outside = [row(2, { at: dated.at(-1)!.at }), undated(9_999)];
  const grown = [...outside, ...bare, ...dated, ...inside];
  expect(idsOf(spec, [snapshotOf([...dated, ...bare]), snapshotOf([...bare, ...dated]), snapshotOf(grown), snapshotOf(grown)])).toEqual([
    [],
    [],
    inside.map(idOf),
    [],
  ]);
});

test('the watermark stays bounded over many checks', () => {
  let watermark: ReturnType<typeof spec.diff>['watermark'] | undefined;
  for (let from = 0; from < 6_000; from += 1_000) {
    const page = Array.from({ length: 1_000 }, (_, index) => from + index);
    const dated = page.map((id) => row(id, { at: instant(NOON + id * MINUTE) }));
    ({ watermark } = spec.diff(TIDE, watermark, snapshotOf([...dated, ...page.map((id) => undated(10_000 + id))])));
  }
  expect(watermark?.dated).toMatchObject({ floor: NOON + 2_999 * MINUTE });
  expect(watermark?.undated).toMatchObject({ floor: '12999' });
  expect([watermark?.dated.seen.length, watermark?.undated.seen.length]).toEqual([WINDOW, WINDOW]);
});

test('undated rows that a cut first check missed do not become a flood of old events later', () => {
  const cut = snapshotOf([undated(9)], { complete: false });
  expect(idsOf(spec, [cut, snapshotOf([undated(8), undated(9)]), snapshotOf([undated(8), undated(9), undated(10)])])).toEqual([
    [],
    [],
    ['movements/tide/10'],
  ]);
});

test('undated rows after a list with rows that the plan hides, or that cannot be read, are new', () => {
  for (const how of [{ hidden: 1 }, { broken: 1 }]) {
    const first = snapshotOf([undated(9)], { complete: false, ...how });
    expect(idsOf(spec, [first, snapshotOf([undated(8), undated(9)], { complete: false })])).toEqual([[], ['movements/tide/8']]);
  }
  const cut = snapshotOf([undated(8), undated(9)], { complete: false });
  expect(idsOf(spec, [snapshotOf([undated(9)]), cut, snapshotOf([undated(7), undated(8), undated(9)], { complete: false })])).toEqual([
    [],
    ['movements/tide/8'],
    ['movements/tide/7'],
  ]);
});

describe('corrections', () => {
  const corrections = (...checkRecords: readonly Parameters<typeof spec.diff>[2][]) => {
    let watermark: ReturnType<typeof spec.diff>['watermark'] | undefined;
    return checkRecords.map((check) => {
      const after = spec.diff(TIDE, watermark, check);
      watermark = spec.watermark.parse(JSON.parse(JSON.stringify(after.watermark)));
      const clock = (at: Instant): string => new Date(at).toISOString().slice(11, 16);
      return (after.corrections ?? []).map(({ event, dates }) =>
        dates === undefined ? `${event} removed` : `${event} ${clock(dates.was)} > ${clock(dates.now)}`,
      );
    });
  };
  const [both, one] = [[row(1), row(2)], [row(1)]];

  test('a movement that two whole lists lack was removed, and is reported so once', () => {
    const missing = snapshotOf(one);
    expect(corrections(snapshotOf(both), missing, missing, missing, missing)).toEqual([[], [], ['movements/tide/2 removed'], [], []]);
  });

  test('a list that is cut short, hides rows or has rows that cannot be read proves no removal', () => {
    for (const how of [{ complete: false }, { hidden: 1 }, { broken: 1 }]) {
      const missing = snapshotOf(one, how);
      expect(corrections(snapshotOf(both), missing, missing, missing).flat()).toEqual([]);
      // What whole lists found before it still counts.
      expect(corrections(snapshotOf(both), snapshotOf(one), missing, snapshotOf(one)).flat()).toEqual(['movements/tide/2 removed']);
    }
  });

  test('a new date is a correction; one that is lost, or comes, is none', () => {
    const moved = [row(1, { at: instant(NOON - 90 * MINUTE) }), row(2)];
    expect(corrections(snapshotOf(both), snapshotOf(moved), snapshotOf(moved))).toEqual([[], ['movements/tide/1 11:55 > 10:30'], []]);
    const bare = [undated(1), row(2)];
    expect(corrections(snapshotOf(both), snapshotOf(bare), snapshotOf(bare), snapshotOf(both)).flat()).toEqual([]);
    expect(corrections(snapshotOf(bare), snapshotOf(both), snapshotOf(both)).flat()).toEqual([]);
  });

  test('a removal is not reported again by lists that prove nothing, nor a new date once its pause is over', () => {
    const [missing, cut] = [snapshotOf(one), snapshotOf(one, { complete: false })];
    expect(corrections(snapshotOf(both), missing, missing, cut, missing, cut)).toEqual([[], [], ['movements/tide/2 removed'], [], [], []]);
    const moved = [row(1, { at: instant(NOON - 90 * MINUTE) }), row(2)];
    const anHourOn = (rows: readonly Movement[], hours: number) => snapshotOf(rows, { at: instant(NOON + hours * 60 * MINUTE) });
    expect(corrections(snapshotOf(both), snapshotOf(moved), anHourOn(moved, 1), anHourOn(both, 2))).toEqual([
      [],
      ['movements/tide/1 11:55 > 10:30'],
      [],
      ['movements/tide/1 10:30 > 11:55'],
    ]);
  });

  test('an old movement is not corrected, whatever happens to it', () => {
    const old = row(1, { at: instant(NOON - 11 * DAY) });
    const moved = row(1, { at: instant(NOON - 9 * DAY) });
    expect(corrections(snapshotOf([old, row(2)]), snapshotOf([moved, row(2)]), snapshotOf([row(2)]), snapshotOf([row(2)])).flat()).toEqual(
      [],
    );
  });
});

test('the size of a movement, which filters compare, is without its sign, and absent where it is unknown', () => {
  const sizeOf = (extra: Partial<Movement>) => movements.alerts.size(movementOf(extra).facts, 'outflow');
  expect(sizeOf({ amount: decimal('-5'), value: decimal('-7.5') })).toMatchObject({
    noun: 'movement',
    usd: '7.5',
    amount: '5',
    symbol: 'USDC',
  });
  expect(sizeOf({ amount: undefined, value: undefined, symbol: undefined })).toMatchObject({
    noun: 'movement',
    usd: undefined,
    amount: undefined,
    symbol: undefined,
  });
});

test('what filters on names compare is unknown where the service does not give it', () => {
  const labelsOf = (extra: Partial<Movement>) => movements.alerts.size(movementOf(extra).facts, 'outflow').labels;
  expect(labelsOf({})).toMatchObject({ tokens: ['USDC'], categories: ['Expenses / Legal'], accounts: ['Operations', 'Quill Counsel'] });
  expect(labelsOf({ symbol: undefined, category: undefined, subcategory: undefined, from: undefined })).toEqual({
    tokens: [],
    categories: [],
    accounts: [],
  });
});

const movementOf = (extra: Partial<Movement>) => {
  const [, [event] = []] = found(spec, [snapshotOf([]), snapshotOf([row(123, extra)])]);
  return event!;
};

test('a payment is reported with every digit, its parties and its class', () => {
  const event = movementOf({ note: 'second audit' });
  expect(event.facts).toMatchObject({ category: 'Expenses / Legal', counterparty: 'Quill Counsel (legal)', entity: 'DAO' });
  expect(alerted(movements, event)).toBe(
    ['▼ | 18,400 USDC | $18.4K | Quill Counsel', '', '', '/movements tide movement:123 /movements tide'].join('\n'),
  );
  const [headline, details, note] = alertLines(movements, event);
  expect(headline).toMatch(/^Tidewater paid\b.*\bto Quill Counsel$/u);
  expect(details?.split(' · ')).toEqual(['From Operations', 'Expenses / Legal', 'legal', 'DAO']);
  expect(note).toContain('second audit');
  expect(event.stage).toBe('outflow');
});

test('a movement that is detected late is dated', () => {
  const dates = (age: number) =>
    figuresIn(
      alertLines(movements, movementOf({ at: instant(NOON - age) }))
        .slice(2)
        .join('\n'),
    );
  expect(dates(15 * MINUTE)).toEqual([]);
  expect(dates(2 * DAY)).toEqual(['Nov 18, 12:00 UTC']);
});

test('a counterparty that is no party of the movement is named', () => {
  const [, details] = alertLines(movements, movementOf({ counterparty: { ...party('Meridian'), type: 'vendor' } }));
  expect(details).toMatch(/\bMeridian \(vendor\)/u);
});

test.each([
  [{ kind: 'Inflow', from: party('Harbor Router') }, '▲ | 18,400 USDC | $18.4K | Harbor Router\nQuill Counsel', /\breceived\b.*\bfrom\b/u],
  [{ kind: 'internal' }, ' | 18,400 USDC | $18.4K | Quill Counsel\n', /\bmoved\b.*\bfrom Operations to\b/u],
  [{ kind: 'swap' }, ' | "swap" | 18,400 USDC | $18.4K\nQuill Counsel', /\breported "swap"[^]*\bFrom Operations to\b/u],
  [{ kind: undefined }, ' | 18,400 USDC | $18.4K\nQuill Counsel', /\bmoved\b[^]*\bFrom Operations to\b/u],
  [{ value: undefined, symbol: undefined }, '▼ | 18,400 | Quill Counsel\n', /\bpaid 18,400 tokens to\b/u],
  [{ amount: undefined }, '▼ | $18.4K | Quill Counsel\n', /\bpaid \$18\.4K to\b/u],
  [{ amount: undefined, value: undefined, to: undefined }, '▼\n', /\bpaid an unknown amount\n/u],
  [{ category: undefined, subcategory: undefined, status: undefined }, '▼ | 18,400 USDC | $18.4K', /\bnot classified\b/u],
])('of %j it says what is known and makes nothing up', (extra, data, words) => {
  const event = movementOf(extra);
  expect(alerted(movements, event)).toContain(data);
  expect(alertLines(movements, event).join('\n')).toMatch(words);
});

test('through the real client: a movement on the last page is reported once, under its number with or without the prefix', async () => {
  const ledger: Record<string, unknown>[] = Array.from({ length: 25 }, (_, id) => ({ id, timestamp: '2026-11-20T11:00:00Z' }));
  const service = await serve((asked) => answerPage(asked, ledger, { most: 10 }));
  const { analytics } = await connect(service.url);
  const first = await movements.check(TIDE, undefined, background(analytics));
  expect(first).toMatchObject({ events: [], complete: true, hidden: 0, broken: 0, priorityWindows: [] });
  ledger.push({ id: 'MOV-123456789012345678', timestamp: '2026-11-20T11:55:00Z', direction: 'outflow', amount: '5', tokenSymbol: 'USDC' });
  const second = await movements.check(TIDE, first.watermark, background(analytics));
  expect(second.events.map(({ id }) => id)).toEqual(['movements/tide/123456789012345678']);
  ledger[25] = { ...ledger[25], id: '123456789012345678' };
  expect((await movements.check(TIDE, second.watermark, background(analytics))).events).toEqual([]);
  expect(service.asked.every(({ path }) => path === movementList.path)).toBe(true);
});

test('a row without its number stays unseen and is reported once when it has one', async () => {
  const ledger: Record<string, unknown>[] = [{ id: 1 }];
  const service = await serve((asked) => answerPage(asked, ledger));
  const { analytics } = await connect(service.url);
  const first = await movements.check(TIDE, undefined, background(analytics));
  ledger.push({ amount: '5' });
  const broken = await movements.check(TIDE, first.watermark, background(analytics));
  expect(broken).toMatchObject({ events: [], broken: 1 });
  ledger[1] = { id: 2, amount: '5' };
  const good = await movements.check(TIDE, broken.watermark, background(analytics));
  expect(good.events.map(({ id }) => id)).toEqual(['movements/tide/2']);
});

test('a first check finds what the service dates after the watch began, and leaves out what it does not date', async () => {
  const check = snapshotOf([row(1, { at: instant(NOON - 60 * MINUTE) }), row(2), undated(3)]);
  expect(await firstCheck(spec, { check, since: instant(NOON - 30 * MINUTE) })).toEqual(['movements/tide/2']);
});
