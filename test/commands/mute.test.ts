import { expect, test } from 'vitest';
import { recentLaunches } from '../../src/analytics/endpoints/launches.js';
import { proposalDetail } from '../../src/analytics/endpoints/proposals.js';
import { suppressionOf } from '../../src/alerts/queue/suppression.js';
import { DAY, HOUR, later } from '../../src/base/clock.js';
import { CHAT, GUEST, openAppHarness } from '../support/app-harness.js';
import { fieldLines } from '../support/fields.js';

async function open(...targets: readonly string[]) {
  const harness = await openAppHarness({ answers: {} });
  for (const target of targets) await harness.say(`/watch ${target}`);
  const chat = () => harness.watchlists.read(CHAT);
  /** Until when events of a kind of the first entry is held. */
  const held = (feed: string) => suppressionOf({ feed }, chat().entries[0], chat(), harness.clock.now())?.until;
  return { ...harness, chat, held };
}

test('a chat is muted until the named moment, and gets alerts again after off', async () => {
  const { say, held, clock, deadButtons } = await open();
  const { text, reply } = await say('/mute 24h');
  expect(text).toContain('This chat is muted. Alerts resume Nov 21, 12:00 UTC');
  expect(await deadButtons(reply)).toEqual([]);
  expect(held('supply')).toBe(later(clock.now(), DAY));
  expect((await say('/mute off')).text).toContain('This chat is unmuted');
  expect(held('supply')).toBeUndefined();
});

test('the moment a mute was ended is kept, because what it held back comes as a summary', async () => {
  const { say, chat, clock } = await open('tide');
  await say('/mute 24h');
  await say('/mute tide supply 3d');
  await clock.advance(HOUR);
  await say('/mute off');
  await say('/mute tide supply off');
  expect(chat()).toMatchObject({ mutedUntil: clock.now(), entries: [{ mutedKinds: { supply: clock.now() } }] });
});

test('an entry is muted by itself, and a chat that stays muted says so', async () => {
  const { say, chat, clock } = await open('Heron Flats');
  expect((await say('/mute heron flats 3d')).text).toContain('Heron Flats is muted. Alerts resume Nov 23, 12:00 UTC');
  expect(chat()).toMatchObject({ entries: [{ mutedUntil: clock.now() + 3 * DAY }] });
  expect(chat().mutedUntil).toBeUndefined();
  await say('/mute 1h');
  expect((await say('/mute heron off')).text).toContain(
    'The whole chat is still muted. Alerts resume 13:00 UTC. To unmute the chat, use /unmute.',
  );
});

test.each([
  ['/mute supply 3d', 'Supply alerts', { mutedKinds: { supply: 3 * DAY } }],
  ['/mute tide supply 3d', 'Tidewater supply alerts', { entries: [{ mutedKinds: { supply: 3 * DAY } }] }],
  ['/mute 3d supply tide', 'Tidewater supply alerts', { entries: [{ mutedKinds: { supply: 3 * DAY } }] }],
  ['/mute tide until 1 Dec 18:00', 'Tidewater', { entries: [{ mutedUntil: 11 * DAY + 6 * HOUR }] }],
  ['/mute tomorrow 9:00', 'This chat', { mutedUntil: 21 * HOUR }],
  ['/mute growth 2026-12-01', 'Growth alerts', { mutedKinds: { growth: 10 * DAY + 12 * HOUR } }],
  ['/mute launches 1h', 'Launches alerts', { mutedKinds: { launches: HOUR } }],
  ['/mute target:tide time:"until 18:00"', 'Tidewater', { entries: [{ mutedUntil: 6 * HOUR }] }],
])('"%s" mutes %s', async (line, what, mutes) => {
  const { say, chat, clock } = await open('tide');
  const now = clock.now();
  expect((await say(line)).text.replace(' are muted', ' is muted')).toContain(`${what} is muted. Alerts resume `);
  const since = (value: unknown): unknown =>
    typeof value === 'number' && value > now
      ? value - now
      : Array.isArray(value)
        ? value.map(since)
        : value !== null && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, since(one)]))
          : value;
  expect(since(chat())).toMatchObject(mutes);
});

