import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { DAY, HOUR, later, MINUTE, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { joinLists, reachedStages, type TrackedLaunch } from '../../src/feeds/launch-stages.js';
import { launches } from '../../src/feeds/launches.js';
import { answerPage, answerWith, connect, reply, serve, type Asked } from '../support/service.js';
import { alertLines, background, firstCheck, found, hastyClock, idsOf, snapshotOf, NOON, alerted } from './reading.js';

const spec = launches.spec;
const BEGUN = later(NOON, -DAY);
const LENGTH = 4 * DAY;
const END = later(BEGUN, LENGTH);

const heron = (extra: Partial<TrackedLaunch> = {}): TrackedLaunch => ({
  address: 'HER0',
  slug: 'heron-flats',
  mint: 'mint-h',
  title: 'Heron Flats',
  symbol: 'HERN',
  state: 'Live',
  minimum: decimal('750000'),
  committed: decimal('0'),
  startedAt: BEGUN,
  runsFor: LENGTH,
  permissionless: true,
  ...extra,
});
const readAt = (at: Instant, ...all: TrackedLaunch[]) => snapshotOf<readonly TrackedLaunch[]>(all, { at });
const blank = readAt(later(BEGUN, -DAY));
const id = (stage: string): string => `launches/HER0/${stage}`;
const ids = (checkRecords: readonly ReturnType<typeof readAt>[]) => idsOf(spec, checkRecords, 'all');

/** The launch as it stands at a moment of its life. */
const asAt = (at: Instant): TrackedLaunch => {
  if (at < BEGUN) return heron({ state: 'Initialized' });
  if (at < END) return heron({ committed: at < later(BEGUN, DAY) ? decimal('10') : decimal('960000') });
  return heron({ state: at < later(END, HOUR) ? 'Closed' : 'Complete', committed: decimal('960000'), accepted: decimal('750000') });
};

test('a launch is reported through its life, each stage once and in order', () => {
  const moments = [-HOUR, 0, DAY, DAY + HOUR, LENGTH - 6 * HOUR, LENGTH, LENGTH + HOUR, LENGTH + DAY];
  const checkRecords = moments.map((after) => readAt(later(BEGUN, after), asAt(later(BEGUN, after))));
  expect(ids([blank, ...checkRecords])).toEqual([
    [],
    [id('new')],
    [id('live')],
    [id('minimum')],
    [],
    [id(`ending/${LENGTH}`)],
    [id('closed')],
    [id('complete')],
    [],
  ]);
});

test('any split into checks reports each stage at most once and in order, and the last one always', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -48, max: 120 })), (hours) => {
      const moments = [...hours.toSorted((a, b) => a - b), 200].map((hour) => later(BEGUN, hour * HOUR));
      const all = ids([blank, ...moments.map((at) => readAt(at, asAt(at)))]).flat();
      const order = ['new', 'live', 'minimum', `ending/${LENGTH}`, 'closed', 'complete'].map(id);
      expect(all).toEqual(order.filter((one) => all.includes(one)));
      expect(all).toEqual(expect.arrayContaining([id('live'), id('minimum'), id('complete')]));
    }),
  );
});

test('the first check returns no events', () => {
  expect(ids([readAt(NOON, asAt(NOON))])).toEqual([[]]);
});

test('an extension is reported with how much, and its new end is announced again', () => {
  const near = later(END, -HOUR);
  const longer = heron({ runsFor: LENGTH + 2 * DAY, committed: decimal('10') });
  const checkRecords = [blank, readAt(near, heron()), readAt(later(near, MINUTE), longer), readAt(later(END, 2 * DAY - HOUR), longer)];
  expect(ids(checkRecords)).toEqual([
    [],
    [id('live'), id(`ending/${LENGTH}`)],
    [id(`extended/${LENGTH + 2 * DAY}`)],
    [id(`ending/${LENGTH + 2 * DAY}`)],
  ]);
  const [, , [event] = []] = found(spec, checkRecords, 'all');
  expect(alerted(launches, event!, near)).toContain(
    ['● | Heron Flats | 2 d', '0.0013% | $750K | Nov 25, 12:00 UTC', '/launches /treasury heron-flats'].join('\n'),
  );
  expect(alertLines(launches, event!, near)[0]).toContain('extended');
});

