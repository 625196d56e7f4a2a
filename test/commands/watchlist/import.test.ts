import { expect, test } from 'vitest';
import { openPendingImports } from '../../../src/alerts/watchlist/pending-imports.js';
import { MAX_ENTRIES, withEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, later } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { UnreadableFile } from '../../../src/chat/inbound.js';
import { slug } from '../../../src/domain/scalars.js';
import { CHAT, GUEST, openAppHarness, type AppHarness } from '../../support/app-harness.js';

const KEY = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const OTHER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

const sent = (text: string) => ({ name: 'list.txt', size: text.length, read: async () => text });
/** Mutes the first entry for a day. */
const mute = async ({ watchlists, clock }: AppHarness) =>
  watchlists.change(CHAT, (chat) => {
    const [first, ...others] = chat.entries;
    return first === undefined ? chat : { ...chat, entries: [{ ...first, mutedUntil: later(clock.now(), DAY) }, ...others] };
  });
const importing = { line: '/watchlist import' };

test('a list is shown before anything is changed, line by line what is wrong with it, and one press carries it out', async () => {
  const harness = await openAppHarness({ answers: {} });
  await harness.say(`/watch ${OTHER} reserve`);
  const list = [
    `${KEY} fund-1`,
    `${KEY.slice(0, -2)} cut`,
    'tidewtaer',
    'Heron Flats',
    `11111111111111111111111111111111 Reserve`,
    OTHER,
    'heron',
  ];
  const { text, reply } = await harness.ask({ ask: importing, files: [sent(list.join('\r\n'))] });
  expect(text.split('\n')).toEqual([
    '⚠ Import this list? It will add 2 entries',
    'Added',
    '"fund-1"',
    expect.stringContaining(KEY),
    'Heron Flats',
    expect.any(String),
    'Unchanged: 1 entry.',
    'Not imported',
    `line 2: ${KEY.slice(0, -2)} cut`,
    '  not a wallet address (31 bytes, 32 needed)',
    'line 3: tidewtaer',
    '  no project called "tidewtaer". Did you mean tide (Tidewater)?',
    'line 5: 11111111111111111111111111111111 Reserve',
    '  "Reserve" is already the label of wallet 9xQe…VFin',
    'line 7: heron',
    '  same as line 4',
    expect.stringContaining('/watchlist'),
  ]);
  expect(reply.actions.map(({ label }) => label)).toEqual(['Import', 'Cancel']);
  expect(await harness.deadButtons(reply)).toEqual([]);
  expect(harness.watchlists.read(CHAT).entries).toHaveLength(1);
  harness.looked.length = 0;
  await harness.clock.advance(60_000);
  const done = await harness.say(reply.actions[0]?.line ?? '');
  expect(done.text).toContain('● Imported: added 2 entries');
  expect(done.text).toContain("You'll be alerted to changes from now on.");
  const wallet = { kind: 'wallet', address: KEY, label: 'fund-1' };
  const heron = { kind: 'project', slug: 'heron' };
  expect(harness.watchlists.read(CHAT).entries.slice(1)).toEqual(
    [wallet, heron].map((target) => ({ target, since: harness.clock.now(), by: 'Ada', byId: 'console/ada', preset: 'important' })),
  );
  expect(harness.looked).toEqual([wallet, heron].map((target) => ({ target, patience: 700 })));
});

test('pasted text is read as it was written', async () => {
  const harness = await openAppHarness({ answers: {} });
  const { text } = await harness.say(`/watchlist import\n# mine\n"${KEY}","it's ""mine"""\n`);
  expect(text).toContain('"it\'s "mine""');
});

test('names without line breaks are separated if all of them are known', async () => {
  const harness = await openAppHarness({ answers: {} });
  await harness.directory.all();
  expect((await harness.say('/watchlist import tide hern launches')).text).toContain('will add 3 entries');
  expect((await harness.say('/watchlist import Heron Flats')).text).toContain('will add 1 entry');
  expect((await harness.say('/watchlist import tide nobody')).text).toContain('line 1: tide nobody\n  no project called "tide nobody"');
});