test('where the launches are watched, the word means them', async () => {
  const { say } = await open('tide', 'launches');
  expect((await say('/mute launches 1h')).text).toContain('Launches are muted');
});

test('unmuting says which mutes ended and which stay', async () => {
  const { say, deadButtons } = await open('tide', 'heron');
  expect((await say('/mute off')).text).toContain('This chat is not muted\n');
  await say('/mute tide 3d');
  await say('/mute heron premium 2h');
  await say('/mute growth 3h');
  const { text, reply } = await say('/mute off');
  expect(text.split('\n').slice(0, 5)).toEqual([
    'Growth alerts are unmuted',
    "You'll get what you missed as one summary, except for what is still muted.",
    'Still muted',
    'Tidewater: until Nov 23, 12:00 UTC',
    'Heron Flats premium alerts: until 14:00 UTC',
  ]);
  expect(reply.actions.map(({ line }) => line)).toContain('/unmute heron premium');
  expect(await deadButtons(reply)).toEqual([]);
  await say('/mute tide premium 2h');
  expect((await say('/mute tide off')).text).toContain('Unmuted: Tidewater and Tidewater premium alerts.');
});

test('what is plural is spoken of so', async () => {
  const { say } = await open('all', 'launches');
  expect((await say('/mute all 2h')).text).toContain('All projects are muted.');
  expect((await say('/mute launches launches 2h')).text).toContain('Launches are muted.');
});

test('where no entry is for all projects, "all" means the chat', async () => {
  const { say } = await open('tide');
  for (const name of ['all', 'everything']) {
    expect((await say(`/mute ${name} 2h`)).text).toContain('This chat is muted.');
    expect((await say(`/unmute ${name}`)).text).toContain('This chat is unmuted');
  }
});

test('the menu offers six in the evening only while it is ahead, soonest first', async () => {
  const { say, clock } = await open('tide');
  const labels = async () => {
    const [menu] = (await say('/mute')).reply.fields;
    return menu?.kind === 'menu' ? menu.options.map(({ label }) => label) : [];
  };
  expect((await labels())[0]).toBe('Until 18:00');
  await clock.advance(7 * HOUR);
  expect((await labels())[0]).toBe('Until tomorrow 9:00');
});

test('the whole chat may be named', async () => {
  const { say, chat, clock } = await open('tide');
  expect((await say('/mute chat 2h')).text).toContain('This chat is muted.');
  expect(chat().mutedUntil).toBe(clock.now() + 2 * HOUR);
});

test('a time is the one on the wall of the chat, and is said so', async () => {
  const { say, held } = await open('tide');
  await say('/settings timezone Europe/Berlin');
  expect((await say('/mute 18:00')).text).toContain('Alerts resume 18:00 CET');
  expect(held('supply')).toBe(Date.parse('2026-11-20T17:00:00Z'));
});

test('without a time it shows the state and offers times, entries and kinds', async () => {
  const { say, deadButtons } = await open('tide');
  const { text, reply } = await say('/mute');
  expect(text).toContain('This chat is not muted. Mute for how long?');
  expect(await deadButtons(reply)).toEqual([]);
  expect(reply.fields.map(({ label }) => label)).toEqual(['Until when', 'Mute one entry', 'Mute one kind', 'Type a time']);
  for (const line of [
    ...fieldLines(reply),
    ...fieldLines((await say('/mute tide')).reply),
    ...fieldLines((await say('/mute tide growth')).reply),
  ])
    expect((await say(line)).reply, line).toMatchObject({ tone: 'plain' });
  await say('/mute off');
  await say('/mute 2h');
  expect((await say('/mute')).text).toContain('This chat is muted. Alerts resume 14:00 UTC');
});

test('what is not watched cannot be muted', async () => {
  const { say } = await open();
  expect((await say('/mute tide 3d')).text).toContain('This chat does not watch Tidewater.');
});