test('the minimum is reported once, and a minimum of nothing never', () => {
  const enough = heron({ committed: decimal('960000') });
  expect(ids([readAt(NOON, heron()), readAt(NOON, enough), readAt(NOON, heron()), readAt(NOON, enough)])).toEqual([
    [],
    [id('minimum')],
    [],
    [],
  ]);
  const [, [event] = []] = found(spec, [readAt(NOON, heron()), readAt(NOON, enough)], 'all');
  expect(alerted(launches, event!)).toBe(
    ['▲ | Heron Flats | $960K', '128% | $750K | Nov 23, 12:00 UTC', '/launches /treasury heron-flats'].join('\n'),
  );
  const [headline, details] = alertLines(launches, event!);
  expect(headline).toMatch(/\breached its minimum\b.*\bcommitted\b/u);
  expect(details).toMatch(/\bends\b.*\bany wallet\b/u);
  expect(ids([readAt(NOON, heron()), readAt(NOON, heron({ minimum: decimal('0') }))]).flat()).toEqual([]);
});

test('an amount that is restated after the result reaches no minimum any more', () => {
  const after = (hours: number, committed: string) =>
    readAt(later(END, hours * HOUR), heron({ state: 'Refunding', committed: decimal(committed) }));
  expect(ids([readAt(NOON, heron()), after(1, '700000'), after(2, '900000')])).toEqual([[], [id('refunding')], []]);
  // Both were new at once: the minimum is a part of how it went.
  expect(ids([readAt(NOON, heron()), after(1, '900000')]).at(-1)).toContain(id('minimum'));
});

test('a raise that failed is refunding', () => {
  const [, [event] = []] = found(spec, [readAt(NOON, heron()), readAt(later(END, HOUR), heron({ state: 'Refunding' }))], 'all');
  expect(event?.id).toBe(id('refunding'));
  expect(alerted(launches, event!)).toMatch(/^▼ \| Heron Flats \| \$0$/m);
  expect(alertLines(launches, event!)[0]).toMatch(/\brefunding\b.*\bcommitted\b/u);
});

test("a state nobody knows is reported in the service's own word", () => {
  const [, [event] = []] = found(spec, [readAt(NOON, heron()), readAt(NOON, heron({ state: 'Frozen' }))], 'all');
  expect(alerted(launches, event!)).toContain(
    [' | Heron Flats | "frozen" | $0', '0% | $750K', '/launches /treasury heron-flats'].join('\n'),
  );
});

describe('an undated launch that was never seen', () => {
  const unknown: TrackedLaunch = { address: 'OLD', title: 'Alder Works', state: 'Complete', mint: 'mint-a' };
  test('is new when an earlier check met every row', () => {
    expect(ids([blank, readAt(NOON, unknown)])[1]).toEqual(['launches/OLD/live', 'launches/OLD/complete']);
  });
  test('may only have been hidden when none did, and is adopted without a word', () => {
    const part = snapshotOf<readonly TrackedLaunch[]>([], { complete: false, hidden: 4 });
    const damaged = snapshotOf<readonly TrackedLaunch[]>([], { broken: 1 });
    for (const first of [part, damaged]) expect(ids([first, readAt(NOON, unknown), readAt(NOON, unknown)]).flat()).toEqual([]);
  });
});

describe('the graveyard', () => {
  const ended = { reason: 'liquidated', at: later(NOON, -12 * HOUR), raised: decimal('3000000.5') };
  test('is reported with its reason, and at a known launch it happened since the last check, whatever day it is dated', () => {
    const complete = heron({ state: 'Complete' });
    const [, [event] = []] = found(spec, [readAt(NOON, complete), readAt(NOON, { ...complete, ended })], 'all');
    expect(event).toMatchObject({ id: id('graveyard'), occurredAt: undefined, project: 'heron-flats' });
    expect(alerted(launches, event!)).toBe('▼ | Heron Flats | $3.00M\n/launches graveyard /treasury heron-flats');
    expect(alertLines(launches, event!)[0]).toMatch(/\(HERN\).*\bwound down\b.*\bliquidated\b/u);
  });
  test('keeps its dates when it may only have been hidden before', () => {
    const complete = heron({ state: 'Complete' });
    const part = snapshotOf<readonly TrackedLaunch[]>([complete], { complete: false });
    const [, [event] = []] = found(spec, [part, readAt(NOON, { ...complete, ended })], 'all');
    expect(event?.occurredAt).toBe(ended.at);
  });
  test('announces nothing where it does not say in what state the launch was', () => {
    expect(ids([blank, readAt(NOON, { address: 'HER0', title: 'Heron Flats', ended })])[1]).toEqual([id('graveyard')]);
  });
});

