import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { address } from '../../../src/chat/address.js';
import { MINUTE } from '../../../src/base/clock.js';
import { folderFindings, MAX_FILES, WatchlistFolder } from '../../../src/dispatch/watchlists/folder.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { CHAT, openAppHarness } from '../../support/app-harness.js';

const kinds = FEEDS.map(({ id, summary }) => ({ id, summary }));
const listOf = (entries: readonly object[], more: object = {}): string =>
  JSON.stringify({ navwatch: 'watchlist', version: 2, chat: CHAT, entries, ...more });

function openFolder(): { readonly folder: string; readonly write: (text: string, name?: string) => void } {
  const folder = mkdtempSync(join(tmpdir(), 'navwatch-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, write: (text, name = 'desk.json') => writeFileSync(join(folder, name), text) };
}

async function open() {
  const harness = await openAppHarness({ answers: {} });
  const { folder, write } = openFolder();
  const logged: (readonly [string, object])[] = [];
  const note = (event: string, fields: object = {}): void => void logged.push([event, fields]);
  const watching = () =>
    new WatchlistFolder({
      ...{ folder, kinds, watchlists: harness.watchlists, directory: harness.directory, clock: harness.clock },
      unreachable: (chat) => (chat === address('discord', '1') ? 'The bot is not connected to discord.' : undefined),
      log: { error: note, warn: note, info: note, debug: note },
    });
  const first = watching();
  return {
    ...{ ...harness, folder, write, watching },
    /** What a pass logs. */
    async pass(by = first) {
      logged.length = 0;
      await by.pass();
      return [...logged];
    },
    targets: () => harness.watchlists.read(CHAT).entries.map(({ target }) => ('slug' in target ? target.slug : target.kind)),
  };
}

test('a file is applied at the start and when it changes, and the difference is shown', async () => {
  const { write, pass, targets, watchlists } = await open();
  write(listOf([{ project: 'tide' }], { timezone: 'Europe/Vienna' }));
  expect(await pass()).toEqual([
    ['watchlists.applied', { file: 'desk.json', chat: CHAT, changes: ['add tide', "change the chat's timezone"] }],
  ]);
  expect([targets(), watchlists.read(CHAT).timezone]).toEqual([['tide'], 'Europe/Vienna']);
  expect(watchlists.read(CHAT).edits).toMatchObject([{ by: 'file desk.json', line: "add tide and change the chat's timezone" }]);
  expect(await pass()).toEqual([]);
  write(listOf([{ project: 'heron', off: ['growth'] }], { timezone: 'Europe/Vienna' }));
  expect(await pass()).toMatchObject([['watchlists.applied', { changes: ['add heron', 'remove tide'] }]]);
  expect(targets()).toEqual(['heron']);
});

test('what a person edited meanwhile is kept, unless the file says that it wins', async () => {
  const { write, pass, say, targets, watching } = await open();
  write(listOf([{ project: 'tide' }]));
  await pass();
  await say('/watch heron');
  const says = { because: expect.stringContaining('edited since this file was applied') };
  expect(await pass()).toMatchObject([['watchlists.refused', says]]);
  // It is said once, and again by another start.
  expect(await pass()).toEqual([]);
  expect(await pass(watching())).toMatchObject([['watchlists.refused', says]]);
  write(listOf([{ project: 'alder' }]));
  expect(await pass()).toMatchObject([
    ['watchlists.refused', { because: expect.stringContaining('It would add alder and remove tide, heron') }],
  ]);
  expect(targets()).toEqual(['tide', 'heron']);
  write(listOf([{ project: 'alder' }], { force: true }));
  expect(await pass()).toMatchObject([['watchlists.applied', {}]]);
  await say('/watch heron');
  await pass();
  expect(targets()).toEqual(['alder']);
});

test('a list that people made before is kept, and one that is the same is taken over', async () => {
  const { write, pass, say, targets } = await open();
  await say('/watch tide');
  write(listOf([{ project: 'heron' }]));
  expect(await pass()).toMatchObject([['watchlists.refused', { because: expect.stringContaining('was edited by a person') }]]);
  write(listOf([{ project: 'tide' }]));
  expect(await pass()).toEqual([]);
  write(listOf([{ project: 'tide' }, { project: 'heron' }]));
  await pass();
  expect(targets()).toEqual(['tide', 'heron']);
});

test('a mute is no edit, and outlives a change of the file', async () => {
  const { write, pass, say, targets, watchlists } = await open();
  write(listOf([{ project: 'tide' }]));
  await pass();
  await say('/mute 8h');
  await say('/mute tide 8h');
  write(listOf([{ project: 'tide' }, { project: 'heron' }]));
  expect(await pass()).toMatchObject([['watchlists.applied', { changes: ['add heron'] }]]);
  const { mutedUntil, entries } = watchlists.read(CHAT);
  expect([targets(), mutedUntil === undefined, entries[0]?.mutedUntil === undefined]).toEqual([['tide', 'heron'], false, false]);
});

test.each([
  ['half a file', '{"navwatch": "watchlist", "ver', /damaged/u],
  ['an empty file', '', /empty/u],
  ['a file without a chat', JSON.stringify({ navwatch: 'watchlist', version: 2, entries: [] }), /needs its chat/u],
  ['a list of names', 'tide\nheron\n', /needs its chat/u],
  ['one wrong entry', listOf([{ project: 'heron' }, { project: 'tide', rules: ['premium: nonsense'] }]), /invalid rule/u],
  ['an unknown field', listOf([{ project: 'heron', prest: 'most' }]), /unknown field "prest"/u],
  ['an unknown project', listOf([{ project: 'heron' }, { project: 'nowhere-at-all' }]), /no project called/u],
  ['a chat that cannot be reached', listOf([], { chat: 'discord/1' }), /not connected to discord/u],
  ['a chat that is no address', listOf([], { chat: '../../etc' }), /needs its chat/u],
  ['a large file', listOf([], { padding: 'x'.repeat(300_000) }), /more than 256 KB/u],
])('%s changes nothing, and says why', async (_, text, because) => {
  const { write, pass, targets } = await open();
  write(listOf([{ project: 'tide' }]));
  await pass();
  write(text);
  expect(await pass()).toMatchObject([['watchlists.refused', { because: expect.stringMatching(because) }]]);
  expect(targets()).toEqual(['tide']);
});

test('a file and a folder that are gone change nothing', async () => {
  const { write, pass, targets, folder, clock } = await open();
  write(listOf([{ project: 'tide' }]));
  await pass();
  rmSync(join(folder, 'desk.json'));
  expect(await pass()).toEqual([]);
  rmSync(folder, { recursive: true });
  expect(await pass()).toMatchObject([['watchlists.refused', { because: expect.stringContaining('ENOENT') }]]);
  await clock.advance(MINUTE);
  expect(await pass()).toEqual([]);
  expect(targets()).toEqual(['tide']);
});

test('two files for one chat, and more files than are read, are refused', async () => {
  const { write, pass, targets } = await open();
  write(listOf([{ project: 'tide' }]), 'a.json');
  write(listOf([{ project: 'heron' }]), 'b.json');
  write('not read', 'notes.txt');
  expect(await pass()).toMatchObject([
    ['watchlists.applied', { file: 'a.json' }],
    ['watchlists.refused', { file: 'b.json', because: expect.stringContaining('same chat as a.json') }],
  ]);
  expect(targets()).toEqual(['tide']);
  for (let index = 0; index < MAX_FILES; index += 1) write('{}', `${index}.json`);
  expect(await pass()).toMatchObject([['watchlists.refused', { because: expect.stringContaining('at most 200') }]]);
});

test('the doctor shows each file, and what is wrong with it', async () => {
  const { folder, write } = openFolder();
  expect(await folderFindings(folder)).toMatchObject([{ mark: 'none' }]);
  write(listOf([{ project: 'tide' }], { force: true }), 'a.json');
  write('{', 'b.json');
  expect(await folderFindings(folder)).toMatchObject([
    { mark: 'ok', says: `a.json: 1 entry for ${CHAT}, over what is edited there` },
    { mark: 'fail', says: expect.stringContaining('b.json: This file is damaged') },
  ]);
  expect(await folderFindings(join(folder, 'missing'))).toMatchObject([{ mark: 'fail', says: expect.stringContaining('ENOENT') }]);
});

test('an exported list is a file of the folder once it names its chat', async () => {
  const { write, pass, say, watchlists } = await open();
  await say('/alerts tide watch premium<-10');
  const { files } = (await say('/watchlist export')).reply;
  const before = watchlists.read(CHAT).entries;
  write((files[0]?.text ?? '').replace('{', `{ "chat": "${CHAT}",`));
  expect(await pass()).toEqual([]);
  expect(watchlists.read(CHAT)).toMatchObject({ entries: before, fromFile: { name: 'desk.json' } });
});
