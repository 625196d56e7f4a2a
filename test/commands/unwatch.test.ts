import { expect, test } from 'vitest';
import { fieldLines } from '../support/fields.js';
import { CHAT, openAppHarness } from '../support/app-harness.js';

test('what is no longer watched is gone from the list, and one button brings it back', async () => {
  const { say, watchlists, deadButtons } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  await say('/watch all');
  const { text, reply } = await say('/unwatch TIDEWATER');
  expect(text).toContain('Stopped watching Tidewater; 1 entry left');
  expect(await deadButtons(reply)).toEqual([]);
  expect(reply.actions[0]?.line).toBe('/watch tide undo');
  expect((await say('/unwatch all')).text).toContain('Stopped watching all projects');
  expect(watchlists.read(CHAT).entries).toEqual([]);
});

test('what was removed is undone with its rules, its mute and its exceptions', async () => {
  const { say, watchlists, deadButtons } = await openAppHarness({ answers: {} });
  await say('/watch all');
  await say('/alerts all premium<-25');
  await say('/unwatch tide');
  await say('/mute all growth 1d');
  const [before] = watchlists.read(CHAT).entries;
  const { reply } = await say('/unwatch all');
  expect(watchlists.read(CHAT).entries).toEqual([]);
  const again = await say(reply.actions[0]?.line ?? '');
  expect(again.text).toContain('Its rules, mutes and exceptions are as they were.');
  expect(await deadButtons(again.reply)).toEqual([]);
  const [after] = watchlists.read(CHAT).entries;
  expect(after).toMatchObject({ rules: before?.rules, exceptions: before?.exceptions, mutedKinds: before?.mutedKinds });
  expect((await say('/watch heron undo')).text).toContain('Nothing to undo');
});

test('whoever watches again what was removed is told that its rules are gone, and one button brings them back', async () => {
  const { say, watchlists, deadButtons } = await openAppHarness({ answers: {} });
  for (const line of ['/watch tide', '/alerts tide premium<-10', '/unwatch tide']) await say(line);
  const { text, reply } = await say('/watch tide');
  expect(text).toMatch(/not set again: .*below −10%/u);
  expect(watchlists.read(CHAT).entries[0]?.rules).toBeUndefined();
  expect(await deadButtons(reply)).toEqual([]);
  const earlier = reply.actions.find(({ label }) => label === 'Earlier alerts');
  await say(earlier?.line ?? '');
  expect(JSON.stringify(watchlists.read(CHAT).entries[0]?.rules)).toContain('"-10"');
});

test('what had no rules of its own is watched again without a word about them', async () => {
  const { say } = await openAppHarness({ answers: {} });
  for (const line of ['/watch tide', '/unwatch tide']) await say(line);
  expect((await say('/watch tide')).text).not.toContain('not set again');
});

test('what is not watched cannot be removed, but can be watched', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/unwatch tide');
  expect(text).toContain('This chat does not watch Tidewater.');
  expect(reply.actions.map(({ line }) => line)).toEqual(['/watchlist', '/watch tide']);
  expect(await deadButtons(reply)).toEqual([]);
});

test('without a name it asks which one', async () => {
  const { say, deadButtons, watchlists } = await openAppHarness({ answers: {} });
  expect((await say('/unwatch')).text).toContain('[Watch all: /watch all]');
  await say('/watch tide');
  await say('/watch all');
  const { text, reply } = await say('/unwatch');
  expect(text).toContain('What should this chat stop watching?');
  expect(reply.actions.map(({ line }) => line)).toEqual(['/unwatch tide', '/unwatch all', '/watchlist']);
  expect(fieldLines(reply)).toEqual(['/unwatch tide', '/unwatch all']);
  expect(await deadButtons(reply)).toEqual([]);
  expect(watchlists.read(CHAT).entries).toHaveLength(2);
});

test('an entry can be removed while the service is down and no name is known', async () => {
  const harness = await openAppHarness({ answers: { '/v1/global-dashboard/projects': {} } });
  await harness.watchlists.change(CHAT, (chat) => ({
    ...chat,
    entries: [{ target: { kind: 'all' }, since: harness.clock.now(), by: 'Ada', preset: 'everything' }],
  }));
  expect((await harness.say('/unwatch tide')).text).toContain('This chat does not watch "tide".');
  expect((await harness.say('/unwatch ALL')).text).toContain('Stopped watching all projects');
});

test('a project that comes through all is excluded, watched again, and excluded once more after its own entry', async () => {
  const { say, watchlists } = await openAppHarness({ answers: {} });
  await say('/watch all');
  const { text, reply } = await say('/unwatch tidewater');
  expect(text).toContain('Tidewater is excluded from /watch all');
  expect(reply.actions.map(({ line }) => line)).toContain('/watch tide');
  expect((await say('/unwatch tide')).text).toContain('Tidewater is excluded from /watch all. To get its alerts again, watch it.');
  expect((await say('/watch tide')).text).toContain('Watching Tidewater again');
  expect(watchlists.read(CHAT).entries.map(({ target }) => target.kind)).toEqual(['all']);
  await say('/watch tide');
  expect(watchlists.read(CHAT).entries).toHaveLength(2);
  const removed = await say('/unwatch tide');
  expect(removed.text).toContain('Its alerts still come through /watch all.');
  expect(removed.reply.actions.map(({ line }) => line)).toContain('/unwatch tide');
  await say('/unwatch tide');
  expect((await say('/unwatch all')).text).toContain(
    'Stopped watching all projects and cleared 1 exception. This chat now watches nothing',
  );
});
