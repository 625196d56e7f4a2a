import { expect, test } from 'vitest';
import { entryFor, MOST_ENTRIES, withEntry } from '../../src/alerts/watchlists.js';
import { CHAT, openHouse } from '../support/house.js';
import { slug } from '../../src/domain/scalars.js';

test('watching a project looks before it answers, and says what is stored and what will be told', async () => {
  const { say, looked, watchlists, clock, deadButtons } = await openHouse({ answers: {} });
  const { text, reply } = await say('/watch Heron Flats');
  expect(text.split('\n').slice(0, 3)).toEqual([
    '● This chat now watches Heron Flats',
    'Told here: supply, proposals, launches and growth.',
    'I have looked: what stands there now is stored, and you hear only what is new from here on.',
  ]);
  expect(looked).toEqual([{ target: { kind: 'project', slug: 'heron' }, patience: 5_000 }]);
  expect(watchlists.read(CHAT).entries).toEqual([{ target: { kind: 'project', slug: 'heron' }, since: clock.now(), by: 'Ada', off: [] }]);
  expect(await deadButtons(reply)).toEqual([]);
});

test('a look that takes long goes on behind the answer, and one that fails is tried again', async () => {
  const slow = await openHouse({ answers: {}, looks: { done: 1, pending: 3, failed: 0 } });
  expect((await slow.say('/watch tide')).text).toContain('I have looked at 1 of 4 so far and go on in the background.');
  const broken = await openHouse({ answers: {}, looks: { done: 2, pending: 0, failed: 2 } });
  expect((await broken.say('/watch tide')).text).toContain('2 of 4 first looks failed; I try again at the next round');
});

test('all projects and the launches are watched by their words, in any case', async () => {
  const { say, watchlists } = await openHouse({ answers: {} });
  expect((await say('/watch ALL')).text).toContain('now watches all projects');
  expect((await say('/watch launches')).text).toContain('now watches launches\nTold here: launches.');
  expect(watchlists.read(CHAT).entries.map(({ target }) => target)).toEqual([{ kind: 'all' }, { kind: 'launches' }]);
});

test('what is watched already is not begun again, and says since when and by whom', async () => {
  const { say, clock, watchlists, looked } = await openHouse({ answers: {} });
  await say('/watch tide');
  const before = watchlists.read(CHAT);
  await clock.advance(3 * 3_600_000);
  expect((await say('/watch Tidewater')).text).toContain('This chat watches Tidewater already, set up 3 h ago (12:00 UTC) by Ada');
  expect(watchlists.read(CHAT)).toEqual(before);
  expect(looked).toHaveLength(1);
});

test('two people who do it at once make one entry', async () => {
  const { say, watchlists } = await openHouse({ answers: {} });
  const texts = (await Promise.all([say('/watch tide'), say('/watch tide')])).map(({ text }) => text.split('\n')[0]);
  expect(watchlists.read(CHAT).entries).toHaveLength(1);
  expect(new Set(texts)).toEqual(
    new Set(['This chat watches Tidewater already, set up just now by Ada', '● This chat now watches Tidewater']),
  );
});

test('a chat where nothing can be posted is told which permission is missing, and nothing is set up', async () => {
  const { say, watchlists, looked } = await openHouse({ answers: {}, probe: { missing: ['Embed Links', 'Send Messages'] } });
  const { text, reply } = await say('/watch tide');
  expect(text).toBe('⚠ I cannot post alerts here: I lack Embed Links and Send Messages. Give it to me, then run /watch tide again.');
  expect(reply.audience).toBe('asker');
  expect(watchlists.all()).toEqual([]);
  expect(looked).toEqual([]);
});

test('a full list takes no more, and says how to make room', async () => {
  const { say, watchlists, clock } = await openHouse({ answers: {} });
  await watchlists.change(CHAT, (chat) =>
    Array.from({ length: MOST_ENTRIES }, (_, index) => slug(`p${index}`)).reduce(
      (list, name) => withEntry(list, { target: { kind: 'project', slug: name }, since: clock.now(), by: 'Ada', off: [] }),
      chat,
    ),
  );
  expect((await say('/watch tide')).text).toContain('This chat watches 50 things already, which is the most.');
  expect(entryFor(watchlists.read(CHAT), { kind: 'project', slug: slug('tide') })).toBeUndefined();
});

test('without a target it says what can be watched', async () => {
  const { say, deadButtons } = await openHouse({ answers: {} });
  const { text, reply } = await say('/watch');
  expect(text).toContain('What should this chat hear about?');
  expect(await deadButtons(reply)).toEqual([]);
});

test('a project nobody knows is not watched', async () => {
  const { say, watchlists } = await openHouse({ answers: {} });
  const { text, reply } = await say('/watch tidewtaer');
  expect(text).toContain('No project is called "tidewtaer". Did you mean tide (Tidewater)');
  expect((await say(reply.actions[0]?.line ?? '')).text).toContain('now watches Tidewater');
  expect(watchlists.read(CHAT).entries).toHaveLength(1);
});
