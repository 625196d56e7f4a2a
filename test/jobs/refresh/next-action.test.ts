import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND, instant, later } from '../../../src/base/clock.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import {
  accepted,
  blank,
  checked,
  intending,
  pauseUntil,
  refused,
  type WalletDocument,
  type WalletState,
} from '../../../src/jobs/refresh/document.js';
import { nextAction, type TargetState } from '../../../src/jobs/refresh/next-action.js';
import { runs } from '../../support/properties.js';

const NOW = instant(Date.UTC(2026, 10, 21, 12));
const ADDRESS = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
const FRESH: TargetState = { kind: 'fresh', maxAge: HOUR };
const ASKED: TargetState = { kind: 'now' };

const of = (parts: Partial<WalletDocument> = {}): WalletDocument => ({ ...blank(ADDRESS), ...parts });
const seen = (overview: Partial<WalletState['overview']> = {}, at = NOW): WalletState => ({
  at,
  overview: { snapshotAt: later(NOW, -2 * HOUR), limited: false, retryAfterSeconds: undefined, job: undefined, ...overview },
});
const actionFor = (
  document: WalletDocument,
  { seenState, target = FRESH, now = NOW }: { seenState?: WalletState; target?: TargetState; now?: typeof NOW } = {},
) => nextAction({ document, seen: seenState, target, now });

