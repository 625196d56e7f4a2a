import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { SupplyEvent } from '../../src/analytics/endpoints/supply.js';
import { DAY, instant, MINUTE } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { supply } from '../../src/feeds/supply.js';
import { WINDOW } from '../../src/feeds/seen-ids.js';
import { answerPage, connect, serve } from '../support/service.js';
import { alertLines, background, firstCheck, found, idsOf, snapshotOf, NOON, TIDE, alerted } from './reading.js';

const row = (id: string | number, extra: Partial<SupplyEvent> = {}): SupplyEvent => ({
  id: String(id),
  at: instant(NOON - 5 * MINUTE),
  type: 'Burn',
  amount: decimal('12'),
  supplyAfter: undefined,
  change: undefined,
  price: undefined,
  usd: undefined,
  signature: undefined,
  proposal: undefined,
  ...extra,
});

/** A row as the service sends it. */
const wire = (id: number | string, extra: Record<string, unknown> = {}) => ({
  id,
  timestamp: '2026-11-20T11:55:00Z',
  type: 'Burn',
  amount: '12',
  resultingSupply: '1000',
  change: '-1.2',
  priceAtTime: '0.5',
  usdValue: '6',
  signature: null,
  proposal: null,
  ...extra,
});

const spec = supply.spec;

test('a first check of a ledger returns no events, also when it is empty', () => {
  expect(idsOf(spec, [snapshotOf([row(1), row(2)])])).toEqual([[]]);
  expect(idsOf(spec, [snapshotOf([]), snapshotOf([row(1)])])).toEqual([[], ['supply/tide/1']]);
});

test('a late row with a lower id is reported', () => {
  expect(idsOf(spec, [snapshotOf([row(5), row(9)]), snapshotOf([row(3), row(5), row(9)])])).toEqual([[], ['supply/tide/3']]);
});

test('a shorter or empty list forgets nothing', () => {
  expect(idsOf(spec, [snapshotOf([row(1), row(2)]), snapshotOf([]), snapshotOf([row(2)]), snapshotOf([row(1), row(2)])]).flat()).toEqual(
    [],
  );
});

test('rows are reported oldest first, and of the same moment by their number', () => {
  const late = instant(NOON - MINUTE);
  const checkRecords = [snapshotOf([]), snapshotOf([row(10), row(3, { at: late }), row(9)])];
  expect(idsOf(spec, checkRecords)[1]).toEqual(['supply/tide/9', 'supply/tide/10', 'supply/tide/3']);
});

const rows = fc.uniqueArray(
  fc
    .record({ id: fc.integer({ min: 1, max: 60 }), minutes: fc.nat(500) })
    .map(({ id, minutes }) => row(id, { at: instant(NOON - minutes * MINUTE) })),
  { selector: ({ id }) => id, maxLength: 40 },
);

test('whatever the order, the split into checks and the repetition, each row is reported once', () => {
  fc.assert(
    fc.property(rows, fc.array(fc.array(fc.nat(39), { maxLength: 60 }), { maxLength: 6 }), rows, (all, picks, before) => {
      const ledger = [...new Map([...all, ...before].map((one) => [one.id, one])).values()];
      const old = ledger.filter(({ id }) => before.some((one) => one.id === id));
      // Any part of the ledger at any check, in any order, with repetitions; at last all of it.
      const checkRecords = picks.map((indices) => snapshotOf(indices.flatMap((index) => ledger[index] ?? [])));
      const ids = idsOf(spec, [snapshotOf(old), ...checkRecords, snapshotOf(ledger), snapshotOf(ledger.toReversed())]).flat();
      const fresh = ledger.filter((one) => !old.includes(one)).map(({ id }) => `supply/tide/${id}`);
      expect(ids.toSorted((a, b) => a.localeCompare(b))).toEqual(fresh.toSorted((a, b) => a.localeCompare(b)));
    }),
  );
});

test('the watermark is the same whatever order the rows came in', () => {
  fc.assert(
    fc.property(
      rows.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        expect(spec.diff(TIDE, undefined, snapshotOf(shuffled)).watermark).toEqual(spec.diff(TIDE, undefined, snapshotOf(all)).watermark);
      },
    ),
  );
});

