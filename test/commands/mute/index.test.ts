import { expect, test } from 'vitest';
import { suppressionOf } from '../../../src/alerts/queue/suppression.js';
import { DAY, HOUR, later } from '../../../src/base/clock.js';
import { CHAT, GUEST, openAppHarness } from '../../support/app-harness.js';
import { fieldLines } from '../../support/fields.js';

async function open(...targets: readonly string[]) {
  const house = await openAppHarness({ answers: {} });
  for (const target of targets) await house.say(`/watch ${target}`);
  const chat = () => house.watchlists.read(CHAT);
  /** Until when news of a kind of the first entry is held. */
  const held = (feed: string) => suppressionOf({ feed }, chat().entries[0], chat(), house.clock.now())?.until;
  return { ...house, chat, held };
}

test('a chat is muted until the named moment, and gets alerts again after off', async () => {
  const { say, held, clock, deadButtons } = await open();
  const { text, reply } = await say('/mute 24h');
  expect(text).toContain('This chat is muted; alerts come again Nov 21, 12:00 UTC');
  expect(await deadButtons(reply)).toEqual([]);
  expect(held('supply')).toBe(later(clock.now(), DAY));
  expect((await say('/mute off')).text).toContain('This chat is not muted any more');
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
  expect((await say('/mute heron flats 3d')).text).toContain('Heron Flats is muted; alerts come again Nov 23, 12:00 UTC');
  expect(chat()).toMatchObject({ entries: [{ mutedUntil: clock.now() + 3 * DAY }] });
  expect(chat().mutedUntil).toBeUndefined();
  await say('/mute 1h');
  expect((await say('/mute heron off')).text).toContain(
    'The whole chat is still muted, and alerts come again 13:00 UTC; /mute off ends that.',
  );
});

test.each([
  ['/mute supply 3d', 'Supply news in this chat', { mutedKinds: { supply: 3 * DAY } }],
  ['/mute tide supply 3d', 'Supply news of Tidewater', { entries: [{ mutedKinds: { supply: 3 * DAY } }] }],
  ['/mute 3d supply tide', 'Supply news of Tidewater', { entries: [{ mutedKinds: { supply: 3 * DAY } }] }],
  ['/mute tide until 1 Dec 18:00', 'Tidewater', { entries: [{ mutedUntil: 11 * DAY + 6 * HOUR }] }],
  ['/mute tomorrow 9:00', 'This chat', { mutedUntil: 21 * HOUR }],
  ['/mute growth 2026-12-01', 'Growth news in this chat', { mutedKinds: { growth: 10 * DAY + 12 * HOUR } }],
  ['/mute launches 1h', 'Launches news in this chat', { mutedKinds: { launches: HOUR } }],
  ['/mute target:tide time:"until 18:00"', 'Tidewater', { entries: [{ mutedUntil: 6 * HOUR }] }],
])('“%s” mutes %s', async (line, what, mutes) => {
  const { say, chat, clock } = await open('tide');
  const now = clock.now();
  expect((await say(line)).text).toContain(`${what} is muted; alerts come again `);
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
  expect((await say('/mute launches 1h')).text).toContain('The launches are muted');
});

test('unmuting says which mutes ended and which stay', async () => {
  const { say, deadButtons } = await open('tide', 'heron');
  expect((await say('/mute off')).text).toContain('This chat is not muted\n');
  await say('/mute tide 3d');
  await say('/mute heron premium 2h');
  await say('/mute growth 3h');
  const { text, reply } = await say('/mute off');
  expect(text.split('\n').slice(0, 6)).toEqual([
    'This chat is not muted any more',
    'Ended: growth news in this chat.',
    'What was held back comes as one summary, without what is still muted.',
    'Still muted',
    'Tidewater, alerts come again Nov 23, 12:00 UTC',
    'premium news of Heron Flats, alerts come again 14:00 UTC',
  ]);
  expect(reply.actions.map(({ line }) => line)).toContain('/mute heron premium off');
  expect(await deadButtons(reply)).toEqual([]);
  await say('/mute tide premium 2h');
  expect((await say('/mute tide off')).text).toContain('Ended: Tidewater and premium news of Tidewater.');
});