describe('the next move', () => {
  test('about a wallet that is not known is to read it, and where nothing stands in the way to ask', () => {
    expect(actionFor(of())).toEqual({ kind: 'read' });
    expect(actionFor(of(), { seenState: seen() })).toEqual({ kind: 'ask', token: undefined });
    expect(actionFor(of(), { seenState: seen({ snapshotAt: undefined }) })).toEqual({ kind: 'ask', token: undefined });
  });

  test('about a young snapshot is to rest until it is old, without reading anything', () => {
    const wholeAt = later(NOW, -10 * MINUTE);
    expect(actionFor(of({ snapshotAt: wholeAt, wholeAt }))).toEqual({ kind: 'rest', until: later(wholeAt, HOUR), because: 'fresh' });
    expect(actionFor(of(), { seenState: seen({ snapshotAt: wholeAt }) })).toMatchObject({ kind: 'rest', because: 'fresh' });
    expect(actionFor(of({ wholeAt }), { now: later(wholeAt, HOUR) })).toEqual({ kind: 'read' });
  });

  test('about one that is young for a single token alone is the same as about an old one', () => {
    const young = later(NOW, -MINUTE);
    expect(actionFor(of({ partials: [young], wholeAt: later(NOW, -2 * HOUR) }), { seenState: seen({ snapshotAt: young }) })).toMatchObject({
      kind: 'ask',
    });
  });

  test('while a job runs there is to follow it, whatever else the service says', () => {
    const seenState = seen({ job: { id: 'job-1', status: 'odd' }, limited: true, retryAfterSeconds: 60 });
    expect(actionFor(of(), { seenState })).toEqual({ kind: 'follow', id: 'job-1' });
    expect(actionFor(of({ job: { id: 'job-1', since: NOW } }), { seenState })).toEqual({ kind: 'check' });
    expect(actionFor(of({ job: { id: 'job-1', since: NOW } }), { target: { kind: 'finish' } })).toEqual({ kind: 'check' });
  });

  test('where it is limited is to wait from the response, for a quarter of an hour where no time is stated', () => {
    const readState = later(NOW, -3 * SECOND);
    expect(actionFor(of(), { seenState: seen({ limited: true, retryAfterSeconds: 240 }, readState) })).toEqual({
      ...{ kind: 'pause', until: later(readState, 240 * SECOND), because: 'limited' },
    });
    expect(actionFor(of(), { seenState: seen({ retryAfterSeconds: 240 }) })).toMatchObject({ kind: 'pause', because: 'limited' });
    expect(actionFor(of(), { seenState: seen({ limited: true }) })).toEqual({
      kind: 'pause',
      until: later(NOW, 15 * MINUTE),
      because: 'untold',
    });
    expect(actionFor(of(), { seenState: seen({ limited: true, retryAfterSeconds: 240 }), now: later(NOW, 240 * SECOND) })).toMatchObject({
      kind: 'ask',
    });
  });

  test('after a request without an answer is to read first, then to wait; a person waits too', () => {
    const document = of({ intent: { at: later(NOW, -MINUTE) } });
    for (const target of [FRESH, ASKED, { kind: 'finish' } as const]) {
      expect(actionFor(document, { target })).toEqual({ kind: 'read' });
      expect(actionFor(document, { target, seenState: seen() })).toEqual({
        kind: 'pause',
        until: later(NOW, 14 * MINUTE),
        because: 'untold',
      });
    }
    expect(actionFor(document, { seenState: seen({ snapshotAt: NOW }) })).toMatchObject({ kind: 'rest', because: 'fresh' });
    expect(actionFor(document, { seenState: seen(), now: later(NOW, 14 * MINUTE) })).toMatchObject({ kind: 'ask' });
    // The service counts in whole seconds.
    const sameSecond = of({ intent: { at: later(NOW, 400) } });
    expect(actionFor(sameSecond, { seenState: seen({ snapshotAt: NOW }), now: later(NOW, SECOND) })).toMatchObject({ because: 'fresh' });
  });

  test('keeps what is known of a wallet whose overview has no snapshot', () => {
    const wholeAt = later(NOW, -MINUTE);
    const known = { snapshotAt: wholeAt, wholeAt };
    expect(actionFor(of(known), { seenState: seen({ snapshotAt: undefined }) })).toMatchObject({ kind: 'rest', because: 'fresh' });
  });

  test('after one that was refused without a number is the same, from when it was refused', () => {
    const document = refused(intending(of(), later(NOW, -MINUTE), undefined), undefined, NOW);
    expect(actionFor(document, { seenState: seen({ snapshotAt: NOW }) })).toEqual({
      kind: 'pause',
      until: later(NOW, 15 * MINUTE),
      because: 'untold',
    });
    expect(actionFor(document, { seenState: seen({ retryAfterSeconds: 30 }) })).toEqual({
      kind: 'pause',
      until: later(NOW, 30 * SECOND),
      because: 'limited',
    });
  });

  test('of a pause that we chose need not keep a person who asks; one that the service chose does', () => {
    const until = later(NOW, HOUR);
    for (const because of ['failed', 'given-up'] as const) {
      expect(actionFor(of({ pause: { until, because } }))).toEqual({ kind: 'rest', until, because });
      expect(actionFor(of({ pause: { until, because } }), { target: ASKED })).toEqual({ kind: 'read' });
    }
    for (const because of ['limited', 'untold'] as const)
      expect(actionFor(of({ pause: { until, because } }), { target: ASKED })).toEqual({ kind: 'rest', until, because });
  });

  test('with accounts left behind is to go on with the same, five times', () => {
    const wholeAt = NOW;
    for (const resumed of [0, 1, 2, 3, 4])
      expect(actionFor(of({ wholeAt, left: { accounts: 2, token: 'mint', resumed } }), { seenState: seen({ snapshotAt: NOW }) })).toEqual({
        kind: 'ask',
        token: 'mint',
      });
    expect(actionFor(of({ wholeAt, left: { accounts: 2, resumed: 5 } }))).toMatchObject({ kind: 'rest', because: 'fresh' });
  });

  test('when nothing is wanted is nothing', () => {
    expect(actionFor(of(), { target: { kind: 'finish' } })).toEqual({ kind: 'rest', because: 'done' });
  });

  test('after a refresh that left the snapshot as old as it was is not to ask again at once', () => {
    expect(actionFor(of({ wholeAt: later(NOW, -9 * HOUR), doneAt: NOW }))).toMatchObject({ kind: 'rest', until: later(NOW, 15 * MINUTE) });
  });
});