test('a plain list renames a wallet and leaves everything else of its entry alone; a bare key renames nothing', async () => {
  const harness = await openAppHarness({ answers: {} });
  await harness.say(`/watch ${KEY} fund-1`);
  await harness.say(`/watch ${OTHER} fund-2`);
  await mute(harness);
  const [before] = harness.watchlists.read(CHAT).entries;
  await harness.clock.advance(60_000);
  const { text, reply } = await harness.say(`/watchlist import ${KEY},first\n${OTHER}`);
  expect(text.split('\n').slice(0, 5)).toEqual([
    'Import this list? It will change 1 entry',
    'Changed',
    '"fund-1" → "first" · label',
    expect.stringMatching(new RegExp(`^  ${KEY} .*muted`, 'u')),
    'Unchanged: 1 entry.',
  ]);
  await harness.say(reply.actions[0]?.line ?? '');
  expect(harness.watchlists.read(CHAT).entries).toMatchObject([
    { ...before, target: { kind: 'wallet', address: KEY, label: 'first' } },
    { target: { label: 'fund-2' } },
  ]);
});

test('two wallets may change their labels with one another', async () => {
  const harness = await openAppHarness({ answers: {} });
  await harness.say(`/watch ${KEY} one`);
  await harness.say(`/watch ${OTHER} two`);
  const { reply } = await harness.say(`/watchlist import ${KEY} two\n${OTHER} one`);
  await harness.say(reply.actions[0]?.line ?? '');
  expect(harness.watchlists.read(CHAT).entries).toMatchObject([{ target: { label: 'two' } }, { target: { label: 'one' } }]);
});

test('"Replace all" takes away what the list does not name, and only where the whole list could be read', async () => {
  const harness = await openAppHarness({ answers: {} });
  await harness.say('/watch all');
  await harness.say('/watch tide');
  const { text, reply } = await harness.say('/watchlist import tide\nheron');
  expect(text).toContain('"Replace all" also removes all projects.');
  const [, replace] = reply.actions;
  expect(replace?.label).toBe('Replace all');
  const partly = await harness.say('/watchlist import tide\nherno\nzzz');
  expect(partly.reply.actions.map(({ label }) => label)).toEqual(['Watchlist']);
  const done = await harness.say(replace?.line ?? '');
  expect(done.text).toContain('Imported: added 1 entry and removed 1 entry');
  expect(harness.watchlists.read(CHAT).entries.map(({ target }) => target)).toEqual([
    { kind: 'project', slug: 'tide' },
    { kind: 'project', slug: 'heron' },
  ]);
});

test('a file that moves quiet hours while they hold leaves the moment, so that what they held is known', async () => {
  const harness = await openAppHarness({ answers: {} });
  await harness.say('/watch tide');
  await harness.say('/settings quiet 11:00-15:00');
  const file = { navwatch: 'watchlist', version: 1, quiet: { from: '22:00', to: '07:00' }, entries: [{ project: 'tide' }] };
  const { reply } = await harness.ask({ ask: importing, files: [sent(JSON.stringify(file))] });
  await harness.say(reply.actions[0]?.line ?? '');
  expect(harness.watchlists.read(CHAT)).toMatchObject({ quiet: file.quiet, mutedUntil: Date.parse('2026-11-20T12:00:00Z') });
});

test('a list that changed meanwhile is not changed by what was shown before, and what would change now is shown', async () => {
  const harness = await openAppHarness({ answers: {} });
  const { reply } = await harness.say('/watchlist import tide\nheron');
  await harness.say('/watch alder');
  const before = harness.watchlists.read(CHAT);
  const late = await harness.say(reply.actions[0]?.line ?? '');
  expect(late.text).toContain(
    'The watchlist changed in the meantime, so nothing was imported. Check again: Import this list? It will add 2 entries',
  );
  expect(harness.watchlists.read(CHAT)).toBe(before);
  const [again] = late.reply.actions;
  // Two people press at once: one of them does it.
  const both = await Promise.all([harness.say(again?.line ?? ''), harness.say(again?.line ?? '')]);
  expect(both.map(({ text }) => text.includes('Imported: added 2 entries'))).toEqual([true, false]);
  expect(harness.watchlists.read(CHAT).entries).toHaveLength(3);
});

