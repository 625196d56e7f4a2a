/** What did not come, and the one sentence that `/why` has for it: the first step of the way that is not fine. */
import { expect, test } from 'vitest';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { lastMeasurements, type CheckRecord } from '../../../src/alerts/checks/check-records.js';
import { routeMeasurements } from '../../../src/alerts/evaluation/route-measurements.js';
import { createWhy, dispositionLine, type OneSubject } from '../../../src/alerts/explanation/explain.js';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/base/clock.js';
import { lineText } from '../../../src/chat/plain-text.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import { slug, type Decimal, type Instant } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import type { Measurement } from '../../../src/feeds/feed.js';
import { handClock } from '../../support/clock.js';
import { ALL, burn, CHAT, openAlertsHarness, TIDE } from '../harness.js';
import { measurement, rules } from '../measurements.js';

type Harness = Awaited<ReturnType<typeof openAlertsHarness>>;
const WALLET = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');

const looked = async (
  { checkRecords, clock }: Harness,
  extra: Partial<CheckRecord> = {},
  measurements: readonly Measurement[] = [],
): Promise<void> =>
  checkRecords.record(
    {
      ...{ feed: 'supply', subject: 'tide', triedAt: clock.now(), okAt: clock.now(), failures: 0 },
      ...{ hidden: 0, broken: 0, complete: true },
      ...extra,
    },
    measurements,
  );

/** The step at which it ended, and what is said there. */
async function answer(harness: Harness, feed = 'supply', subject: OneSubject = { project: slug('tide') }): Promise<string> {
  const { steps } = await createWhy({ ...harness, now: () => harness.clock.now() }).ofSilence(CHAT, subject, feed);
  const step = steps.find(({ ok }) => !ok);
  return step === undefined ? 'it came' : `${step.name}: ${lineText(step.says, harness.clock.now())}`;
}

/** The steps before that one. */
async function passed(harness: Harness): Promise<readonly string[]> {
  const { steps } = await createWhy({ ...harness, now: () => harness.clock.now() }).ofSilence(CHAT, { project: slug('tide') }, 'supply');
  return steps
    .slice(
      0,
      steps.findIndex(({ ok }) => !ok),
    )
    .map(({ name }) => name);
}

async function watching(
  extra: Parameters<Harness['watch']>[1] = {},
  options: Parameters<typeof openAlertsHarness>[0] = {},
): Promise<Harness> {
  const harness = await openAlertsHarness(options);
  await harness.watch(TIDE, extra);
  await looked(harness);
  return harness;
}

const deliverAfter = async (harness: Harness, wait: number): Promise<void> => {
  await harness.clock.advance(wait);
  await deliver(CHAT, harness.context, harness.signal);
};

const worth = (event: FeedEvent, usd: string): FeedEvent => ({ ...event, facts: { ...event.facts, usd } });

test('not watched', async () => {
  expect(await answer(await openAlertsHarness())).toBe('watched: this chat does not watch it');
});

test('switched off', async () => {
  const harness = await watching({ modes: { supply: 'off' } });
  await harness.announce(burn(1, harness.clock.now()));
  expect(await answer(harness)).toBe('watched: supply alerts are off for tide');
});

test('not checked yet', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE);
  expect(await answer(harness)).toBe('checked: not checked yet');
});

test('the service has nothing of the kind', async () => {
  const harness = await watching();
  await looked(harness, { failures: 2, problem: 'unknown', okAt: undefined });
  expect(await answer(harness)).toBe('checked: the service has no supply data for it; last checked 12:00 UTC');
});

test('the service is failing', async () => {
  const harness = await watching();
  await looked(harness, { failures: 3, problem: 'timeout', okAt: later(harness.clock.now(), -HOUR) });
  expect(await answer(harness)).toBe('checked: the last 3 checks failed: the service took too long; last success 11:00 UTC');
});

test("the month's requests are used up", async () => {
  const harness = await watching();
  await looked(harness, { failures: 1, problem: 'budget-spent', okAt: later(harness.clock.now(), -DAY) });
  expect(await answer(harness)).toBe("checked: the last check failed: this month's API budget is used up; last success Nov 19, 12:00 UTC");
});

test('the plan hides rows', async () => {
  const harness = await watching();
  await looked(harness, { hidden: 12, complete: false });
  expect(await answer(harness)).toBe("readable: tide supply: the data plan hides 12 rows. Changes in them can't be detected");
});

test('a row is unreadable', async () => {
  const harness = await watching();
  await looked(harness, { broken: 1, complete: false });
  expect(await answer(harness)).toBe("readable: tide supply: 1 row couldn't be read. Alerts follow as soon as possible");
});