test('a ledger longer than the window reports nothing twice: what fell out counts as seen, what is inside is reported', () => {
  const ledger = Array.from({ length: WINDOW + 5 }, (_, index) => row(index, { at: instant(NOON - DAY - index * MINUTE) }));
  const oldest = ledger.at(-1)!.at;
  const inside = row('inside', { at: instant(NOON - 2 * DAY) });
  const outside = row('outside', { at: oldest });
  expect(
    idsOf(spec, [
      snapshotOf(ledger),
      snapshotOf(ledger),
      snapshotOf([...ledger, inside, outside]),
      snapshotOf([...ledger, inside, outside]),
    ]),
  ).toEqual([[], [], ['supply/tide/inside'], []]);
});

test('the window stays bounded over many checks', () => {
  const page = (from: number) =>
    Array.from({ length: 1_000 }, (_, index) => row(from + index, { at: instant(NOON + (from + index) * MINUTE) }));
  let watermark: ReturnType<typeof spec.diff>['watermark'] | undefined;
  for (let from = 0; from < 6_000; from += 1_000) ({ watermark } = spec.diff(TIDE, watermark, snapshotOf(page(from))));
  expect(watermark?.seen).toHaveLength(WINDOW);
  expect(watermark?.floor).toBe(NOON + 2_999 * MINUTE);
});

test.each([
  { what: 'the newest row', listed: '1012', isExplained: true },
  { what: 'an older row', listed: '1000', isExplained: false },
  { what: 'no row', listed: '1013', isExplained: false },
])('a list that shows the supply after $what is explained: $isExplained', async ({ listed, isExplained }) => {
  const rows = [wire(1, { timestamp: '2026-11-20T11:50:00Z' }), wire(2, { type: 'Mint', resultingSupply: '1012' })];
  const service = await serve((asked) => answerPage(asked, rows));
  const { analytics } = await connect(service.url);
  const now = { at: NOON, supply: decimal(listed) };
  const read = await spec.read(TIDE, { ...background(analytics), listed: { now, base: undefined } });
  expect(read.isExplained).toBe(isExplained);
});

test('a mint of a negative amount is no mint: it is shown as the service says it, with a warning', () => {
  const odd = row(7, { type: 'Mint', amount: decimal('-5'), supplyAfter: decimal('1000') });
  const [, [event] = []] = found(spec, [snapshotOf([]), snapshotOf([odd])]);
  expect(event?.stage).toBe('implausible');
  expect(alerted(supply, event!).split('\n').slice(0, 2)).toEqual(['⚠ | "Mint" | −5 TIDE', '1,000']);
  expect(alertLines(supply, event!)[0]).toMatch(/^Tidewater reported "Mint"/u);
  // A burn may come with its sign.
  const [, [burn] = []] = found(spec, [snapshotOf([]), snapshotOf([row(8, { amount: decimal('-5') })])]);
  expect(burn?.stage).toBe('burn');
});

