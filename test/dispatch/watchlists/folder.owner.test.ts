import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../src/base/log.js';
import { noteForced, withoutForced, WatchlistFolder, type ForcedFiles } from '../../../src/dispatch/watchlists/folder.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { CHAT, openAppHarness } from '../../support/app-harness.js';

async function open() {
  const harness = await openAppHarness({ answers: {} });
  const folder = mkdtempSync(join(tmpdir(), 'navwatch-owner-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { watchlists, directory, clock, analytics, why, forced } = harness;
  const deps = { folder, kinds: FEEDS, watchlists, directory, clock, analytics, why, forced, unreachable: () => undefined, log: silentLog };
  const applied = new WatchlistFolder(deps);
  const path = join(folder, 'desk.json');
  return {
    ...harness,
    ...{ applied, folder },
    /** Writes the file of the chat and applies it. */
    async apply(project: string, more: object = {}) {
      writeFileSync(path, JSON.stringify({ navwatch: 'watchlist', version: 2, chat: CHAT, entries: [{ project }], ...more }));
      await applied.pass();
    },
    async remove() {
      rmSync(path);
      await applied.pass();
    },
    targets: () => watchlists.read(CHAT).entries.map(({ target }) => ('slug' in target ? target.slug : target.kind)),
  };
}

test('a deleted chat stays deleted until its file is forced, and the reply says so', async () => {
  const { say, apply, applied, targets, watchlists } = await open();
  await apply('tide');
  const { text } = await say('/privacy delete chat yes');
  expect(text).toContain('The operator\'s file "desk.json" had set the watchlist.');
  await applied.pass();
  expect(targets()).toEqual([]);
  expect(applied.refused()).toMatchObject([{ file: 'desk.json', says: expect.stringContaining('was edited') }]);
  expect(Object.keys(watchlists.read(CHAT))).toEqual(['address', 'entries', 'fromFile']);
  await apply('heron');
  expect(targets()).toEqual([]);
  await apply('heron', { force: true });
  expect(targets()).toEqual(['heron']);
  expect((await say('/privacy delete chat yes')).text).toContain('it comes back within a minute');
});

test('after a start the change is refused before the first pass, as soon as the files are read', async () => {
  const { apply, folder, watchlists, clock, targets } = await open();
  await apply('tide', { force: true });
  const forced: ForcedFiles = new Map();
  const noted = noteForced(folder, { forced, clock });
  const restarted = withoutForced(watchlists, { forced, noted, kinds: FEEDS });
  await expect(restarted.change(CHAT, (chat) => ({ ...chat, entries: [] }))).rejects.toThrow('The operator\'s file "desk.json" sets');
  await restarted.change(CHAT, (chat) => ({ ...chat, mutedUntil: clock.now() }));
  expect([targets(), watchlists.read(CHAT).mutedUntil]).toEqual([['tide'], clock.now()]);
});

test('after a start a folder that cannot be read refuses nothing', async () => {
  const { apply, folder, watchlists, clock, targets } = await open();
  await apply('tide', { force: true });
  const forced: ForcedFiles = new Map();
  const restarted = withoutForced(watchlists, { forced, noted: noteForced(join(folder, 'none'), { forced, clock }), kinds: FEEDS });
  await restarted.change(CHAT, (chat) => ({ ...chat, entries: [] }));
  expect(targets()).toEqual([]);
});

test('a change of a list that a forced file sets is refused with the reason; mutes are not, and without the file people decide', async () => {
  const { say, apply, remove, targets, watchlists } = await open();
  await apply('tide', { force: true });
  for (const line of ['/watch heron', '/unwatch tide', '/settings timezone Europe/Vienna', '/digest daily', '/alerts tide growth off']) {
    const { text } = await say(line);
    expect([line, text]).toEqual([line, expect.stringContaining('The operator\'s file "desk.json" sets the watchlist and the settings')]);
  }
  expect([targets(), watchlists.read(CHAT).timezone]).toEqual([['tide'], undefined]);
  await say('/mute tide 8h');
  expect(watchlists.read(CHAT).entries[0]?.mutedUntil).toBeDefined();
  await remove();
  await say('/watch heron');
  expect(targets()).toEqual(['tide', 'heron']);
});