test('nothing changed', async () => {
  expect(await answer(await watching())).toBe('changed: nothing has changed since the first check');
});

test('from before the watch began', async () => {
  const harness = await watching();
  await harness.watch(TIDE, { since: harness.clock.now() });
  await harness.announce(burn(1, later(harness.clock.now(), -MINUTE)));
  expect(await answer(harness)).toBe('since: before the watch began: from 11:59 UTC, watched since 12:00 UTC');
  expect(await passed(harness)).toEqual(['watched', 'checked', 'readable', 'changed']);
});

test('under the filter', async () => {
  const harness = await watching({ rules: rules('supply usd>10000') });
  await harness.announce(worth(burn(12, harness.clock.now()), '9.94'));
  expect(await answer(harness)).toBe('filter: burn of $9.94 is below your $10K filter');
  expect(await passed(harness)).toEqual(['watched', 'checked', 'readable', 'changed', 'since']);
});

test('under the filter of the project\'s own entry, although "all" wants everything', async () => {
  const harness = await watching({ rules: rules('supply usd>10000') });
  await harness.watch(ALL);
  await harness.announce(worth(burn(12, harness.clock.now()), '9.94'));
  expect(await answer(harness)).toBe('filter: burn of $9.94 is below your $10K filter');
});

test('a stage that is not wanted', async () => {
  const harness = await watching({ rules: rules('supply stages:mint') });
  await harness.announce(burn(1, harness.clock.now()));
  expect(await answer(harness)).toBe('filter: burn is not among your stages (mint)');
});

test('a single rank change, where a rule on ranks replaces it', async () => {
  const harness = await openAlertsHarness();
  await harness.watch({ kind: 'wallet', address: WALLET, label: 'fund-1' }, { rules: rules('wallet rank move 3') });
  await looked(harness, { feed: 'wallet', subject: WALLET });
  const facts = { about: 'holding', token: 't', now: '5', at: harness.clock.now(), rank: 3, wasRank: 4 };
  await harness.announce(burn(1, harness.clock.now(), { feed: 'wallet', stage: 'rank', project: undefined, wallet: WALLET, facts }));
  const { steps } = await createWhy({ ...harness, now: () => harness.clock.now() }).ofSilence(CHAT, { wallet: WALLET }, 'wallet');
  expect(steps.filter(({ ok }) => !ok).map(({ name, says }) => `${name}: ${lineText(says, harness.clock.now())}`)).toEqual([
    'filter: rank changes are alerted by your rule (rank moves by 3 places)',
  ]);
});

test('muted', async () => {
  const harness = await watching({ mutedUntil: later(handClock().now(), DAY) });
  await harness.announce(burn(1, harness.clock.now()));
  expect(await answer(harness)).toBe('muted: tide is muted here; will be sent Nov 21, 12:00 UTC');
  await harness.watch(TIDE, { mutedKinds: { supply: later(harness.clock.now(), HOUR) } });
  expect(await answer(harness)).toBe('muted: supply alerts of tide are muted here; will be sent 13:00 UTC');
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), 2 * HOUR) }));
  expect(await answer(harness)).toBe('muted: this chat is muted; will be sent 14:00 UTC');
});

test('quiet hours', async () => {
  const harness = await watching();
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, timezone: 'Europe/Berlin', quiet: { from: '12:00', to: '15:30' } }));
  await harness.announce(burn(1, harness.clock.now()));
  expect(await answer(harness)).toBe('muted: quiet hours in this chat; will be sent 14:30 UTC');
});

test('gathered with what else happens', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  await harness.clock.advance(SECOND);
  expect(await answer(harness)).toBe('grouped: waiting a few seconds to group with other events; queued 12:00 UTC');
});

test('gathered for the summary after an outage', async () => {
  const harness = await watching();
  await harness.announceLate('service', burn(1, harness.clock.now()));
  await harness.clock.advance(SECOND);
  expect(await answer(harness)).toBe('grouped: waiting for the catch-up summary; queued 12:00 UTC');
});

test('rate limited by the platform', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  harness.to.answers({ kind: 'later', because: 'rate-limited', afterMs: 10 * MINUTE });
  await deliverAfter(harness, 5 * SECOND);
  expect(await answer(harness)).toBe('sent: the platform is rate limiting the bot (attempt 1); next try 12:10 UTC');
});