test('a mint is reported with exact amounts, the supply before and after, and the proposal it was for', () => {
  const mint = row(1033, {
    type: 'Mint',
    amount: decimal('486210.000001'),
    supplyAfter: decimal('13386144.000001'),
    change: decimal('3.769'),
    price: decimal('0.828'),
    usd: decimal('402581.88'),
    proposal: { title: 'Raise the allowance', publicKey: undefined },
  });
  const [, [event] = []] = found(spec, [snapshotOf([]), snapshotOf([mint])]);
  expect(alerted(supply, event!)).toBe(
    ['▲ | 486,210 TIDE | +3.8% | $403K', '12.90M | 13.39M | "Raise the allowance"', '/supply tide /proposals tide'].join('\n'),
  );
  const [headline, details] = alertLines(supply, event!);
  expect(headline).toMatch(/^Tidewater minted\b/u);
  expect(details).toMatch(/\b12\.90M → 13\.39M\b.*\bproposal "Raise/u);
});

test.each(['0.0011', '-0.0011'])('a burn goes down, whether the service reports its change as %s', (change) => {
  const burn = row(7, { amount: decimal('140.5'), supplyAfter: decimal('12899934'), change: decimal(change) });
  const [, [event] = []] = found(spec, [snapshotOf([]), snapshotOf([burn])]);
  expect(alerted(supply, event!)).toBe(['▼ | 140.5 TIDE | −0.0011%', '12,900,074.5 | 12,899,934', '/supply tide'].join('\n'));
  expect(alertLines(supply, event!)[0]).toMatch(/^Tidewater burned\b/u);
});

test('a linked proposal without a readable title is named as such, and no link says nothing', () => {
  const [, [linked, alone] = []] = found(spec, [
    snapshotOf([]),
    snapshotOf([row(1, { proposal: { title: undefined, publicKey: undefined } }), row(2)]),
  ]);
  expect(alerted(supply, linked!)).toContain('▼ | 12 TIDE');
  expect(alertLines(supply, linked!)[1]).toMatch(/\buntitled proposal\b/u);
  expect(alerted(supply, alone!)).not.toContain('proposal');
  expect(alertLines(supply, alone!)).toHaveLength(1);
});

test("a type that is not known is reported in the service's own word, with nothing made up", () => {
  const [, [event] = []] = found(spec, [snapshotOf([]), snapshotOf([row(1, { type: 'Rebase', supplyAfter: decimal('90') })])]);
  const text = alerted(supply, event!);
  expect(text).toContain(' | "Rebase" | 12 TIDE\n');
  expect(text).toContain('\n90\n');
  const [headline, details] = alertLines(supply, event!);
  expect(headline).toMatch(/^Tidewater reported "Rebase"/u);
  expect(details).toMatch(/\bnow 90$/u);
});

test('a project without a symbol burns tokens', () => {
  const [, [event] = []] = found(spec, [snapshotOf([]), snapshotOf([row(1)])], { slug: TIDE.slug, name: 'Tidewater' });
  expect(alerted(supply, event!)).toBe(['▼ | 12', '/supply tide'].join('\n'));
  expect(alertLines(supply, event!)[0]).toMatch(/\bburned 12 tokens$/u);
});

test('through the real client: events on the last page, with 19-digit ids, are reported once', async () => {
  const ids = Array.from({ length: 25 }, (_, index) => `90071992547409${String(9_300 + index).padStart(5, '0')}`);
  const ledger: Record<string, unknown>[] = ids.map((id) => wire(id));
  const service = await serve((asked) => answerPage(asked, ledger, { most: 10 }));
  const { analytics } = await connect(service.url);
  const first = await supply.check(TIDE, undefined, background(analytics));
  expect(first).toMatchObject({ events: [], complete: true, hidden: 0, broken: 0 });
  ledger.push(wire('9007199254740993123', { type: 'Mint' }));
  const second = await supply.check(TIDE, first.watermark, background(analytics));
  expect(second.events.map(({ id }) => id)).toEqual(['supply/tide/9007199254740993123']);
  expect((await supply.check(TIDE, second.watermark, background(analytics))).events).toEqual([]);
});

test('a row that is broken once stays unseen and is reported once when it is good', async () => {
  const ledger: Record<string, unknown>[] = [wire(1)];
  const service = await serve((asked) => answerPage(asked, ledger));
  const { analytics } = await connect(service.url);
  const first = await supply.check(TIDE, undefined, background(analytics));
  ledger.push(wire(2, { amount: 'many' }));
  const broken = await supply.check(TIDE, first.watermark, background(analytics));
  expect(broken).toMatchObject({ events: [], broken: 1 });
  ledger[1] = wire(2);
  const good = await supply.check(TIDE, broken.watermark, background(analytics));
  expect(good.events.map(({ id }) => id)).toEqual(['supply/tide/2']);
  expect((await supply.check(TIDE, good.watermark, background(analytics))).events).toEqual([]);
});

test('rows that a plan hides are counted as hidden', async () => {
  const ledger = Array.from({ length: 25 }, (_, index) => wire(index));
  const service = await serve((asked) => {
    if (Number(asked.query.get('page')) > 2) asked.response.writeHead(403).end('{}');
    else answerPage(asked, ledger, { most: 10 });
  });
  const { analytics } = await connect(service.url);
  expect(await supply.check(TIDE, undefined, background(analytics))).toMatchObject({ hidden: 5, complete: false });
});

test('an id with characters that no key may hold is still an event with a key', async () => {
  const ledger: Record<string, unknown>[] = [];
  const service = await serve((asked) => answerPage(asked, ledger));
  const { analytics } = await connect(service.url);
  const { watermark } = await supply.check(TIDE, undefined, background(analytics));
  ledger.push(wire('a\u0000b\nc'), wire('a%0b%ac'));
  const { events } = await supply.check(TIDE, watermark, background(analytics));
  expect(new Set(events.map(({ id }) => id))).toEqual(new Set(['supply/tide/a%0b%ac', 'supply/tide/a%250b%25ac']));
});

test('a watermark that no longer fits is an error, never a first check without events', async () => {
  const service = await serve((asked) => answerPage(asked, []));
  const { analytics } = await connect(service.url);
  await expect(supply.check(TIDE, { seen: 'everything' }, background(analytics))).rejects.toThrow(/seen/);
  expect(service.asked).toEqual([]);
});

test('asking it about everything at once is loud', () => {
  const { watermark } = spec.diff('all', undefined, snapshotOf([]));
  expect(() => spec.diff('all', watermark, snapshotOf([row(1)]))).toThrow(/per-project feed/);
});

test('a first check finds what the service dates after the watch began', async () => {
  const check = snapshotOf([row(1, { at: instant(NOON - DAY) }), row(2, { at: instant(NOON - MINUTE) }), row(3, { at: NOON })]);
  expect(await firstCheck(spec, { check, since: instant(NOON - MINUTE) })).toEqual(['supply/tide/2', 'supply/tide/3']);
});

test('a recent row with another date is a correction, and so is one that two complete lists lack', () => {
  const other = instant(NOON - 10 * MINUTE);
  const [first, second] = [snapshotOf([row(1), row(2)]), snapshotOf([row(1, { at: other })])];
  const begun = spec.diff(TIDE, undefined, first).watermark;
  const dated = spec.diff(TIDE, begun, second);
  expect(dated.corrections).toMatchObject([{ event: 'supply/tide/1', dates: { was: NOON - 5 * MINUTE, now: other }, occurredAt: other }]);
  const gone = spec.diff(TIDE, dated.watermark, second);
  expect(gone.corrections).toEqual([{ event: 'supply/tide/2', version: 'vanished' }]);
  expect(gone.events).toEqual([]);
  expect(spec.diff(TIDE, gone.watermark, second).corrections).toEqual([]);
  const back = spec.diff(TIDE, gone.watermark, first);
  expect([back.events, back.watermark.missing]).toEqual([[], undefined]);
});

test('a date that is another one only by seconds is no correction until it has moved to another minute', () => {
  let { watermark } = spec.diff(TIDE, undefined, snapshotOf([row(1, { at: NOON })]));
  const found = [20, 40, 60].map((seconds) => {
    const checked = spec.diff(TIDE, watermark, snapshotOf([row(1, { at: instant(NOON + (seconds * MINUTE) / 60) })]));
    watermark = checked.watermark;
    return checked.corrections;
  });
  expect(found).toMatchObject([[], [], [{ dates: { was: NOON, now: NOON + MINUTE } }]]);
});

test('a row that left the rows which the plan shows has not vanished, nor has one that an empty or broken list lacks', () => {
  let { watermark } = spec.diff(TIDE, undefined, snapshotOf([row(1), row(2)]));
  const without = snapshotOf([row(1)]);
  for (const snapshot of [{ ...without, hidden: 1 }, { ...without, complete: false }, { ...without, broken: 1 }, snapshotOf([])])
    for (let time = 0; time < 3; time += 1) {
      const checked = spec.diff(TIDE, watermark, snapshot);
      expect(checked.corrections).toEqual([]);
      watermark = checked.watermark;
    }
});

test('a row with another date at every check is corrected after pauses that grow', () => {
  let { watermark } = spec.diff(TIDE, undefined, snapshotOf([row(1)]));
  const corrected = Array.from({ length: 60 }, (_, minute) => {
    const at = instant(NOON + minute * MINUTE);
    const found = spec.diff(TIDE, watermark, snapshotOf([row(1, { at: instant(NOON - DAY + minute * MINUTE) })], { at }));
    watermark = spec.watermark.parse(JSON.parse(JSON.stringify(found.watermark)));
    return (found.corrections ?? []).map(() => minute);
  }).flat();
  expect(corrected).toEqual([0, 5, 15, 35]);
});