test('a chat has room for so many entries; what finds none is named', async () => {
  const harness = await openAppHarness({ answers: {} });
  await harness.watchlists.change(CHAT, (chat) =>
    Array.from({ length: MAX_ENTRIES - 1 }, (_, index) => slug(`p${index}`)).reduce(
      (list, name) =>
        withEntry(list, { target: { kind: 'project', slug: name }, since: harness.clock.now(), by: 'Ada', preset: 'everything' }),
      chat,
    ),
  );
  const { text, reply } = await harness.say('/watchlist import tide\nheron');
  expect(text).toContain('Import this list? It will add 1 entry');
  expect(text).toContain('line 2: heron\n  a chat watches at most 50 entries');
  await harness.say(reply.actions[0]?.line ?? '');
  expect(harness.watchlists.read(CHAT).entries).toHaveLength(MAX_ENTRIES);
});

test('a full chat can be replaced by a list, and many lines without room are one', async () => {
  const harness = await openAppHarness({ answers: {} });
  await harness.watchlists.change(CHAT, (chat) =>
    Array.from({ length: MAX_ENTRIES }, (_, index) => slug(`p${index}`)).reduce(
      (list, name) =>
        withEntry(list, { target: { kind: 'project', slug: name }, since: harness.clock.now(), by: 'Ada', preset: 'everything' }),
      chat,
    ),
  );
  const { text, reply } = await harness.say('/watchlist import tide\nheron\nalder');
  expect(text).toContain('This list only fits if it replaces the current watchlist');
  expect(text).toContain('line 1 to line 3 (3): tide …\n  a chat watches at most 50 entries');
  expect(text).toContain('"Replace all" will add 3 entries and remove 50 entries. It removes p0, ');
  expect(text).toContain(' and 25 more.');
  expect(reply.actions.map(({ label }) => label)).toEqual(['Replace all', 'Cancel']);
  expect((await harness.say(reply.actions[0]?.line ?? '')).text).toContain('Imported: added 3 entries and removed 50 entries');
  expect(harness.watchlists.read(CHAT).entries).toHaveLength(3);
});

test('what is changed is shown as it was and as it would be, so that nothing is lost unseen', async () => {
  const harness = await openAppHarness({ answers: {} });
  await harness.say('/watch tide');
  await harness.say('/alerts tide supply usd>99');
  await harness.say('/settings timezone Europe/Vienna');
  await mute(harness);
  const file = { navwatch: 'watchlist', version: 1, timezone: 'Europe/Berlin', entries: [{ project: 'tide', maxAgeHours: 168 }] };
  const { text } = await harness.ask({ ask: importing, files: [sent(JSON.stringify(file))] });
  expect(text).toMatch(/Tidewater · .*rules, maximum age and mute\n {2}.*supply: at least \$99.* → .*drops alerts older than 7 d/u);
  expect(text).toContain("This chat's timezone: timezone Europe/Vienna → timezone Europe/Berlin");
});

test('what a file may hold is said where it does not, and a rule in it may say "only"', async () => {
  const harness = await openAppHarness({ answers: {} });
  const entries = [
    { project: 'tide', rules: ['premium only below -20'] },
    { project: 'heron', maxAgeHours: 'long' },
    { watch: 'everything' },
    { project: 'alder', rules: 'supply' },
  ];
  const file = JSON.stringify({ navwatch: 'watchlist', version: 1, entries });
  const { text } = await harness.ask({ ask: importing, files: [sent(file)] });
  expect(text).toContain('will add 1 entry');
  expect(text).toContain('premium: below −20%');
  expect(text).toContain('invalid "maxAgeHours"; use a whole number of hours from 1 to 720');
  expect(text).toContain('invalid "watch"; use "all" or "launches"');
  expect(text).toContain('invalid "rules"; use a list of rules');
  const quiet = { navwatch: 'watchlist', version: 1, quiet: { from: '25:00', to: '07:00' }, entries: [] };
  expect((await harness.ask({ ask: importing, files: [sent(JSON.stringify(quiet))] })).text).toContain(
    'invalid "quiet.from"; use two times of day, such as { "from": "22:00", "to": "07:00" }',
  );
});