test('what is plural is spoken of so', async () => {
  const { say } = await open('all', 'launches');
  expect((await say('/mute all 2h')).text).toContain('All projects are muted;');
  expect((await say('/mute launches launches 2h')).text).toContain('The launches are muted;');
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

test('“/unmute” leads to what ends a mute', async () => {
  const { say, deadButtons } = await open('tide');
  const { text, reply } = await say('/unmute tide');
  expect(text).toContain('There is no command "unmute". Write /mute tide off instead.');
  expect(await deadButtons(reply)).toEqual([]);
});

test('the whole chat may be named', async () => {
  const { say, chat, clock } = await open('tide');
  expect((await say('/mute chat 2h')).text).toContain('This chat is muted;');
  expect(chat().mutedUntil).toBe(clock.now() + 2 * HOUR);
});

test('a time is the one on the wall of the chat, and is said so', async () => {
  const { say, held } = await open('tide');
  await say('/settings timezone Europe/Berlin');
  expect((await say('/mute 18:00')).text).toContain('That is Fri Nov 20, 18:00, Europe/Berlin.');
  expect(held('supply')).toBe(Date.parse('2026-11-20T17:00:00Z'));
});

test('without a time it shows the state and offers times, entries and kinds', async () => {
  const { say, deadButtons } = await open('tide');
  const { text, reply } = await say('/mute');
  expect(text).toContain('This chat is not muted. For how long should it be?');
  expect(await deadButtons(reply)).toEqual([]);
  expect(reply.fields.map(({ label }) => label)).toEqual(['Until when', 'Only what is watched', 'Only a kind', 'Type a time']);
  for (const line of [
    ...fieldLines(reply),
    ...fieldLines((await say('/mute tide')).reply),
    ...fieldLines((await say('/mute tide growth')).reply),
  ])
    expect((await say(line)).reply, line).toMatchObject({ tone: 'plain' });
  await say('/mute off');
  await say('/mute 2h');
  expect((await say('/mute')).text).toContain('This chat is muted; alerts come again 14:00 UTC');
});

test('what is not watched cannot be muted', async () => {
  const { say } = await open();
  expect((await say('/mute tide 3d')).text).toContain('This chat does not watch Tidewater.');
});

test.each([
  ['/mute -5d', '"-5d" is no length of time I know, and no moment either. Write 30m, 2h, 3d or 1w, or until when: 18:00'],
  ['/mute tide 5x', '"5x" is no length of time I know'],
  ['/mute tide forever', 'A mute lasts at most 90 days. To stop for good, use /unwatch.'],
  ['/mute tide two hours', '"two hours" is no length of time I know'],
  ['/mute tide until doomsday', '"until doomsday" is no length of time I know'],
  ['/mute tide supply growth 2h', 'A mute is of one kind of news, or of all.'],
  ['/mute supply growth 2h', 'A mute is of one kind of news, or of all.'],
  ['/mute tide foo 2h', 'I do not know what “foo” means behind tide.'],
  ['/mute until 1 Dec 1 Dec', '“until 1 Dec” is not something that this chat watches. Write one name and one time.'],
  ['/mute tide wallet 2h', 'There is no wallet news of Tidewater; there is supply'],
  ['/mute wallet 2h', 'Nothing that this chat watches has wallet news.'],
  ['/mute 0d', 'A mute needs a length above zero. Write 30m'],
  ['/mute tide 2026-11-01', '“2026-11-01” is over already.'],
  ['/mute 200d', 'A mute lasts at most 90 days.'],
  ['/mute until 30 Feb', 'There is no such day or time as “until 30 Feb”.'],
])('“%s” is answered with a sentence and mutes nothing', async (line, says) => {
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