test('a state that is missing for a while announces nothing again', () => {
  expect(ids([readAt(NOON, heron()), readAt(NOON, heron({ state: undefined })), readAt(NOON, heron())]).flat()).toEqual([]);
});

describe('joining the lists', () => {
  const row = { address: 'HER0', title: 'Heron Flats', symbol: 'HERN', minimum: undefined, committed: undefined, accepted: undefined };
  const recent = {
    ...row,
    ...{ state: 'Live', mint: 'mint-h', slug: 'heron-flats', startedAt: BEGUN, runsFor: LENGTH, permissionless: true },
    ...{ committed: decimal('10'), price: undefined, icoReturn: undefined, fdv: undefined },
  };
  const completed = { ...row, state: 'Complete', mint: undefined, price: undefined, holders: 812, accepted: decimal('7') };
  const graveyard = {
    ...row,
    ...{ state: undefined, title: undefined, slug: undefined, reason: 'liquidated', endedAt: NOON, raised: decimal('7') },
    ...{ target: undefined, icoPrice: undefined, investors: undefined },
  };

  test('what a later list does not say an earlier one does', () => {
    expect(joinLists({ recent: [recent], completed: [completed], graveyard: [graveyard] })).toEqual([
      expect.objectContaining({
        ...{
          slug: 'heron-flats',
          mint: 'mint-h',
          state: 'Complete',
          title: 'Heron Flats',
          committed: '10',
          accepted: '7',
          startedAt: BEGUN,
        },
        ended: { reason: 'liquidated', at: NOON, raised: '7' },
      }),
    ]);
  });

  test('a completed row finds its project by address, remembered from an earlier check', () => {
    const [, [event] = []] = found(
      spec,
      [readAt(NOON, heron()), readAt(later(END, HOUR), { address: 'HER0', state: 'Complete', title: 'Heron Flats' })],
      'all',
    );
    expect(event).toMatchObject({ stage: 'complete', project: 'heron-flats' });
  });

  test('a completed row finds its project by mint, from an earlier check or from the same one', () => {
    const other: TrackedLaunch = { address: 'NEW', mint: 'mint-h', state: 'Complete', title: 'Heron Flats' };
    const [, earlier = []] = found(spec, [readAt(NOON, heron()), readAt(NOON, other)], 'all');
    const [, same = []] = found(spec, [blank, readAt(NOON, other, heron())], 'all');
    for (const events of [earlier, same]) {
      expect(events.find(({ stage }) => stage === 'complete')).toMatchObject({ project: 'heron-flats' });
    }
  });

  test('a launch nobody can place still is reported, by its title', () => {
    const [, events = []] = found(spec, [blank, readAt(NOON, { address: 'X', mint: 'm', state: 'Complete', title: 'Alder' })], 'all');
    expect(events.at(-1)?.project).toBeUndefined();
    expect(alerted(launches, events.at(-1)!)).toBe(['▲', '/launches completed'].join('\n'));
    expect(alertLines(launches, events.at(-1)!)[0]).toMatch(/^Alder\b.*\bcompleted\b/u);
  });
});

test('a launch whose dates are unknown reaches its stages all the same', () => {
  expect(reachedStages({ address: 'A', state: 'Live' }, NOON)).toEqual([{ stage: 'live', at: undefined }]);
  expect(reachedStages({ address: 'A' }, NOON)).toEqual([{ stage: 'new', at: undefined }]);
});