test('rules come along in words that people can edit; one that cannot be read keeps its entry out', async () => {
  const harness = await openAppHarness({ answers: {} });
  const file = {
    navwatch: 'watchlist',
    version: 1,
    timezone: 'Mars/Olympus',
    entries: [
      { project: 'tide', rules: ['supply usd>10000', 'premium<-20'], off: ['growth', 'wallet'], maxAgeHours: 24 },
      { project: 'heron', rules: ['supply usd>banana'] },
      { project: 'alder', rules: ['supply usd>1', 'supply usd>2'] },
    ],
  };
  const { text, reply } = await harness.ask({ ask: importing, files: [sent(JSON.stringify(file))] });
  expect(text).toContain('entry 2: heron\n  invalid rule "supply usd>banana":');
  expect(text).toContain('entry 3: alder\n  it has two rules for supply');
  expect(text).toContain('Ignored: "wallet"');
  expect(text).toContain('Ignored: unknown timezone "Mars/Olympus".');
  await harness.say(reply.actions[0]?.line ?? '');
  const exported = (await harness.say('/watchlist export')).reply.files[0]?.text ?? '';
  expect(JSON.parse(exported)).toEqual({
    navwatch: 'watchlist',
    version: 2,
    entries: [
      {
        project: 'tide',
        preset: 'everything',
        off: ['growth'],
        rules: [expect.stringMatching(/^premium: premium below −20%/u), 'supply: at least $10K'],
        maxAgeHours: 24,
      },
    ],
  });
});

test('a rule in words that says everything is what is usual, and a label is one line', async () => {
  const harness = await openAppHarness({ answers: {} });
  const entries = [
    { project: 'tide', rules: ['premium: everything', 'supply: everything'] },
    { wallet: KEY, label: 'a\nb' },
  ];
  const file = JSON.stringify({ navwatch: 'watchlist', version: 1, entries });
  const { text, reply } = await harness.ask({ ask: importing, files: [sent(file)] });
  expect(text).toContain('  A label is one line of visible characters');
  await harness.say(reply.actions[0]?.line ?? '');
  expect(harness.watchlists.read(CHAT).entries.map(({ rules }) => rules)).toEqual([undefined]);
});

test('mentions come along only where the role is of the same platform and the asker could ping it', async () => {
  const harness = await openAppHarness({ answers: {} });
  const file = JSON.stringify({ navwatch: 'watchlist', version: 1, entries: [{ project: 'tide', mentions: ['discord role 77'] }] });
  const elsewhere = await harness.ask({ chat: address('telegram', '5'), ask: importing, files: [sent(file)] });
  expect(elsewhere.text).toContain('Ignored: mentions from another platform.');
  const chat = address('discord', '1');
  const from = { id: 'discord/2', name: 'Bo', manages: async () => true, mayMention: async () => false };
  expect((await harness.ask({ chat, from, ask: importing, files: [sent(file)] })).text).toContain(
    "Ignored: mentions you aren't allowed to make here.",
  );
  const allowed = { ...from, mayMention: async () => true };
  const { reply } = await harness.ask({ chat, from: allowed, ask: importing, files: [sent(file)] });
  await harness.ask({ chat, from: allowed, ask: { line: reply.actions[0]?.line ?? '' } });
  expect(harness.watchlists.read(chat).entries[0]?.mentions).toEqual([{ kind: 'role', id: '77' }]);
});

test('a file that cannot be had, is no list, or is one of several is answered with a sentence, and nothing is lost', async () => {
  const harness = await openAppHarness({ answers: {} });
  await harness.say('/watch tide');
  const before = harness.watchlists.read(CHAT);
  const broken = {
    name: 'x.bin',
    size: 9,
    read: async (): Promise<string> => {
      throw new UnreadableFile('x.bin is no text I can read.');
    },
  };
  const answer = await harness.ask({ ask: importing, files: [broken] });
  expect(answer.text).toBe('⚠ x.bin is no text I can read.');
  expect(answer.reply.audience).toBe('asker');
  for (const [files, sentence] of [
    [[sent('{"navwatch":"watchlist","version":9,"entries":[]}')], 'is from a newer Navwatch (file version 9'],
    [[sent('{"navwatch":')], 'This file is damaged'],
    [[sent('')], 'That list is empty.'],
    [[sent('tide'), sent('heron')], 'Send one file at a time; you sent 2.'],
    [[sent('zzzz')], 'There is nothing to watch in this list'],
  ] as const) {
    expect((await harness.ask({ ask: importing, files })).text).toContain(sentence);
  }
  expect(harness.watchlists.read(CHAT)).toBe(before);
});