test('muted while it did not get through', async () => {
  for (const [outcome, says] of [
    [{ kind: 'later', because: 'unreachable' }, 'muted: this chat is muted; will be sent Nov 21, 12:00 UTC'],
    [{ kind: 'unclear', because: 'timeout' }, 'next try Nov 21, 12:00 UTC'],
  ] as const) {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    harness.to.answers(outcome);
    await deliverAfter(harness, 5 * SECOND);
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), DAY) }));
    expect(await answer(harness)).toContain(says);
  }
});

test('behind an alert that did not get through', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  harness.to.answers({ kind: 'later', because: 'unreachable', afterMs: 10 * MINUTE });
  await deliverAfter(harness, 5 * SECOND);
  await harness.announce(burn(2, harness.clock.now()));
  expect(await answer(harness)).toBe(
    'grouped: waiting for an earlier alert to go through: the platform cannot be reached; next try 12:10 UTC',
  );
});

test('a permission is missing', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  harness.to.answers({ kind: 'not-permitted', because: 'I lack Embed Links' });
  await deliverAfter(harness, 5 * SECOND);
  expect(await answer(harness)).toBe('sent: I lack Embed Links (attempt 1); next try 12:15 UTC');
});

test('too old after an outage', async () => {
  const harness = await watching({ since: later(handClock().now(), -30 * DAY) });
  await harness.announceLate('bot', burn(1, harness.clock.now(), { occurredAt: later(harness.clock.now(), -4 * DAY) }));
  await deliverAfter(harness, HOUR);
  expect(await answer(harness)).toMatch(/^sent: not delivered: .*72 h.*; given up 13:00 UTC$/u);
});

/** A chat with a rule on the premium that has heard these values, one an hour. */
async function measuredCheck(rule: string, values: readonly number[], past: readonly number[] = []): Promise<Harness> {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE, { rules: rules(rule), since: later(harness.clock.now(), -30 * DAY) });
  const start = harness.clock.now();
  const history = past.map((value, day) => ({ at: later(start, -(day + 1) * DAY), value: String(value) as Decimal }));
  for (const value of values) {
    const measurements = [measurement(value, harness.clock.now(), { history })];
    const before = harness.checkRecords.read('premium', 'tide')?.measurements ?? [];
    await routeMeasurements({ measurements, first: false, before }, { ...harness, now: harness.clock.now() });
    await looked(harness, { feed: 'premium', measurements: lastMeasurements(measurements) }, measurements);
    await harness.clock.advance(HOUR);
  }
  return harness;
}
const premium = async (harness: Harness): Promise<string> => answer(harness, 'premium');

test('a level that is not reached, with how far it is', async () => {
  expect(await premium(await measuredCheck('premium<-10', [-2, -5.2]))).toBe(
    'changed: premium below −10% (re-arms above −8%): −5.2%, read 13:00 UTC; not reached, 4.8 pts from the threshold',
  );
});

test('a level inside its hysteresis, with where it must come back to', async () => {
  const harness = await measuredCheck('premium<-10', [-2, -11, -9]);
  await deliverAfter(harness, MINUTE);
  expect(await premium(harness)).toBe(
    'changed: premium below −10% (re-arms above −8%): −9.0%, read 14:00 UTC; alerted 13:00 UTC, not re-armed yet: re-arms above −8%',
  );
});

test('a level it stood beyond already', async () => {
  expect(await premium(await measuredCheck('premium<-10', [-12, -11]))).toBe(
    'changed: premium below −10% (re-arms above −8%): −11.0%, read 13:00 UTC; already beyond the threshold at the first check; re-arms above −8%',
  );
});

test('the first check', async () => {
  expect(await premium(await measuredCheck('premium<-10', [-5]))).toBe(
    'changed: premium below −10% (re-arms above −8%): −5.0%, read 12:00 UTC; the first check, so nothing to compare it with',
  );
});

test('a rule that has not been evaluated yet', async () => {
  const harness = await measuredCheck('premium<-10', [-5]);
  await harness.watch(TIDE, { rules: rules('premium<-12') });
  expect(await premium(harness)).toBe(
    'changed: premium below −12% (re-arms above −10%): −5.0%, read 12:00 UTC; the starting value of this rule',
  );
});

test('a measurement that is not known', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE, { rules: rules('premium<-10') });
  await looked(harness, { feed: 'premium' });
  expect(await premium(harness)).toBe('changed: premium below −10% (re-arms above −8%): the last check got no value');
});

test('a move that is too small', async () => {
  expect(await premium(await measuredCheck('premium move 5', [-2, -5.2]))).toBe(
    'changed: premium moves by 5 pts: −5.2%, read 13:00 UTC; moved by 3.2 pts since the first check 12:00 UTC, 5 pts needed',
  );
});