describe('through the real client', () => {
  const live = {
    ...{
      launchAddr: 'HER0',
      baseMint: 'mint-h',
      title: 'Heron Flats',
      organizationSlug: 'heron-flats',
      tokenSymbol: 'HERN',
      state: 'Live',
    },
    ...{ minimumRaiseAmount: '750000000000', committedAmount: 10_000_000, fundsAccepted: null, fdv: null },
    ...{ unixTimestampStarted: String(BEGUN / 1_000), secondsForLaunch: String(LENGTH / 1_000) },
  };
  type Answers = Readonly<Record<'recent-launches' | 'info' | 'graveyard-launches', (asked: Asked) => void>>;
  const none = (asked: Asked) => answerPage(asked, []);
  const service = async (answers: Partial<Answers>) =>
    serve((asked) => (answers[(asked.path.split('/').at(-1) ?? '') as keyof Answers] ?? none)(asked));

  test('raw amounts are reported as dollars, and the raise that closes between two checks as closed', async () => {
    let rows: unknown[] = [];
    const { url } = await service({ 'recent-launches': (asked) => answerPage(asked, rows) });
    const { analytics } = await connect(url);
    const first = await launches.check('all', undefined, background(analytics));
    rows = [live];
    const second = await launches.check('all', first.watermark, background(analytics));
    expect(second.events.map((event) => [event.id, event.project])).toEqual([[id('live'), 'heron-flats']]);
    expect(second.events[0]?.facts).toMatchObject({ minimum: '750000', committed: '10' });
    rows = [{ ...live, state: 'Complete', fundsAccepted: '750000000000' }];
    const third = await launches.check('all', second.watermark, background(analytics));
    expect(third.events.map((event) => event.id)).toEqual([id('complete')]);
  });

  test.each([
    ['hidden by the plan', (asked: Asked) => reply(asked, '{}', { status: 403 })],
    ['gone', (asked: Asked) => reply(asked, '{}', { status: 404 })],
    ['of a wrong shape', (asked: Asked) => answerWith(asked, 'nothing')],
  ])('a list that is %s costs only itself, and the check says it is not complete', async (_, answer) => {
    const { url } = await service({ 'recent-launches': (asked) => answerPage(asked, [live]), 'graveyard-launches': answer });
    const { analytics } = await connect(url);
    const seen = await launches.check('all', { known: {}, whole: true }, background(analytics));
    expect(seen.complete).toBe(false);
    expect(seen.events.map((event) => event.id)).toEqual([id('live')]);
  });

  test('a list that is down fails the check, so that nothing is judged on half of it', async () => {
    const { url } = await service({ info: (asked) => reply(asked, 'down', { status: 501 }) });
    const { analytics } = await connect(url, { clock: hastyClock() });
    await expect(launches.check('all', undefined, background(analytics))).rejects.toMatchObject({ trouble: 'unreachable' });
  });

  test('when no list can be had the check fails', async () => {
    const refuse = (asked: Asked) => reply(asked, '{}', { status: 403 });
    const { url } = await service({ 'recent-launches': refuse, info: refuse, 'graveyard-launches': refuse });
    const { analytics } = await connect(url);
    await expect(launches.check('all', undefined, background(analytics))).rejects.toMatchObject({ trouble: 'forbidden' });
  });
});

test('a live launch is under way until its end, and most in its last hours', () => {
  const live = heron();
  expect(spec.priorityWindows?.([live, heron({ address: 'X', state: 'Complete' })])).toEqual([
    { kind: 'launch', decisiveFrom: later(END, -6 * HOUR), endsAt: END },
  ]);
});

test('a first check finds the stages that the service dates after the watch began', async () => {
  const now = later(BEGUN, HOUR);
  expect(await firstCheck(spec, { check: readAt(now, asAt(now)), since: later(BEGUN, -MINUTE), subject: 'all' })).toContain(id('live'));
  expect(await firstCheck(spec, { check: readAt(now, asAt(now)), since: now, subject: 'all' })).toEqual([]);
});

