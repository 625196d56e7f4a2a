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

/** What was said, by test, for the transcript. */
const said: string[] = [];
/** Numbers with their units, times and dates. */
const FACT = /(?:[A-Z][a-z]{2} \d+, )?[−+]?\$?\d+(?:[.,:]\d+)*(?:%|K| (?:pts|days|h|UTC)\b)?/gu;

/** The step at which it ended, and the facts that are named there. */
async function answer(harness: Harness, feed = 'supply', subject: OneSubject = { project: slug('tide') }): Promise<string> {
  const { currentTestName = '' } = expect.getState();
  const { steps } = await createWhy({ ...harness, now: () => harness.clock.now() }).ofSilence(CHAT, subject, feed);
  const step = steps.find(({ ok }) => !ok);
  if (step === undefined) return 'it came';
  const says = lineText(step.says, harness.clock.now());
  said.push(`- ${currentTestName}\n  ${step.name}: ${says}`);
  return [step.name, ...(says.match(FACT) ?? [])].join(' | ');
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
  expect(await answer(await openAlertsHarness())).toBe('watched');
});

test('switched off', async () => {
  const harness = await watching({ modes: { supply: 'off' } });
  await harness.announce(burn(1, harness.clock.now()));
  expect(await answer(harness)).toBe('watched');
});

test('not checked yet', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE);
  expect(await answer(harness)).toBe('checked');
});

test('the service has nothing of the kind', async () => {
  const harness = await watching();
  await looked(harness, { failures: 2, problem: 'unknown', okAt: undefined });
  expect(await answer(harness)).toBe('checked | 12:00 UTC');
});

test('the service is failing', async () => {
  const harness = await watching();
  await looked(harness, { failures: 3, problem: 'timeout', okAt: later(harness.clock.now(), -HOUR) });
  expect(await answer(harness)).toBe('checked | 3 | 11:00 UTC');
});

test("the month's requests are used up", async () => {
  const harness = await watching();
  await looked(harness, { failures: 1, problem: 'budget-spent', okAt: later(harness.clock.now(), -DAY) });
  expect(await answer(harness)).toBe('checked | Nov 19, 12:00 UTC');
});

test('the plan hides rows', async () => {
  const harness = await watching();
  await looked(harness, { hidden: 12, complete: false });
  expect(await answer(harness)).toBe('readable | 12');
});

test('a row is unreadable', async () => {
  const harness = await watching();
  await looked(harness, { broken: 1, complete: false });
  expect(await answer(harness)).toBe('readable | 1');
});

test('nothing changed', async () => {
  expect(await answer(await watching())).toBe('changed');
});

test('from before the watch began', async () => {
  const harness = await watching();
  await harness.watch(TIDE, { since: harness.clock.now() });
  await harness.announce(burn(1, later(harness.clock.now(), -MINUTE)));
  expect(await answer(harness)).toBe('since | 11:59 UTC | 12:00 UTC');
  expect(await passed(harness)).toEqual(['watched', 'checked', 'readable', 'changed']);
});

test('under the filter', async () => {
  const harness = await watching({ rules: rules('supply usd>10000') });
  await harness.announce(worth(burn(12, harness.clock.now()), '9.94'));
  expect(await answer(harness)).toBe('filter | $9.94 | $10K');
  expect(await passed(harness)).toEqual(['watched', 'checked', 'readable', 'changed', 'since']);
});

test('under the filter of the project\'s own entry, although "all" wants everything', async () => {
  const harness = await watching({ rules: rules('supply usd>10000') });
  await harness.watch(ALL);
  await harness.announce(worth(burn(12, harness.clock.now()), '9.94'));
  expect(await answer(harness)).toBe('filter | $9.94 | $10K');
});

test('a stage that is not wanted', async () => {
  const harness = await watching({ rules: rules('supply stages:mint') });
  await harness.announce(burn(1, harness.clock.now()));
  expect(await answer(harness)).toBe('filter');
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
  expect(await answer(harness)).toBe('muted | Nov 21, 12:00 UTC');
  await harness.watch(TIDE, { mutedKinds: { supply: later(harness.clock.now(), HOUR) } });
  expect(await answer(harness)).toBe('muted | 13:00 UTC');
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), 2 * HOUR) }));
  expect(await answer(harness)).toBe('muted | 14:00 UTC');
});

