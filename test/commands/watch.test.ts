import { describe, expect, test } from 'vitest';
import { entryFor, MAX_ENTRIES, withEntry } from '../../src/alerts/watchlist/watchlists.js';
import { filled } from '../../src/chat/command-line.js';
import { CHAT, openAppHarness, type AppHarnessOptions } from '../support/app-harness.js';
import { HOUR } from '../../src/base/clock.js';
import type { ExpectedDelay, FlipDelay } from '../../src/chat/status-strip.js';
import { slug } from '../../src/domain/scalars.js';

test('a platform that does not respond is said in a sentence, and nothing is watched', async () => {
  const blocked = "Telegram isn't responding, so I can't check my permissions here. Try again in a minute.";
  const { say, watchlists } = await openAppHarness({ answers: {}, probe: { missing: [], blocked } });
  for (const line of ['/watch tide', '/watchlist import tide', '/alerts test']) expect((await say(line)).text, line).toBe(`⚠ ${blocked}`);
  expect(watchlists.read(CHAT).entries).toEqual([]);
});

test('watching a project runs the first checks before it replies, and says what is stored and what will be an alert', async () => {
  const { say, looked, watchlists, clock, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/watch Heron Flats');
  expect(text).toContain('Watching Heron Flats');
  expect(reply.actions).toEqual([
    { label: 'Important', line: '/alerts heron important', on: true },
    { label: 'Most', line: '/alerts heron most', on: false },
    { label: 'Everything', line: '/alerts heron everything', on: false },
    { label: 'Digest only', line: '/alerts heron digest', on: false },
    { label: 'Customize…', line: '/alerts heron', on: false },
    { label: 'Undo', line: '/unwatch heron', on: false },
  ]);
  expect(looked).toEqual([{ target: { kind: 'project', slug: 'heron' }, patience: 700 }]);
  expect(watchlists.read(CHAT).entries).toEqual([
    { target: { kind: 'project', slug: 'heron' }, since: clock.now(), by: 'Ada', byId: 'console/ada', preset: 'important' },
  ]);
  expect(await deadButtons(reply)).toEqual([]);
});

test('a long first check continues after the reply, and a failed one is retried', async () => {
  const textWith = async (checkRecords: AppHarnessOptions['checkRecords']): Promise<string> =>
    (await (await openAppHarness({ answers: {}, checkRecords })).say('/watch tide')).text;
  const slow = { done: 1, pending: 3, failed: 0 };
  expect(await textWith(slow)).toContain("First checks are running (1 of 4 done). You'll be alerted to changes from now on.");
  expect(await textWith({ ...slow, readyIn: 2_100 })).toContain('from now on; the first alerts can come in about 1 min.');
  expect(await textWith({ ...slow, isDeferred: true })).toContain('The others follow when the API budget allows.');
  expect(await textWith({ ...slow, readyIn: 61_000 })).toContain('the first alerts can come in about 2 min.');
  const broken = await openAppHarness({ answers: {}, checkRecords: { done: 2, pending: 0, failed: 2 } });
  expect((await broken.say('/watch tide')).text).toContain('2 of 4 first checks failed');
});

test('all projects and the launches are watched by their words, in any case', async () => {
  const { say, watchlists } = await openAppHarness({ answers: {} });
  expect((await say('/watch ALL')).text).toContain('Watching all projects');
  expect((await say('/watch launches')).text).toContain('Watching launches');
  expect(watchlists.read(CHAT).entries.map(({ target }) => target)).toEqual([{ kind: 'all' }, { kind: 'launches' }]);
});

test('what is watched already is not begun again, and says since when and by whom', async () => {
  const { say, clock, watchlists, looked } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  const before = watchlists.read(CHAT);
  await clock.advance(3 * 3_600_000);
  expect((await say('/watch Tidewater')).text).toContain('Already watching Tidewater, added 12:00 UTC by Ada');
  expect(watchlists.read(CHAT)).toEqual(before);
  expect(looked).toHaveLength(1);
});

test('two people who do it at once make one entry', async () => {
  const { say, watchlists } = await openAppHarness({ answers: {} });
  const texts = (await Promise.all([say('/watch tide'), say('/watch tide')])).map(({ text }) => text.split('\n')[0]);
  expect(watchlists.read(CHAT).entries).toHaveLength(1);
  expect(new Set(texts)).toEqual(new Set(['Already watching Tidewater, added 12:00 UTC by Ada', '● Watching Tidewater in this chat']));
});

test('a chat that cannot be posted to gets the missing permission, and no entry is added', async () => {
  const { say, watchlists, looked } = await openAppHarness({ answers: {}, probe: { missing: ['Embed Links', 'Send Messages'] } });
  const { text, reply } = await say('/watch tide');
  expect(text).toBe("⚠ I can't post alerts here: I need Embed Links and Send Messages. Grant them, then run /watch tide again.");
  expect(reply.audience).toBe('asker');
  expect(watchlists.all()).toEqual([]);
  expect(looked).toEqual([]);
});

test('where charts cannot be posted, it is watched, and what to grant is said', async () => {
  const { say, watchlists } = await openAppHarness({ answers: {}, probe: { missing: [], pictures: 'Attach Files' } });
  const { text, reply } = await say('/watch tide');
  expect(reply.tone).toBe('live');
  expect(text).toContain('Attach Files');
  expect(watchlists.read(CHAT).entries).toHaveLength(1);
});

test('a full list takes no more, and says how to make room', async () => {
  const { say, watchlists, clock } = await openAppHarness({ answers: {} });
  await watchlists.change(CHAT, (chat) =>
    Array.from({ length: MAX_ENTRIES }, (_, index) => slug(`p${index}`)).reduce(
      (list, name) => withEntry(list, { target: { kind: 'project', slug: name }, since: clock.now(), by: 'Ada', preset: 'everything' }),
      chat,
    ),
  );
  expect((await say('/watch tide')).text).toContain('The watchlist is full (50 entries).');
  const { reply } = await say('/unwatch');
  expect(reply.fields.map(({ label }) => label)).toEqual(['Stop watching, 1 to 25', 'Stop watching, 26 to 50']);
  expect(entryFor(watchlists.read(CHAT), { kind: 'project', slug: slug('tide') })).toBeUndefined();
});

test('without a target it asks: a project from a menu or by its name, a wallet by its key, or everything', async () => {
  const { say, deadButtons, watchlists } = await openAppHarness({ answers: {} });
  await say('/watch heron');
  const { text, reply } = await say('/watch');
  expect(text).toContain('What do you want alerts about?');
  expect(text).toContain('/watch <public key> fund-1');
  const [menu, project, wallet] = reply.fields;
  // What has a token comes first; what is watched already is left out, and a project called as a word of ours.
  expect(menu?.kind === 'menu' && menu.options.map(({ line }) => line)).toEqual(
    ['tide', 'alder', 'glass-pier', 'quarry-lane', 'spindrift'].map((name) => `/watch ${name}`),
  );
  expect(await deadButtons(reply)).toEqual([]);
  expect((await say(filled(project?.kind === 'text' ? project.line : '', ' Glass-Pier '))).text).toContain('Watching glass-pier');
  expect((await say(filled(wallet?.kind === 'text' ? wallet.line : '', `${KEY} my fund`))).text).toContain('Watching "my fund"');
  expect(watchlists.read(CHAT).entries).toHaveLength(3);
});

test('where the projects cannot be had it asks all the same', async () => {
  const harness = await openAppHarness();
  await harness.sim({ kind: 'down' });
  const { reply } = await harness.say('/watch');
  expect(reply.fields.map(({ kind, label }) => [kind, label])).toEqual([
    ['text', 'Another project'],
    ['text', 'A wallet'],
  ]);
});

test('a project nobody knows is not watched', async () => {
  const { say, watchlists, directory } = await openAppHarness({ answers: {} });
  await directory.refresh();
  const { text, reply } = await say('/watch tidewtaer');
  expect(text).toContain('No project called "tidewtaer". Did you mean tide (Tidewater)');
  expect((await say(reply.actions[0]?.line ?? '')).text).toContain('Watching Tidewater');
  expect(watchlists.read(CHAT).entries).toHaveLength(1);
});

const KEY = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const OTHER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

test('a wallet is watched by its whole public key, under a label that may have several words', async () => {
  const { say, watchlists, looked, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say(`/watch ${KEY} my first fund`);
  expect(text).toContain('Watching "my first fund"');
  const target = { kind: 'wallet', address: KEY, label: 'my first fund' };
  expect(watchlists.read(CHAT).entries.map((entry) => entry.target)).toEqual([target]);
  expect(looked).toEqual([{ target, patience: 700 }]);
  expect(await deadButtons(reply)).toEqual([]);
  expect((await say(`/watch ${OTHER}`)).text).toContain('Watching wallet 9xQe…VFin');
});

test('a new label for a wallet that is watched already changes nothing else of its entry', async () => {
  const { say, watchlists, clock } = await openAppHarness({ answers: {} });
  await say(`/watch ${KEY} fund-1`);
  await say('/mute fund-1 24h');
  const [before] = watchlists.read(CHAT).entries;
  await clock.advance(3_600_000);
  expect((await say(`/watch ${KEY}`)).text).toContain('Already watching "fund-1"');
  expect((await say(`/watch ${KEY} reserve`)).text).toContain('Wallet 7Hq2…x9Pd is now labeled "reserve" (was "fund-1")');
  expect(watchlists.read(CHAT).entries).toEqual([{ ...before, target: { kind: 'wallet', address: KEY, label: 'reserve' } }]);
});

test('a label that means something else, is taken or too long is refused', async () => {
  const { say, watchlists } = await openAppHarness({ answers: {} });
  await say(`/watch ${KEY} fund-1`);
  expect((await say(`/watch ${OTHER} Fund-1`)).text).toContain('"Fund-1" is already the label of wallet 7Hq2…x9Pd.');
  expect((await say(`/watch ${OTHER} all`)).text).toContain('"all" can');
  expect((await say(`/watch ${OTHER} ${'x'.repeat(30)}`)).text).toContain("can't be a label");
  expect((await say(`/watch ${OTHER} ${'x'.repeat(41)}`)).text).toContain('A label has at most 40 characters');
  expect(watchlists.read(CHAT).entries).toHaveLength(1);
});

test('a part of a public key is not an unknown project, and causes no request', async () => {
  const { say, written, watchlists } = await openAppHarness({ answers: {} });
  expect((await say(`/watch ${KEY.slice(0, -2)} fund-1`)).text).toMatch(/^⚠ .+not a wallet address \(31 bytes/u);
  expect(written.filter(({ event }) => event === 'analytics.exchange')).toEqual([]);
  expect(watchlists.all()).toEqual([]);
});

test('a wallet is listed, muted, switched and taken off by its label', async () => {
  const { say, watchlists, deadButtons } = await openAppHarness({ answers: {} });
  await say(`/watch ${KEY} fund-1`);
  await say('/watch tide');
  expect((await say('/watchlist')).text).toContain('"fund-1"\n  Important · added 12:00 UTC by Ada');
  await say('/alerts fund-1 wallet off');
  expect(watchlists.read(CHAT).entries.map(({ modes }) => modes)).toEqual([{ wallet: 'off' }, undefined]);
  for (const line of ['/alerts fund-1 supply off', '/alerts tide wallet off']) expect((await say(line)).reply.tone, line).toBe('warning');
  expect((await say('/mute FUND-1 2h')).text).toContain('"fund-1" is muted. Alerts resume 14:00 UTC');
  for (const line of ['/watchlist', '/alerts', '/alerts fund-1']) expect(await deadButtons((await say(line)).reply)).toEqual([]);
  const { text, reply } = await say('/unwatch fund-1');
  expect(text).toContain('Stopped watching "fund-1"; 1 entry left');
  expect(watchlists.read(CHAT).entries).toHaveLength(1);
  expect((await say(reply.actions[0]?.line ?? '')).text).toContain('Watching "fund-1"');
});

test('two words that name no project are not a project and a label', async () => {
  const { say, watchlists, directory } = await openAppHarness({ answers: {} });
  await directory.refresh();
  expect((await say('/watch Heron Flatz')).text).toContain('No project called "Heron Flatz". Did you mean heron (Heron Flats)?');
  expect((await say('/watch Heron Flats')).text).toContain('Watching Heron Flats');
  expect(watchlists.read(CHAT).entries).toHaveLength(1);
});

test.each(['/watch tide heron', '/watch tide, heron', '/watch tide and heron'])('"%s" suggests one line for each name', async (line) => {
  const { say, watchlists } = await openAppHarness({ answers: {} });
  const { text, reply } = await say(line);
  expect(text).toContain('Watch one at a time, or give a whole list to /watchlist import.');
  expect(reply.actions.map((action) => action.line)).toEqual(['/watch tide', '/watch heron']);
  expect(watchlists.all()).toEqual([]);
});

test('what a project is called by cannot be the label of a wallet', async () => {
  const { say, watchlists } = await openAppHarness({ answers: {} });
  for (const label of ['tide', 'hern', 'Heron Flats'])
    expect((await say(`/watch ${KEY} ${label}`)).text).toContain(`"${label}" can't be a label: a project has that name.`);
  expect(watchlists.all()).toEqual([]);
});

const delay = (kind: string, hours: number, isListed: boolean) => ({ kind, within: hours * HOUR, useful: 24 * HOUR, isListed });
const PLANNED = [
  delay('growth', 30 * 24, false),
  delay('launches', 9, false),
  delay('movements', 10 * 24, false),
  delay('premium', 14, true),
  delay('proposals', 11, true),
  delay('supply', 14, true),
  delay('vesting', 12 * 24, false),
];
const planned = async (
  checkRecords: AppHarnessOptions['checkRecords'],
  expectedDelays: readonly ExpectedDelay[] = PLANNED,
  line = '/watch tide',
) => {
  const { say } = await openAppHarness({ answers: {}, requestsPerMonth: 500, checkRecords, expectedDelays });
  return (await say(line)).text.split('\n');
};

test('on a plan with a monthly limit it says how long changes take to be detected, soonest first', async () => {
  expect(await planned({ done: 9, pending: 0, failed: 0 })).toEqual(
    expect.arrayContaining([
      "You'll be alerted to changes from now on.",
      'On 500 requests a month changes are detected within about 14 h for launches, proposals, premium and supply, 12 d for movements and vesting. Fewer projects are checked sooner.',
    ]),
  );
  expect(
    (
      await planned({ done: 9, pending: 0, failed: 0 }, [delay('wallet', 30, false)], '/watch 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd')
    ).join('\n'),
  ).not.toMatch(/Fewer projects|movements/u);
});

test('on a plan with a monthly limit it says how late a market that flips is seen, unless no rule is about flips', async () => {
  const proposals = delay('proposals', 11, true);
  const flips = async (by: FlipDelay['by'], hours: number) =>
    planned({ done: 9, pending: 0, failed: 0 }, [{ ...proposals, flips: { within: hours * HOUR, by } }]);
  expect(await flips('list', 11)).toContain('A market that flips is seen within about 11 h, from the list of live markets.');
  expect(await flips('checks, as the list has no margins', 48)).toContain(
    'A market that flips is seen within about 2 d, by direct checks, because the list of live markets has no margins.',
  );
  const { say } = await openAppHarness({
    ...{ answers: {}, requestsPerMonth: 500 },
    expectedDelays: [{ ...proposals, flips: { within: 11 * HOUR, by: 'list' } }],
  });
  await say('/settings digest');
  expect((await say('/watch tide')).text).not.toContain('A market that flips');
});

test('kinds that the entry has switched off are not expected', async () => {
  const { say } = await openAppHarness({ answers: {}, requestsPerMonth: 500, expectedDelays: [delay('growth', 48, false)] });
  expect((await say('/watch tide')).text).not.toContain('requests a month');
  await say('/settings everything');
  expect((await say('/watch heron')).text).toContain('within about 2 d for growth.');
});

test('first checks that the plan spreads are not said to run: what lists show alerts from now on', async () => {
  const spread = { done: 0, pending: 9, failed: 0, isDeferred: true } as const;
  const text = await planned(spread);
  expect(text).toContain(
    'Alerts on premium, proposals and supply start now; launches, movements and vesting get their first check within 12 d.',
  );
  expect(text.join('\n')).not.toContain('First checks are running');
  expect(
    await planned(
      spread,
      PLANNED.filter(({ isListed }) => isListed),
    ),
  ).toContain('Alerts on premium, proposals and supply start now.');
  expect((await planned({ done: 0, pending: 1, failed: 0 }, [])).join('\n')).toContain(
    'First checks are being planned for the API budget.',
  );
  expect(await planned(spread, [delay('movements', 48, false)])).toContain('First checks follow within 2 d, and alerts start with them.');
});

test('while the budget for checks is used up nothing is promised', async () => {
  const text = (await planned({ done: 0, pending: 9, failed: 0, isDeferred: true }, [delay('movements', Infinity, false)])).join('\n');
  expect(text).toContain('The others follow when the API budget allows.');
  expect(text).toContain('Checks are paused until the API budget has requests left.');
  expect(text).not.toContain('within');
});

describe('a saved screen', () => {
  test('is an entry of the watchlist under its filter, however it was typed, and says who is in it', async () => {
    const { say, watchlists } = await openAppHarness();
    const { text, reply } = await say('/watch screen premium < -20, runway>12');
    expect(text).toContain('Now in it: none.');
    expect(watchlists.read(CHAT).entries.map(({ target }) => target)).toEqual([{ kind: 'screen', filter: 'premium<-20 runway>12' }]);
    expect((await say('/watch "screen premium<-20 runway>12"')).text).toContain('Already watching screen premium<-20 runway>12');
    expect((await say('/screen premium<-20 runway>12')).reply.actions.map(({ line }) => line)).toContain(
      '/unwatch "screen premium<-20 runway>12"',
    );
    await say(reply.actions.at(-1)?.line ?? '');
    expect(watchlists.read(CHAT).entries).toEqual([]);
  });

  test('is refused for fields that no check reads, and beyond five in a chat', async () => {
    const { say } = await openAppHarness();
    expect((await say('/watch screen cap<3m')).text).toContain('the rest is only in a list');
    expect((await say('/watch screen premium<=-20')).text).toContain('a saved screen has < or >');
    for (const level of [1, 2, 3, 4, 5]) await say(`/watch screen runway>${level}`);
    expect((await say('/watch screen runway>6')).text).toContain('A chat has at most 5 saved screens. Remove one first.');
  });

  test('is explained, muted and moved to another chat under its name', async () => {
    const { say, watchlists } = await openAppHarness();
    await say('/watch screen discount>20');
    expect((await say('/why screen discount>20')).text).toContain('screen discount>20, screens');
    expect((await say('/mute screen discount>20 2h')).reply.tone).not.toBe('warning');
    const { reply } = await say('/watchlist export');
    const [file] = reply.files;
    expect(file?.text).toContain('"screen":"discount>20"');
    expect(watchlists.read(CHAT).entries[0]?.mutedUntil).toBeDefined();
  });

  test('is found by every command, quoted or not, with spaces or without', async () => {
    const { say, watchlists, clock } = await openAppHarness();
    await say('/watch tide');
    await say('/watch screen premium<-20 runway>12');
    const entry = () => watchlists.read(CHAT).entries.find(({ target }) => target.kind === 'screen');
    for (const name of ['screen premium<-20 runway>12', '"screen premium<-20 runway>12"', 'Screen premium < -20, and runway > 12']) {
      expect((await say(`/why ${name}`)).text).toContain('screen premium<-20 runway>12');
      expect((await say(`/mute ${name} 2h`)).reply.tone).not.toBe('warning');
      expect(entry()?.mutedUntil).toBeDefined();
      await say(`/unmute ${name}`);
      expect(entry()?.mutedUntil).toBe(clock.now());
      await say(`/alerts ${name} stages:entered`);
      expect(entry()?.rules?.screens?.filters).toMatchObject({ stages: ['entered'] });
      await say(`/alerts ${name} important`);
      await say(`/unwatch ${name}`);
      expect(entry()).toBeUndefined();
      await say('/watch screen premium<-20 runway>12');
    }
    expect((await say('/why screen premium<-20 runway>12 screens')).text).toContain('screen premium<-20 runway>12');
    expect((await say('/unwatch screen premium<-20')).text).toContain('does not watch screen premium<-20');
    expect((await say('/unwatch screen cap<3m')).text).toContain('the rest is only in a list');
  });
});
