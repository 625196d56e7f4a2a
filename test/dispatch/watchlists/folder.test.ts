import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Address } from '../../../src/chat/address.js';
import { MINUTE, instant } from '../../../src/base/clock.js';
import { endedRule, withoutEnded } from '../../../src/alerts/watchlist/ended-rules.js';
import { folderFindings, MAX_FILES } from '../../../src/dispatch/watchlists/folder-files.js';
import { WatchlistFolder } from '../../../src/dispatch/watchlists/folder.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { addressFault } from '../../../src/platforms/index.js';
import { proposalDetail } from '../../../src/analytics/endpoints/proposals.js';
import { CHAT, openAppHarness } from '../../support/app-harness.js';

const kinds = FEEDS.map(({ id, summary }) => ({ id, summary }));
const listOf = (entries: readonly object[], more: object = {}): string =>
  JSON.stringify({ navwatch: 'watchlist', version: 2, chat: CHAT, entries, ...more });

const unreachable = (chat: Address): string | undefined => addressFault(chat, ['console']);
const checks = { kinds, unreachable, clock: { now: () => instant(Date.parse('2026-11-26T12:00:00Z')) } };

function openFolder(): { readonly folder: string; readonly write: (text: string, name?: string) => void } {
  const folder = mkdtempSync(join(tmpdir(), 'navwatch-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, write: (text, name = 'desk.json') => writeFileSync(join(folder, name), text) };
}

async function open(answers: Readonly<Record<string, unknown>> = {}) {
  const harness = await openAppHarness({ answers });
  const { folder, write } = openFolder();
  const logged: (readonly [string, object])[] = [];
  const note = (event: string, fields: object = {}): void => void logged.push([event, fields]);
  const watching = () =>
    new WatchlistFolder({
      ...{ folder, kinds, watchlists: harness.watchlists, directory: harness.directory, clock: harness.clock },
      ...{ analytics: harness.analytics, why: harness.why },
      forced: harness.forced,
      unreachable,
      log: { error: note, warn: note, info: note, debug: note },
    });
  const first = watching();
  return {
    ...{ ...harness, folder, write, watching },
    /** It gives what a pass logs. */
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
  ['half a file', '{"navwatch": "watchlist",\n "ver', /^It is no valid JSON: line 2, column 6/u],
  ['a comma too many', '{"navwatch": "watchlist",\n  }', /^It is no valid JSON: line 2, column 3[.] Correct it there[.]$/u],
  ['an empty file', '', /^It is empty[.] Start from/u],
  ['a file without a chat', JSON.stringify({ navwatch: 'watchlist', version: 2, entries: [] }), /needs its chat/u],
  ['a list of names', 'tide\nheron\n', /not a JSON watchlist/u],
  ['a list of keys', '["9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"]', /not a JSON watchlist/u],
  ['a file in UTF-16', `\uFFFD\uFFFD{\0"\0`, /not a JSON watchlist/u],
  ['a misspelt setting', listOf([], { digset: { every: 'day', at: '09:00' } }), /unknown field "digset"[.] Did you mean "digest"[?]$/u],
  ['a misspelt force', listOf([], { forced: true }), /unknown field "forced"[.] Did you mean "force"[?]$/u],
  ['a setting that stands twice', listOf([], { timezone: 'UTC' }).replace('{', '{"timezone":"Europe/Rome",'), /"timezone" twice/u],
  ['a kind with two modes', listOf([{ project: 'tide', on: ['growth'], off: ['growth'] }]), /"growth" is in "on" and in "off"/u],
  ['an unknown timezone', listOf([], { timezone: 'Mars/Olympus' }), /^Unknown timezone "Mars\/Olympus"[.] Nothing was applied[.]$/u],
  ['a project that resembles another', listOf([{ project: 'tidde' }]), /Did you mean tide[^?]*[?] Nothing was applied[.]$/u],
  ['a rule with a dot', listOf([{ project: 'tide', rules: ['growth: back:off'] }]), /[^.][.] Nothing was applied[.]$/u],
  ['a chat of an unknown platform', listOf([], { chat: 'slack/1' }), /There is no platform "slack"/u],
  ['a chat with a name that the page does not take', listOf([], { chat: 'console/Main' }), /not an address of a chat on console/u],
  ['a chat that is a path', listOf([], { chat: 'console/../../etc' }), /not an address of a chat on console/u],
  ['a chat of Discord with letters', listOf([], { chat: 'discord/general' }), /not an address of a chat on discord/u],
  ['a topic of Telegram that has no id', listOf([], { chat: 'telegram/-100/0' }), /not an address of a chat on telegram/u],
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

test.each([
  ['half saved', '{"navwatch": "watchlist", "ver'],
  ['wrong', listOf([{ project: 'heron', prest: 'most' }])],
  ['empty', ''],
])('a file that is %s keeps its chat, so that another for it does not drop what is watched', async (_, text) => {
  const { write, pass, targets, watching } = await open();
  write(listOf([{ project: 'tide' }]), 'b.json');
  await pass();
  for (const other of ['a.json', 'v.json']) write(listOf([{ project: 'heron' }], { force: true }), other);
  write(text, 'b.json');
  for (const by of [undefined, watching()]) {
    const logged = await pass(by);
    expect(logged.map(([event]) => event)).toEqual(['watchlists.refused', 'watchlists.refused', 'watchlists.refused']);
    expect(targets()).toEqual(['tide']);
  }
});

test('a file that another replaces after it was removed or names another chat leaves its chat', async () => {
  const { write, pass, targets, folder } = await open();
  write(listOf([{ project: 'tide' }]), 'a.json');
  write(listOf([{ project: 'heron' }]), 'b.json');
  await pass();
  expect(targets()).toEqual(['tide']);
  write(listOf([{ project: 'tide' }], { chat: 'console/other' }), 'a.json');
  await pass();
  expect(targets()).toEqual(['heron']);
  write(listOf([{ project: 'alder' }]), 'c.json');
  rmSync(join(folder, 'b.json'));
  await pass();
  expect(targets()).toEqual(['alder']);
});

test('the end of a followed proposal is no edit, and the file can change afterwards', async () => {
  const { write, pass, say, targets, watchlists, clock } = await open();
  const market = { market: 'proposals/tide/9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', title: 'Fund the second audit' };
  write(listOf([market, { project: 'heron' }]));
  await pass();
  const endedAt = clock.now();
  await watchlists.change(CHAT, (chat) => ({
    ...chat,
    entries: chat.entries.map((entry) => (entry.target.kind === 'market' ? { ...entry, target: { ...entry.target, endedAt } } : entry)),
  }));
  expect(await pass()).toEqual([]);
  write(listOf([market, { project: 'heron' }, { project: 'tide' }]));
  expect(await pass()).toMatchObject([['watchlists.applied', { changes: ['add tide'] }]]);
  expect(watchlists.read(CHAT).entries[0]).toMatchObject({ target: { endedAt } });
  // After its maximum age it would make room for an entry of a person.
  await clock.advance(100 * 60 * MINUTE);
  await say('/watch alder');
  await say('/unwatch alder');
  expect(await pass()).toEqual([]);
  write(listOf([{ project: 'tide' }]));
  await pass();
  expect(targets()).toEqual(['tide']);
});

/** What the evaluation does once a rule of the only kind with rules has ended. */
async function end({ watchlists }: Pick<Awaited<ReturnType<typeof open>>, 'watchlists'>, place: number): Promise<void> {
  const [entry] = watchlists.read(CHAT).entries;
  const rule = entry?.rules?.['premium']?.thresholds[place];
  if (entry === undefined || rule === undefined) throw new Error('there is no such rule');
  await watchlists.change(CHAT, (chat) => withoutEnded(chat, [endedRule(entry, 'premium', rule)]));
}

test('a rule that ended by itself is no edit, and a change of the file does not set it again', async () => {
  const opened = await open();
  const { write, pass, watchlists, watching, say } = opened;
  const rules = 'premium: below -10% once; above 20%; below -30% once';
  const measures = () => JSON.stringify(watchlists.read(CHAT).entries[0]?.rules?.['premium']?.thresholds);
  write(listOf([{ project: 'tide', rules: [rules] }], { force: true }));
  await pass();
  await end(opened, 2);
  await end(opened, 0);
  const left = measures();
  expect(left).not.toContain('once');
  for (const by of [undefined, watching()]) expect(await pass(by)).toEqual([]);
  expect(measures()).toBe(left);
  for (const more of [{}, { force: true }]) {
    write(listOf([{ project: 'tide', rules: [rules] }, { project: 'heron' }], more));
    expect(await pass()).not.toMatchObject([['watchlists.refused', {}]]);
    expect(measures()).toBe(left);
  }
  // What a person changes beside it is an edit still.
  write(listOf([{ project: 'tide', rules: [rules] }]));
  await pass();
  await say('/watch alder');
  expect(await pass()).toMatchObject([['watchlists.refused', {}]]);
  await say('/unwatch alder');
  write(listOf([{ project: 'tide', rules: [rules.replace('-10', '-12')] }]));
  expect(await pass()).toMatchObject([['watchlists.applied', { changes: ['change tide (rules)'] }]]);
  expect(measures()).toContain('"-12"');
  expect(measures()).not.toContain('"-30"');
});

test('a rule that a person set on a list from a file leaves no edit once it has ended', async () => {
  const opened = await open();
  const { write, pass, say, targets } = opened;
  write(listOf([{ project: 'tide', rules: ['premium: above 20%'] }]));
  await pass();
  await say('/alerts tide premium<-10 once');
  expect(await pass()).toMatchObject([['watchlists.refused', {}]]);
  await end(opened, 1);
  write(listOf([{ project: 'tide', rules: ['premium: above 20%'] }, { project: 'heron' }]));
  expect(await pass()).toMatchObject([['watchlists.applied', { changes: ['add heron'] }]]);
  expect(targets()).toEqual(['tide', 'heron']);
});

test('a file with a rule whose end has passed can change, and the doctor accepts it', async () => {
  const opened = await open();
  const { write, pass, clock, targets, folder } = opened;
  const until = new Date(clock.now() + 2 * MINUTE).toISOString().replace(/:\d\d[.]\d+Z$/u, 'Z');
  const entry = { project: 'tide', rules: [`premium: above 20%; below -10% until ${until}`] };
  write(listOf([entry]));
  await pass();
  await clock.advance(10 * MINUTE);
  await end(opened, 1);
  write(listOf([entry, { project: 'heron' }]));
  expect(await pass()).toMatchObject([['watchlists.applied', { changes: ['add heron'] }]]);
  expect(targets()).toEqual(['tide', 'heron']);
  expect(await folderFindings(folder, { ...checks, clock })).toMatchObject([{ mark: 'ok' }]);
});

test('muting one project of all is no edit, and the mute outlives a change of the file', async () => {
  const { write, pass, say, watchlists } = await open();
  write(listOf([{ watch: 'all' }]));
  await pass();
  await say('/mute heron 2h');
  const muted = () => watchlists.read(CHAT).entries[0]?.exceptions?.['heron']?.mutedUntil;
  const until = muted();
  expect(until).toBeDefined();
  expect(await pass()).toEqual([]);
  for (const more of [{}, { force: true }]) {
    write(listOf([{ watch: 'all', off: ['growth'], exceptions: [{ project: 'tide', excluded: true }] }], more));
    expect(await pass()).not.toMatchObject([['watchlists.refused', {}]]);
    expect(muted()).toBe(until);
  }
});

test('a pipe, a device and a folder are refused, and the other files are applied', async () => {
  const { write, pass, targets, folder } = await open();
  execFileSync('mkfifo', [join(folder, 'a.json')]);
  symlinkSync('/dev/zero', join(folder, 'b.json'));
  symlinkSync(tmpdir(), join(folder, 'c.json'));
  write(listOf([{ project: 'tide' }]));
  const refused = ['watchlists.refused', { because: expect.stringContaining('not a regular file') }];
  expect(await pass()).toMatchObject([refused, refused, refused, ['watchlists.applied', {}]]);
  expect(targets()).toEqual(['tide']);
  expect((await folderFindings(folder, checks)).map(({ mark }) => mark)).toEqual(['fail', 'fail', 'fail', 'ok']);
});

test.each([
  ['an unknown platform', listOf([], { chat: 'slack/1' }), /There is no platform/u],
  ['a platform without a token', listOf([], { chat: 'discord/1' }), /not connected to discord/u],
  ['a wrong rule', listOf([{ project: 'tide', rules: ['premium: nonsense'] }]), /invalid rule/u],
  ['a wrong wallet', listOf([{ wallet: 'abc' }]), /not a wallet address/u],
  ['an unknown timezone', listOf([], { timezone: 'Mars/Olympus' }), /Unknown timezone/u],
  ['an unknown kind', listOf([{ project: 'tide', off: ['nonsense'] }]), /not a kind of alert/u],
  ['the same project twice', listOf([{ project: 'tide' }, { project: 'Tide' }]), /same as entry 1/u],
])('the doctor refuses what the bot refuses without the service: %s', async (_, text, because) => {
  const { folder, write } = openFolder();
  write(text);
  expect(await folderFindings(folder, checks)).toMatchObject([{ mark: 'fail', says: expect.stringMatching(because) }]);
});

test('the doctor shows each file, and what is wrong with it', async () => {
  const { folder, write } = openFolder();
  expect(await folderFindings(folder, checks)).toMatchObject([{ mark: 'none' }]);
  write(listOf([{ project: 'tide' }], { force: true }), 'a.json');
  write('{', 'b.json');
  expect(await folderFindings(folder, checks)).toMatchObject([
    { mark: 'ok', says: `a.json: 1 entry for ${CHAT}, over what is edited there; only the bot checks whether its projects exist` },
    { mark: 'fail', says: expect.stringContaining('b.json: It is no valid JSON: line 1, column 2') },
  ]);
  expect(await folderFindings(join(folder, 'missing'), checks)).toMatchObject([{ mark: 'fail', says: expect.stringContaining('ENOENT') }]);
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

test('a followed proposal that is over by now does not keep the rest of a file from being applied', async () => {
  const key = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
  const row = { publicKey: key, title: 'Fund the second audit', organizationSlug: 'tide', status: 'passed' };
  const { write, pass, targets, analytics } = await open({ [`/v1/proposal/${key}`]: row });
  await analytics.call(proposalDetail, { publicKey: key });
  write(listOf([{ project: 'heron' }, { market: `proposals/tide/${key}` }]));
  expect(await pass()).toMatchObject([['watchlists.applied', { changes: ['add heron'] }]]);
  expect(targets()).toEqual(['heron']);
});

test('a file adds a saved screen as typed, leaves it alone when it is written otherwise, and removes it', async () => {
  const { write, pass, watchlists, say } = await open();
  const screens = (): readonly string[] =>
    watchlists.read(CHAT).entries.flatMap(({ target }) => (target.kind === 'screen' ? [target.filter] : []));
  write(listOf([{ screen: 'premium < -20  runway>12' }]));
  expect(await pass()).toMatchObject([['watchlists.applied', { changes: [expect.stringContaining('add')] }]]);
  const [filter] = screens();
  expect(screens()).toEqual(['premium<-20 runway>12']);
  write(listOf([{ screen: filter }]));
  expect((await pass()).flatMap(([event]) => (event === 'watchlists.refused' ? [event] : []))).toEqual([]);
  expect(screens()).toEqual([filter]);
  expect((await say('/watchlist')).text).toContain('premium<-20 runway>12');
  write(listOf([{ screen: 'marketcap<5m' }]));
  expect(await pass()).toMatchObject([['watchlists.refused', { because: expect.any(String) }]]);
  write(listOf([{ project: 'tide' }]));
  await pass();
  expect(screens()).toEqual([]);
});
