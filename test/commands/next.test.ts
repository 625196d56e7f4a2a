import { expect, test } from 'vitest';
import { DAY, HOUR, later } from '../../src/base/clock.js';
import { slug } from '../../src/domain/scalars.js';
import { openAppHarness } from '../support/app-harness.js';

async function open(count = 2) {
  const harness = await openAppHarness({ answers: {} });
  const now = harness.clock.now();
  const dates = Array.from({ length: count }, (_, index) => ({
    ...{ topic: `proposals/tide/P${index}`, project: slug('tide'), what: index % 2 === 0 ? ('end' as const) : ('twap' as const) },
    ...{ at: later(now, (index + 1) * 5 * DAY), readAt: later(now, -7 * HOUR), title: `"Audit ${index}" (Tidewater)`, facts: {} },
  }));
  const seen = { feed: 'proposals', subject: 'tide', triedAt: now, okAt: now, failures: 0, hidden: 0, broken: 0, complete: true };
  await harness.checkRecords.record({ ...seen, dates });
  return harness;
}

test('dates of what is watched are listed in order, with the age of old ones', async () => {
  const { say, deadButtons } = await open();
  expect((await say('/next')).text).toContain('Nothing is watched here yet');
  await say('/watch tide');
  const { text, reply } = await say('/next');
  expect(text).toMatch(/2 dates ahead\n.*"Audit 0" \(Tidewater\): ends .* · ⚠ read .*\n.*"Audit 1" \(Tidewater\): TWAP window opens /u);
  expect(await deadButtons(reply)).toEqual([]);
});

test('a period, a kind and a project narrow the list', async () => {
  const { say } = await open();
  await say('/watch tide');
  expect((await say('/next 7d')).text).toContain('1 date ahead');
  expect((await say('/next votes')).text).toContain('2 dates ahead');
  expect((await say('/next launches')).text).toContain('Nothing ahead');
  expect((await say('/next heron')).text).toContain('Nothing ahead for Heron Flats');
  expect((await say('/next tide 7d')).text).toContain('1 date ahead for Tidewater');
});

test('a long list is cut, and says how many are left out', async () => {
  const { say } = await open(20);
  await say('/watch tide');
  expect((await say('/next')).text).toContain('… and 5 more');
});

test.each(['/next 0d', '/next 1000d', '/next 3 d', '/next 1.5y', '/next -2d'])(
  'the period of "%s" is refused with what works',
  async (line) => {
    const { say, deadButtons } = await open();
    const { text, reply } = await say(line);
    expect(text).toMatch(/is no period that can be shown\. Write 5min to 30d/u);
    expect(reply.actions.map(({ label }) => label)).toEqual(['Next 7 days', 'Any time']);
    expect(await deadButtons(reply)).toEqual([]);
  },
);

test('a time that has passed is no date ahead, and leads to the past alerts', async () => {
  const { say } = await open();
  const { text, reply } = await say('/next yesterday');
  expect(text).toContain('"yesterday" has passed');
  expect(reply.actions.map(({ line }) => line)).toEqual(['/next 7d', '/history']);
});
