import { expect, test } from 'vitest';
import { withEntry } from '../../src/alerts/watchlists.js';
import { HOUR, later } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { slug } from '../../src/domain/scalars.js';
import { openStore } from '../../src/store/open.js';
import { ALL, burn, CHAT, entry, openDesk, TIDE } from './desk.js';
import { mortal } from './mortal.js';

const OTHER = address('console', 'other');

test('each chat gets what it watches, in order, through the entry that takes it', async () => {
  const desk = await openDesk();
  await desk.watch(TIDE);
  await desk.watch(ALL, {}, OTHER);
  const at = desk.clock.now();
  await desk.announce(burn(1, at), burn(2, at, { project: slug('heron') }), burn(3, at));
  expect(desk.queues.read(CHAT).waiting.map((one) => [one.event, one.entry])).toEqual([
    ['supply/tide/1', 'tide'],
    ['supply/tide/3', 'tide'],
  ]);
  expect(desk.queues.read(OTHER).waiting.map((one) => one.entry)).toEqual(['all', 'all', 'all']);
});

test('routing again adds nothing, and writes nothing', async () => {
  const base = await openStore('memory://');
  const store = mortal(base);
  const desk = await openDesk({ store });
  await desk.watch(TIDE);
  await desk.announce(burn(1, desk.clock.now()));
  const writes = store.writes();
  await desk.announce(burn(1, desk.clock.now()));
  expect(store.writes()).toBe(writes);
  expect(desk.queues.read(CHAT).waiting).toHaveLength(1);
});

test('a routing that was interrupted between two chats is finished by doing it again', async () => {
  const base = await openStore('memory://');
  const chats = Array.from({ length: 10 }, (_, index) => address('console', `c${index}`));
  const begun = await openDesk({ store: base });
  for (const chat of chats) await begun.watch(TIDE, {}, chat);
  const news = [burn(1, begun.clock.now()), burn(2, begun.clock.now())];
  const dying = await openDesk({ store: mortal(base, { until: 6, written: true }) });
  await expect(dying.announce(...news)).rejects.toThrow('at write 6');
  const desk = await openDesk({ store: base });
  await desk.announce(...news);
  for (const chat of chats) expect(desk.queues.read(chat).waiting.map((one) => one.event)).toEqual(news.map(({ id }) => id));
});

test('news for nobody writes nothing', async () => {
  const store = mortal(await openStore('memory://'));
  const desk = await openDesk({ store });
  await desk.watchlists.change(CHAT, (chat) => withEntry(chat, entry(TIDE, later(desk.clock.now(), HOUR))));
  const before = store.writes();
  await desk.announce(burn(1, desk.clock.now()));
  // The event itself is kept, so that /why can say what became of it.
  expect(store.writes()).toBe(before + 1);
});