test('quiet hours', async () => {
  const harness = await watching();
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, timezone: 'Europe/Berlin', quiet: { from: '12:00', to: '15:30' } }));
  await harness.announce(burn(1, harness.clock.now()));
  expect(await answer(harness)).toBe('muted | 14:30 UTC');
});

test('gathered with what else happens', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  await harness.clock.advance(SECOND);
  expect(await answer(harness)).toBe('grouped | 12:00 UTC');
});

test('gathered for the summary after an outage', async () => {
  const harness = await watching();
  await harness.announceLate('service', burn(1, harness.clock.now()));
  await harness.clock.advance(SECOND);
  expect(await answer(harness)).toBe('grouped | 12:00 UTC');
});

test('rate limited by the platform', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  harness.to.answers({ kind: 'later', because: 'rate-limited', afterMs: 10 * MINUTE });
  await deliverAfter(harness, 5 * SECOND);
  expect(await answer(harness)).toBe('sent | 1 | 12:10 UTC');
});

test('muted while it did not get through', async () => {
  for (const [outcome, expected] of [
    [{ kind: 'later', because: 'unreachable' }, 'muted | Nov 21, 12:00 UTC'],
    [{ kind: 'unclear', because: 'timeout' }, 'sent | 1 | Nov 21, 12:00 UTC'],
  ] as const) {
    const harness = await watching();
    await harness.announce(burn(1, harness.clock.now()));
    harness.to.answers(outcome);
    await deliverAfter(harness, 5 * SECOND);
    await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), DAY) }));
    expect(await answer(harness)).toBe(expected);
  }
});

test('behind an alert that did not get through', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  harness.to.answers({ kind: 'later', because: 'unreachable', afterMs: 10 * MINUTE });
  await deliverAfter(harness, 5 * SECOND);
  await harness.announce(burn(2, harness.clock.now()));
  expect(await answer(harness)).toBe('grouped | 12:10 UTC');
});

test('a permission is missing', async () => {
  const harness = await watching();
  await harness.announce(burn(1, harness.clock.now()));
  harness.to.answers({ kind: 'not-permitted', because: 'I lack Embed Links' });
  await deliverAfter(harness, 5 * SECOND);
  expect(await answer(harness)).toBe('sent | 1 | 12:15 UTC');
});

test('too old after an outage', async () => {
  const harness = await watching({ since: later(handClock().now(), -30 * DAY) });
  await harness.announceLate('bot', burn(1, harness.clock.now(), { occurredAt: later(harness.clock.now(), -4 * DAY) }));
  await deliverAfter(harness, HOUR);
  expect(await answer(harness)).toBe('sent | 72 h | 13:00 UTC');
});

/** A chat with a rule on the premium that was evaluated for these values, one an hour. */
async function measuredCheck(rule: string, values: readonly number[], past: readonly number[] = []): Promise<Harness> {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE, { rules: rules(rule), since: later(harness.clock.now(), -30 * DAY) });
  const start = harness.clock.now();
  const history = past.map((value, day) => ({ at: later(start, -(day + 1) * DAY), value: String(value) as Decimal }));
  for (const value of values) {
    const measurements = [measurement(value, harness.clock.now(), { history })];
    const before = harness.checkRecords.read('premium', 'tide')?.measurements ?? [];
    await routeMeasurements({ measurements, first: false, before }, { ...harness, key: 'premium/tide', now: harness.clock.now() });
    await looked(harness, { feed: 'premium', measurements: lastMeasurements(measurements) }, measurements);
    await harness.clock.advance(HOUR);
  }
  return harness;
}
const premium = async (harness: Harness): Promise<string> => answer(harness, 'premium');

test('a level that was crossed and must last, with how long it has and when it alerts', async () => {
  expect(await premium(await measuredCheck('premium<-10 for 6h', [-2, -11, -11.5]))).toBe(
    'changed | −10% | 6 h | −8% | −11.5% | 14:00 UTC | 1 h | 6 h | 19:00 UTC',
  );
});

test('a level that is not reached, with how far it is', async () => {
  expect(await premium(await measuredCheck('premium<-10', [-2, -5.2]))).toBe('changed | −10% | −8% | −5.2% | 13:00 UTC | 4.8 pts');
});

test('a level inside its hysteresis, with where it must come back to', async () => {
  const harness = await measuredCheck('premium<-10', [-2, -11, -9]);
  await deliverAfter(harness, MINUTE);
  expect(await premium(harness)).toBe('changed | −10% | −8% | −9.0% | 14:00 UTC | 13:00 UTC | −8%');
});