test('numbers that change after a launch ended correct the event that reported them', () => {
  const after = later(END, DAY);
  const done = (accepted: string) => readAt(after, heron({ state: 'Complete', committed: decimal('960000'), accepted: decimal(accepted) }));
  const { watermark } = spec.diff('all', spec.diff('all', undefined, blank).watermark, done('750000'));
  expect(spec.diff('all', watermark, done('750000.00')).corrections).toEqual([]);
  const changed = spec.diff('all', watermark, done('740000'));
  expect(changed.corrections).toMatchObject([
    { event: id('complete'), was: '$750,000.00', now: '$740,000.00', facts: { accepted: '740000' } },
  ]);
  expect(spec.diff('all', changed.watermark, done('740000')).corrections).toEqual([]);
});

test('an end that moves a minute at each check is an extension an hour, and ends soon once', () => {
  const near = later(END, -HOUR);
  const checks = Array.from({ length: 180 }, (_, minute) =>
    readAt(later(near, minute * MINUTE), heron({ runsFor: LENGTH + minute * MINUTE })),
  );
  const events = ids([blank, ...checks]).flat();
  expect(events).toEqual([
    ...[id('live'), id(`ending/${LENGTH}`)],
    ...[1, 2].flatMap((hours) => [id(`extended/${LENGTH + hours * HOUR}`), id(`ending/${LENGTH + hours * HOUR}`)]),
  ]);
});

test('numbers that change at every check are corrected after pauses that grow, and at last once more', () => {
  const after = later(END, DAY);
  const done = (minute: number, accepted: number) =>
    readAt(later(after, minute * MINUTE), heron({ state: 'Complete', committed: decimal('960000'), accepted: decimal(accepted) }));
  let { watermark } = spec.diff('all', spec.diff('all', undefined, blank).watermark, done(0, 750_000));
  const corrected = Array.from({ length: 24 * 60 }, (_, minute) => {
    const found = spec.diff('all', watermark, done(minute, 750_001 + minute));
    watermark = spec.watermark.parse(JSON.parse(JSON.stringify(found.watermark)));
    return (found.corrections ?? []).map(() => minute);
  }).flat();
  expect(corrected).toEqual([0, 5, 15, 35, 75, 155, 315, 635, 1275]);
});

describe('while no lists have been whole', () => {
  const part = (after: number, ...all: TrackedLaunch[]) =>
    snapshotOf<readonly TrackedLaunch[]>(all, { at: later(BEGUN, after), complete: false });
  const empty = heron({ committed: decimal('10') });
  const enough = heron({ committed: decimal('960000') });

  test('an undated stage of a known launch is an event, and one of an unknown launch is not', () => {
    expect(ids([part(HOUR, empty), part(2 * HOUR, enough)])).toEqual([[], [id('minimum')]]);
    expect(ids([part(HOUR), part(2 * HOUR, enough)])).toEqual([[], [id('live')]]);
    expect(ids([part(HOUR), part(2 * HOUR, empty), part(3 * HOUR, enough)]).slice(2)).toEqual([[id('minimum')]]);
  });

  test('lists that were whole once make an undated stage of an unknown launch an event from then on', () => {
    const broken = snapshotOf<readonly TrackedLaunch[]>([], { at: BEGUN, broken: 1 });
    expect(ids([readAt(BEGUN), part(HOUR), part(2 * HOUR, enough)])).toEqual([[], [], [id('live'), id('minimum')]]);
    expect(ids([broken, part(2 * HOUR, enough)])).toEqual([[], [id('live')]]);
  });

  test('what is found in the graveyard keeps its date, because the graveyard may have been hidden; what ended has none', () => {
    const buried = heron({ state: 'Closed', ended: { at: later(BEGUN, -DAY) } });
    const datesOf = (first: ReturnType<typeof readAt>) =>
      found(spec, [first, readAt(later(END, HOUR), buried)], 'all')[1]?.map(({ stage, occurredAt }) => [stage, occurredAt]);
    expect(datesOf(part(HOUR, empty))).toEqual([
      ['closed', undefined],
      ['graveyard', later(BEGUN, -DAY)],
    ]);
    expect(datesOf(readAt(later(BEGUN, HOUR), empty))).toEqual([
      ['closed', undefined],
      ['graveyard', undefined],
    ]);
  });
});