test('too soon after the last alert', async () => {
  const harness = await measuredCheck('premium<-10', [-2, -11]);
  const at = (minutes: number): Instant => later(harness.clock.now(), minutes * MINUTE - HOUR);
  for (const [minutes, value] of [
    [10, -5],
    [20, -12],
  ] as const) {
    const measurements = [measurement(value, at(minutes))];
    await routeMeasurements(
      { measurements, first: false, before: harness.checkRecords.read('premium', 'tide')?.measurements ?? [] },
      { ...harness, now: at(minutes) },
    );
    await looked(harness, { feed: 'premium', measurements: lastMeasurements(measurements) }, measurements);
  }
  await deliverAfter(harness, MINUTE);
  expect(await premium(harness)).toBe(
    'changed: premium below −10% (re-arms above −8%): −12.0%, read 13:20 UTC; crossed again within 1 h of the last alert; alerts if it still holds at 14:00 UTC',
  );
});

test('a history that is too short', async () => {
  expect(await premium(await measuredCheck('premium extreme 90d', [-5, -6], [-1, -2, -3]))).toBe(
    'changed: premium at a new extreme of 90 days: −6.0%, read 13:00 UTC; history too short: less than 90 days',
  );
  expect(await premium(await measuredCheck('premium z>2', [-5, -6], [-1, -2, -3]))).toBe(
    'changed: premium with a z-score of at least 2: −6.0%, read 13:00 UTC; history too short: fewer than 30 different values in 1Y',
  );
});

test('no new extreme, and no unusual z-score', async () => {
  const past = Array.from({ length: 120 }, (_, day) => (day % 21) - 10);
  expect(await premium(await measuredCheck('premium extreme 90d', [-5, -6], past))).toBe(
    'changed: premium at a new extreme of 90 days: −6.0%, read 13:00 UTC; no new extreme: low −10.0%, high +10.0%',
  );
  expect(await premium(await measuredCheck('premium z>2', [-5, -6], past))).toBe(
    'changed: premium with a z-score of at least 2: −6.0%, read 13:00 UTC; not reached: z-score −0.94',
  );
});

test('a past that was forgotten over a restart', async () => {
  const past = Array.from({ length: 120 }, (_, day) => (day % 21) - 10);
  const before = await measuredCheck('premium z>2', [-5, -6], past);
  await before.checkRecords.flush();
  const harness = await openAlertsHarness({ store: before.store, clock: before.clock });
  expect(await premium(harness)).toBe(
    'changed: premium with a z-score of at least 2: −6.0%, read 13:00 UTC; its history is read again at the next check',
  );
});

test('no line is set', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE, { rules: { premium: { filters: {}, levels: [] } } });
  await looked(harness, { feed: 'premium' });
  expect(await premium(harness)).toBe('changed: no premium threshold is set in this chat');
});

test('a line that is crossed is explained by how far its alert came', async () => {
  const harness = await measuredCheck('premium<-10', [-2, -11]);
  expect(await premium(harness)).toMatch(/^grouped: /u);
  await deliverAfter(harness, MINUTE);
  expect(await premium(harness)).toBe('it came');
  const [story] = await createWhy({ ...harness, now: () => harness.clock.now() }).lately(CHAT, 5);
  expect(story).toMatchObject({
    rule: 'premium below −10% (re-arms above −8%)',
    crossings: [{ was: { value: '-2' }, now: { value: '-11' } }],
  });
  expect(story && lineText(dispositionLine(story.disposition), harness.clock.now())).toBe('queued 13:00 UTC, sent 14:01 UTC, first try');
});

test('of several thresholds the crossed one is explained; the others do not stop the trace', async () => {
  const harness = await measuredCheck('premium<-10 premium>10 premium<-30', [-2, -11]);
  expect(await premium(harness)).toMatch(/^grouped: /u);
  await deliverAfter(harness, MINUTE);
  expect(await premium(harness)).toBe('it came');
});

test('an alert that is suppressed is explained, although the measurement came back meanwhile', async () => {
  const harness = await measuredCheck('premium<-10', [-2, -11, -3]);
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), HOUR) }));
  expect(await premium(harness)).toBe('muted: this chat is muted; will be sent 16:00 UTC');
});

test("another chat's alert is no event here", async () => {
  const harness = await measuredCheck('premium<-10', [-2, -11]);
  const other = await openAlertsHarness({ store: harness.store, clock: harness.clock });
  await other.watch(TIDE, { rules: rules('premium<-30') });
  await other.queues.forget(CHAT);
  expect(await createWhy({ ...other, now: () => other.clock.now() }).lately(CHAT, 5)).toEqual([]);
});