test('a file without a word is shown for import, and changes nothing whatever it holds', async () => {
  const harness = await openAppHarness({ answers: {} });
  const shown = await harness.ask({ ask: { command: 'watchlist', options: {} }, files: [sent('tide')] });
  expect(shown.text).toContain('Import this list? It will add 1 entry');
  const [press] = shown.reply.actions;
  const key = (press?.line ?? '').replace('/watchlist import kept:', '');
  const kept = (await openPendingImports(harness).read(CHAT, key)) ?? '';
  expect(kept).toContain('"seen"');
  expect((await harness.ask({ ask: { line: '/watchlist' }, files: [sent(kept)] })).text).toContain('Import this list?');
  expect((await harness.say(press?.line ?? '', GUEST)).text).toContain('Only people who can manage this chat');
  expect(harness.watchlists.read(CHAT).entries).toEqual([]);
});

test('a file of somebody who does not manage the chat is not even read', async () => {
  const harness = await openAppHarness({ answers: {} });
  let read = 0;
  const file = { name: 'list.txt', size: 4, read: async () => `${(read += 1)} tide` };
  for (const line of ['/watchlist', '/watchlist import', '/watchlist replace'])
    expect((await harness.ask({ ask: { line }, from: GUEST, files: [file] })).text).toContain('Only people who can manage this chat');
  expect(read).toBe(0);
});

test('only people who manage a chat import into it, and only where alerts can be posted', async () => {
  const harness = await openAppHarness({ answers: {}, probe: { missing: ['Send Messages'] } });
  expect((await harness.say('/watchlist import tide', GUEST)).text).toContain('Only people who can manage this chat');
  expect((await harness.say('/watchlist replace tide', GUEST)).text).toContain('Only people who can manage this chat');
  expect((await harness.say('/watchlist import tide')).text).toBe(
    "⚠ I can't post alerts here: I need Send Messages. Grant it, then run /watchlist import again.",
  );
});

test('without a list it says which lists it reads, and asks for one', async () => {
  const harness = await openAppHarness({ answers: {} });
  const { text, reply } = await harness.say('/watchlist import');
  expect(text).toContain('Send a list to import');
  expect(reply.fields).toMatchObject([{ kind: 'text', line: '/watchlist import {}', lines: true }]);
  expect(await harness.deadButtons(reply)).toEqual([]);
  expect((await harness.say('/watchlist imprt')).text).toContain('/watchlist doesn\'t understand "imprt".');
});

test('an export says what it holds, in words, and what stays behind', async () => {
  const harness = await openAppHarness({ answers: {} });
  expect((await harness.say('/watchlist export')).text).toContain('Nothing to export');
  await harness.say(`/watch ${KEY} fund-1`);
  await mute(harness);
  await harness.watchlists.change(CHAT, (chat) => ({
    ...chat,
    timezone: 'Europe/Vienna',
    entries: chat.entries.map((entry) => ({ ...entry, mentions: [{ kind: 'person' as const, id: '123' }] })),
  }));
  const { text, reply } = await harness.say('/watchlist export');
  expect(text).toMatch(new RegExp(`"fund-1"\\n  ${KEY} · .*muted, alerts resume`, 'u'));
  expect(text).toContain('timezone Europe/Vienna');
  expect(text).toContain('people pinged by 1 entry');
  expect(reply.files[0]).toMatchObject({ name: 'navwatch-watchlist.json', type: 'application/json' });
  expect(reply.files[0]?.text).not.toContain('123"');
});

test('an exception for an unknown project is left out by name, and the entry for all projects stays', async () => {
  const harness = await openAppHarness({ answers: {} });
  const list = {
    navwatch: 'watchlist',
    version: 2,
    entries: [
      {
        watch: 'all',
        exceptions: [
          { project: 'gone-coin', excluded: true },
          { project: 'heron', off: ['growth'] },
        ],
      },
    ],
  };
  const { text, reply } = await harness.ask({ ask: importing, files: [sent(JSON.stringify(list))] });
  expect(text).toContain('It will add 1 entry');
  expect(text).toContain('entry 1: all, exception for gone-coin\n  no project called "gone-coin"');
  await harness.say(reply.actions[0]?.line ?? '');
  expect(harness.watchlists.read(CHAT).entries).toMatchObject([
    { target: { kind: 'all' }, exceptions: { heron: { modes: { growth: 'off' } } } },
  ]);
});