test.each([
  ['/mute -5d', '"-5d" is not a time. Try 30m, 2h, 3d, 18:00'],
  ['/mute tide 5x', '"5x" is not a time'],
  ['/mute tide forever', 'A mute lasts at most 90 days. To stop alerts for good, use /unwatch.'],
  ['/mute tide two hours', '"two hours" is not a time'],
  ['/mute tide until doomsday', '"until doomsday" is not a time'],
  ['/mute tide supply growth 2h', 'Mute one kind of alert at a time'],
  ['/mute supply growth 2h', 'Mute one kind of alert at a time'],
  ['/mute tide foo 2h', '"foo" is not a kind of alert or a time.'],
  ['/mute until 1 Dec 1 Dec', 'This chat doesn\'t watch "until 1 Dec". Use one name and one time.'],
  ['/mute tide wallet 2h', 'There are no wallet alerts for Tidewater, only supply'],
  ['/mute wallet 2h', "Nothing in this chat's watchlist has wallet alerts."],
  ['/mute 0d', 'A mute must be longer than zero. Try 30m'],
  ['/mute tide 2026-11-01', '"2026-11-01" is in the past.'],
  ['/mute 200d', 'A mute lasts at most 90 days.'],
  ['/mute until 30 Feb', 'There is no date or time "until 30 Feb".'],
])('"%s" is answered with a sentence and mutes nothing', async (line, says) => {
  const { say, chat } = await open('tide');
  const before = chat();
  expect((await say(line)).text).toContain(says);
  expect(chat()).toBe(before);
});

test('only managers mute the chat; everyone may read the state', async () => {
  const { say, chat } = await open('tide');
  const before = chat();
  for (const line of ['/mute 1h', '/mute tide off', '/mute supply 1h'])
    expect((await say(line, GUEST)).text, line).toContain('Only people who can manage this chat');
  expect(chat()).toBe(before);
  expect((await say('/mute tide', GUEST)).text).toContain('Tidewater is not muted.');
});

const MARKET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const LAUNCH = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const proposal = {
  ...{ id: 1, publicKey: MARKET, title: 'Fund the second audit', organizationSlug: 'tide', organizationName: 'Tidewater', status: 'live' },
  ...{ startDate: '2026-11-19T09:00:00Z', endDate: '2026-11-20T23:00:00Z', passEdge: '2.1', passedThresholdBps: 150 },
};
const launch = { launchAddr: LAUNCH, title: 'Larch', tokenSymbol: 'LARC', state: 'live', organizationSlug: 'alder' };

/** The bot has seen one proposal and one launch. */
async function openWithMarkets(...targets: readonly string[]) {
  const harness = await openAppHarness({
    answers: { [`/v1/proposal/${MARKET}`]: proposal, '/v1/global-dashboard/recent-launches': [launch] },
  });
  await harness.analytics.call(proposalDetail, { publicKey: MARKET });
  await harness.analytics.call(recentLaunches, {});
  for (const target of targets) await harness.say(`/watch ${target}`);
  return { ...harness, chat: () => harness.watchlists.read(CHAT) };
}

test('one proposal is muted alone, is shown, and is unmuted alone, with its project or with the chat', async () => {
  const { say, chat, clock, deadButtons } = await openWithMarkets('tide');
  const isMuted = () => (chat().mutedTopics?.[`proposals/tide/${MARKET}`] ?? 0) > clock.now();
  const { text, reply } = await say(`/mute tide on ${MARKET}`);
  expect(text).toContain('The proposal "Fund the second audit" of Tidewater is not muted. Mute for how long?');
  expect(fieldLines(reply)).toEqual(expect.arrayContaining(['/mute tide proposals', '/mute tide']));
  expect(await deadButtons(reply)).toEqual([]);
  const done = await say(`/mute tide on ${MARKET} 1d`);
  expect(done.text).toContain('The proposal "Fund the second audit" of Tidewater is muted. Alerts resume Nov 21, 12:00 UTC');
  expect(await deadButtons(done.reply)).toEqual([]);
  expect([chat().entries[0]?.mutedUntil, chat().mutedUntil, chat().mutedKinds]).toEqual([undefined, undefined, undefined]);
  expect((await say('/watchlist')).text).toContain('Muted alone: tide proposal 9xQe…VFin, resumes Nov 21');
  for (const line of [
    `/unmute tide proposals on ${MARKET}`,
    `/unmute tide on ${MARKET}`,
    '/unmute tide',
    '/unmute',
    `/mute tide on ${MARKET} off`,
  ]) {
    await say(`/mute tide on ${MARKET} 1d`);
    expect(isMuted()).toBe(true);
    await say(line);
    expect(isMuted(), line).toBe(false);
  }
});