test('whatever is remembered, stated and wanted, nothing is asked for while the service is known not to take it', () => {
  const moment = fc.integer({ min: -7_200, max: 7_200 }).map((seconds) => later(NOW, seconds * SECOND));
  const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });
  const document = fc.record({
    wholeAt: maybe(moment),
    partials: fc.array(moment, { maxLength: 3 }),
    job: maybe(fc.record({ id: fc.constant('job'), since: moment })),
    intent: maybe(fc.record({ at: moment, refusedAt: maybe(moment) })),
    pause: maybe(fc.record({ until: moment, because: fc.constantFrom('limited' as const, 'untold' as const, 'failed' as const) })),
    left: maybe(fc.record({ accounts: fc.nat(3), resumed: fc.nat(7) })),
  });
  const seenState = maybe(
    fc.record({
      snapshotAt: maybe(moment),
      limited: fc.boolean(),
      retryAfterSeconds: maybe(fc.integer({ min: 1, max: 9_000 })),
      at: moment,
    }),
  );
  const target = fc.constantFrom<TargetState>(FRESH, ASKED, { kind: 'finish' });
  fc.assert(
    fc.property(document, seenState, target, (parts, overview, wanted) => {
      const readState = overview && seen(overview, overview.at);
      const next = actionFor(of(parts), { target: wanted, ...(readState === undefined ? {} : { seenState: readState }) });
      if (next.kind !== 'ask') return;
      expect(readState).toBeDefined();
      expect(parts.job).toBeUndefined();
      expect(parts.pause !== undefined && parts.pause.because !== 'failed' && parts.pause.until > NOW).toBe(false);
      expect(pauseUntil(overview?.retryAfterSeconds, overview?.at ?? NOW) ?? NOW).toBeLessThanOrEqual(NOW);
    }),
    { numRuns: runs(500) },
  );
});

describe('an instant', () => {
  test('counts from when the answer arrived and is rounded up to a whole second', () => {
    expect(pauseUntil(240, instant(1_500))).toBe(242_000);
    expect(pauseUntil(0.2, instant(1_000))).toBe(2_000);
    expect([pauseUntil(0, NOW), pauseUntil(-5, NOW), pauseUntil(undefined, NOW), pauseUntil(Number.NaN, NOW)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(Number.isFinite(new Date(pauseUntil(1e300, NOW) ?? Number.NaN).getTime())).toBe(true);
  });
});

describe('a job that was asked about', () => {
  const job = { id: 'job-1', since: NOW };
  const status = { status: 'running', tokens: 4, tokensDone: 2, transactions: 33, incomplete: 0, snapshotAt: undefined, error: undefined };
  const ask = (parts: Partial<typeof status> | { error: string } | { snapshotAt: typeof NOW }, now = later(NOW, MINUTE)) =>
    checked(of({ job }), { job, status: { ...status, ...parts }, now });

  test('runs on under any word that is not completed', () => {
    for (const word of ['queued', 'running', 'paused', 'failed', undefined]) expect(ask({ status: word as string }).end).toBeUndefined();
    expect(ask({ status: 'COMPLETED' }).end).toMatchObject({ kind: 'completed' });
  });

  test('has failed when it carries an error, even where it calls itself completed', () => {
    expect(ask({ status: 'completed', error: 'no node answered' } as never).end).toEqual({ kind: 'failed', says: 'no node answered' });
  });

  test('of one token is remembered for the last eight snapshots', () => {
    const each = Array.from({ length: 10 }, (_, minute) => later(NOW, minute * MINUTE));
    const ofOne = { ...job, token: 'mint' };
    let document = of();
    for (const snapshotAt of each) {
      const done = { ...status, status: 'completed', snapshotAt };
      ({ document } = checked({ ...document, job: ofOne }, { job: ofOne, status: done, now: NOW }));
    }
    expect(document.partials).toEqual(each.slice(2));
    expect(document.wholeAt).toBeUndefined();
  });

  test('is given up after half an hour, and the same one not waited for again', () => {
    const { document, end } = ask({}, later(NOW, 30 * MINUTE));
    expect(end).toEqual({ kind: 'given-up', after: 30 * MINUTE });
    const again = accepted(document, { jobId: 'job-1', alreadyRunning: true }, later(NOW, 50 * MINUTE));
    expect(again.job?.since).toBe(NOW);
    expect(accepted(document, { jobId: 'job-2', alreadyRunning: false }, later(NOW, 50 * MINUTE)).job?.since).toBe(later(NOW, 50 * MINUTE));
  });
});