test('a level it stood beyond already', async () => {
  expect(await premium(await measuredCheck('premium<-10', [-12, -11]))).toBe('changed | −10% | −8% | −11.0% | 13:00 UTC | −8%');
});

test('the first check', async () => {
  expect(await premium(await measuredCheck('premium<-10', [-5]))).toBe('changed | −10% | −8% | −5.0% | 12:00 UTC');
});

test('a rule that has not been evaluated yet', async () => {
  const harness = await measuredCheck('premium<-10', [-5]);
  await harness.watch(TIDE, { rules: rules('premium<-12') });
  expect(await premium(harness)).toBe('changed | −12% | −10% | −5.0% | 12:00 UTC');
});

test('a measurement that is not known', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE, { rules: rules('premium<-10') });
  await looked(harness, { feed: 'premium' });
  expect(await premium(harness)).toBe('changed | −10% | −8%');
});

test('a move that is too small', async () => {
  expect(await premium(await measuredCheck('premium move 5', [-2, -5.2]))).toBe(
    'changed | 5 pts | −5.2% | 13:00 UTC | 3.2 pts | 12:00 UTC | 5 pts',
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
      { ...harness, key: 'premium/tide', now: at(minutes) },
    );
    await looked(harness, { feed: 'premium', measurements: lastMeasurements(measurements) }, measurements);
  }
  await deliverAfter(harness, MINUTE);
  expect(await premium(harness)).toBe('changed | −10% | −8% | −12.0% | 13:20 UTC | 1 h | 14:00 UTC');
});

test('a history that is too short', async () => {
  expect(await premium(await measuredCheck('premium extreme 90d', [-5, -6], [-1, -2, -3]))).toBe(
    'changed | 90 days | −6.0% | 13:00 UTC | 90 days',
  );
  expect(await premium(await measuredCheck('premium z>2', [-5, -6], [-1, -2, -3]))).toBe('changed | 2 | −6.0% | 13:00 UTC | 30 | 1');
});

test('no new extreme, and no unusual z-score', async () => {
  const past = Array.from({ length: 120 }, (_, day) => (day % 21) - 10);
  expect(await premium(await measuredCheck('premium extreme 90d', [-5, -6], past))).toBe(
    'changed | 90 days | −6.0% | 13:00 UTC | −10.0% | +10.0%',
  );
  expect(await premium(await measuredCheck('premium z>2', [-5, -6], past))).toBe('changed | 2 | −6.0% | 13:00 UTC | −0.94');
});

test('a past that was forgotten over a restart', async () => {
  const past = Array.from({ length: 120 }, (_, day) => (day % 21) - 10);
  const before = await measuredCheck('premium z>2', [-5, -6], past);
  await before.checkRecords.flush();
  const harness = await openAlertsHarness({ store: before.store, clock: before.clock });
  expect(await premium(harness)).toBe('changed | 2 | −6.0% | 13:00 UTC');
});

test('no line is set', async () => {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE, { rules: { premium: { filters: {}, thresholds: [] } } });
  await looked(harness, { feed: 'premium' });
  expect(await premium(harness)).toBe('changed');
});

test('a line that is crossed is explained by how far its alert came', async () => {
  const harness = await measuredCheck('premium<-10', [-2, -11]);
  expect(await premium(harness)).toMatch(/^grouped /u);
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
  expect(await premium(harness)).toMatch(/^grouped /u);
  await deliverAfter(harness, MINUTE);
  expect(await premium(harness)).toBe('it came');
});

test('an alert that is suppressed is explained, although the measurement came back meanwhile', async () => {
  const harness = await measuredCheck('premium<-10', [-2, -11, -3]);
  await harness.watchlists.change(CHAT, (chat) => ({ ...chat, mutedUntil: later(harness.clock.now(), HOUR) }));
  expect(await premium(harness)).toBe('muted | 16:00 UTC');
});

test("another chat's alert is no event here", async () => {
  const harness = await measuredCheck('premium<-10', [-2, -11]);
  const other = await openAlertsHarness({ store: harness.store, clock: harness.clock });
  await other.watch(TIDE, { rules: rules('premium<-30') });
  await other.queues.forget(CHAT);
  expect(await createWhy({ ...other, now: () => other.clock.now() }).lately(CHAT, 5)).toEqual([]);
});

test('the wording of each silence above is what the transcript says', async () => {
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('../../transcripts/alerts/silences.md');
});