test('a mute of one proposal needs its project, and a launch none', async () => {
  const { say, chat } = await openWithMarkets('tide', 'launches');
  expect((await say(`/mute on ${MARKET} 1d`)).text).toContain('One proposal is muted with its project');
  expect((await say(`/mute launches on ${LAUNCH} 1d`)).text).toContain('The launch "Larch" is muted');
  expect(Object.keys(chat().mutedTopics ?? {})).toEqual([`launches/${LAUNCH}`]);
});

test('a chat mutes at most fifty proposals alone', async () => {
  const { say, watchlists, clock, chat } = await openWithMarkets('tide');
  const ends = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`proposals/tide/${at}`, later(clock.now(), DAY)]));
  await watchlists.change(CHAT, (one) => ({ ...one, mutedTopics: ends }));
  const { text, reply } = await say(`/mute tide on ${MARKET} 1d`);
  expect([text.includes('mutes 50 single proposals'), reply.tone]).toEqual([true, 'warning']);
  expect(Object.keys(chat().mutedTopics ?? {})).toHaveLength(50);
});

test('a watchlist file carries the mutes of single proposals', async () => {
  const harness = await openWithMarkets('tide');
  await harness.say(`/mute tide on ${MARKET} 1d`);
  const { reply } = await harness.say('/watchlist export');
  expect(JSON.stringify(reply.files)).toContain(`proposals/tide/${MARKET}`);
});

test('"Mute…" under an alert of a proposal or launch that is followed alone mutes it, though nothing else of it is watched', async () => {
  const { say, chat, clock, deadButtons } = await openWithMarkets(`tide on ${MARKET}`, `launches on ${LAUNCH}`);
  for (const [words, topic] of [
    [`tide on ${MARKET}`, `proposals/tide/${MARKET}`],
    [`launches on ${LAUNCH}`, `launches/${LAUNCH}`],
  ] as const) {
    const isMuted = () => (chat().mutedTopics?.[topic] ?? 0) > clock.now();
    const { text, reply } = await say(`/mute ${words}`);
    expect(text).toContain('is not muted. Mute for how long?');
    expect([await deadButtons(reply), fieldLines(reply).filter((line) => !line.includes(' on '))]).toEqual([[], []]);
    expect((await say(`/mute ${words} 1h`)).text).toContain('is muted. Alerts resume');
    expect(isMuted()).toBe(true);
    expect((await say(`/unmute ${words}`)).text).toContain('is unmuted');
    expect(isMuted()).toBe(false);
  }
});

test('a followed proposal that is muted by its key is not called unmuted', async () => {
  const { say } = await openWithMarkets(`tide on ${MARKET}`);
  await say(`/mute ${MARKET} 1d`);
  expect((await say(`/unmute tide on ${MARKET}`)).text).toContain('This entry is still muted.');
});

test('a key that is nothing here, or of another project, is not muted', async () => {
  const { say, chat } = await openWithMarkets('tide', 'heron', 'launches');
  const unknown = '4Fg7hJk2mN5pQrStUvWxYz3aBcDeFgHiJkLmNpQrStUv';
  expect((await say(`/mute tide on ${unknown} 1d`)).text).toContain('No proposal or launch is known by the key 4Fg7…StUv.');
  const { text, reply } = await say(`/mute heron on ${MARKET} 1d`);
  expect(text).toContain('That proposal is of Tidewater, not of Heron Flats.');
  expect(reply.actions.map(({ line }) => line)).toContain(`/mute tide on ${MARKET}`);
  expect((await say(`/mute tide on ${LAUNCH} 1d`)).text).toContain("That's a launch, and no proposal.");
  expect((await say(`/mute launches on ${MARKET} 1d`)).text).toContain('That proposal is of Tidewater, and no launch.');
  expect(chat().mutedTopics).toBeUndefined();
});

test('a proposal of a project that is not watched is not muted unless it is followed', async () => {
  const { say, chat } = await openWithMarkets('heron');
  expect((await say(`/mute tide on ${MARKET} 1d`)).text).toContain('does not watch Tidewater');
  expect(chat().mutedTopics).toBeUndefined();
});
