import { expect, test } from 'vitest';
import { CHAT, openAppHarness } from '../support/app-harness.js';

async function open() {
  const harness = await openAppHarness({ answers: {} });
  await harness.say('/watch tide');
  const filters = () => harness.watchlists.read(CHAT).entries[0]?.rules?.['proposals']?.filters;
  return { ...harness, filters };
}

test('times for the chat are of all that it watches, and are taken back with off', async () => {
  const { say, watchlists, filters, deadButtons } = await open();
  const { text, reply } = await say('/remind 1h, 1d');
  expect(text).toContain('Reminders for everything watched here: 1d, 1h before');
  expect(watchlists.read(CHAT).remind?.map(({ before }) => before)).toEqual([1440, 60]);
  expect(filters()).toBeUndefined();
  expect(await deadButtons(reply)).toEqual([]);
  await say('/remind off');
  expect(watchlists.read(CHAT).remind).toEqual([]);
});

test('an entry has times of its own, none, or those of the chat again', async () => {
  const { say, filters, deadButtons } = await open();
  await say('/remind 1d');
  await say('/remind tide 2 hours, 30min');
  expect(filters()).toMatchObject({ remind: [120, 30] });
  expect((await say('/remind')).text).toContain('Tidewater: 2h, 30min before');
  expect((await say('/remind tide off')).text).toContain('Reminders for Tidewater: off');
  expect(filters()).toMatchObject({ remind: [] });
  const { text, reply } = await say('/remind tide usual');
  expect(text).toContain('Reminders for Tidewater: 1d before');
  expect(filters()).toBeUndefined();
  expect(await deadButtons(reply)).toEqual([]);
});

test('a rule of a kind has reminders too, and forgets them', async () => {
  const { say, filters } = await open();
  await say('/alerts tide proposals remind 1d,1h');
  expect(filters()).toMatchObject({ remind: [1440, 60] });
  await say('/alerts tide proposals remove remind');
  expect(filters()).toBeUndefined();
});

test.each(['/remind tide 45d', '/remind tide 1m', '/alerts tide proposals remind 45d'])(
  '%s is refused with what can be typed',
  async (line) => {
    const { say, filters } = await open();
    const { text } = await say(line);
    expect(text).toContain('5min to 30d');
    expect(filters()).toBeUndefined();
  },
);

test('more than five times are refused', async () => {
  const { say } = await open();
  expect((await say('/remind 1d,2d,3d,4d,5d,6d')).text).toContain('There is room for 5 reminders.');
});

test('a reminder for one project under /watch all is saved for that project, and follows the others again', async () => {
  const harness = await openAppHarness({ answers: {} });
  const { say, watchlists, deadButtons } = harness;
  await say('/watch all');
  const exception = () => watchlists.read(CHAT).entries[0]?.exceptions?.['heron']?.rules?.['proposals']?.filters.remind;
  const { text, reply } = await say('/remind heron 2h');
  expect(text).toContain('Reminders for Heron Flats: 2h before');
  expect(exception()).toEqual([120]);
  expect(reply.actions.map(({ label }) => label)).toContain('As for all projects');
  expect(await deadButtons(reply)).toEqual([]);
  expect((await say('/remind')).text).toContain('Heron Flats: 2h before');
  await say('/remind heron off');
  expect(exception()).toEqual([]);
  await say('/remind all 1d');
  expect((await say('/remind heron usual')).text).toContain('Reminders for Heron Flats: 1d before');
  expect(watchlists.read(CHAT).entries[0]?.exceptions?.['heron']?.rules).toBeUndefined();
});

test('a reminder on a digest-only entry says whose events stay in the digest only', async () => {
  const { say, watchlists } = await open();
  const rules = () => watchlists.read(CHAT).entries[0]?.rules;
  await say('/alerts tide digest');
  expect((await say('/remind tide off')).text).not.toContain('digest');
  expect(rules()).toBeUndefined();
  const { text } = await say('/remind tide 2h');
  expect(text).toMatch(/All events of proposals\b.* stay in the digest only\./u);
  await say('/remind tide usual');
  expect(rules()).toBeUndefined();
});

test('a change of reminders is undone with a button', async () => {
  const { say, watchlists, deadButtons } = await open();
  const rules = () => watchlists.read(CHAT).entries[0]?.rules;
  const { reply } = await say('/remind tide 2h');
  expect(reply.actions).toContainEqual({ label: 'Undo', line: expect.stringMatching(/^\/alerts tide undo [\da-f]{6}$/u), on: false });
  expect(await deadButtons(reply)).toEqual([]);
  await say('/alerts tide undo');
  expect(rules()).toBeUndefined();
  // Looking at reminders changes nothing, so there is nothing to undo.
  expect((await say('/remind tide')).reply.actions.map(({ label }) => label)).not.toContain('Undo');
});

test('where nothing is watched, times are refused and not set', async () => {
  const { say, watchlists } = await openAppHarness({ answers: {} });
  expect((await say('/remind 1d')).text).toContain('Nothing is watched here yet.');
  expect(watchlists.read(CHAT).remind ?? []).toEqual([]);
});

test('a key that is not watched is offered as it was typed, with its capitals', async () => {
  const { say } = await open();
  const key = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
  expect((await say(`/remind ${key} 1h`)).reply.actions.map(({ line }) => line)).toContain(`/watch ${key}`);
});
