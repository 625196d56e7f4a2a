/** Since when rules of presets stand in an entry: what an edit, a narrower entry or a late one changes of it. */
import { expect, test } from 'vitest';
import { presetRules, ruleName } from '../../../src/alerts/rules/presets.js';
import { standsSince } from '../../../src/alerts/watchlist/standing.js';
import type { Entry } from '../../../src/alerts/watchlist/entry.js';
import { openWatchlists, withEntry, withoutEntry, type Watchlists } from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR, later, type Instant } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import { openStore } from '../../../src/store/open.js';
import { handClock } from '../../support/clock.js';
import { ALL, CHAT, entry, TIDE } from '../harness.js';
import { rules } from '../measurements.js';

const ABOUT = { feed: 'premium', project: slug('tide') };
const [FIRST = '', SECOND = ''] = presetRules('everything', 'premium').thresholds.map(ruleName);

async function open() {
  const clock = handClock();
  const watchlists = await openWatchlists(await openStore('memory://'), { clock });
  const since = clock.now();
  await watchlists.change(CHAT, (chat) => withEntry(chat, entry(TIDE, since)));
  watchlists.evaluating(clock.now());
  await clock.advance(HOUR);
  return { clock, watchlists, since };
}

const own = (watchlists: Watchlists, target = TIDE): Entry => {
  const found = watchlists.read(CHAT).entries.find((one) => one.target.kind === target.kind);
  if (found === undefined) throw new Error('it is watched');
  return found;
};
const stands = (watchlists: Watchlists, name: string, target = TIDE): Instant => standsSince(own(watchlists, target), ABOUT, name);
const edit = async (watchlists: Watchlists, change: (one: Entry) => Entry) =>
  watchlists.change(CHAT, (chat) => ({ ...chat, entries: chat.entries.map(change) }));

test('a rule stands since its entry watches, and one that an edit brings back since then; the others go on', async () => {
  const { watchlists, clock, since } = await open();
  expect(own(watchlists)).toEqual(entry(TIDE, since));
  const thresholds = presetRules('everything', 'premium').thresholds.slice(1);
  await edit(watchlists, (one) => ({ ...one, rules: { premium: { filters: {}, thresholds } } }));
  await clock.advance(HOUR);
  await edit(watchlists, (one) => ({ ...one, rules: undefined }));
  expect([stands(watchlists, FIRST), stands(watchlists, SECOND)]).toEqual([clock.now(), since]);
  await edit(watchlists, (one) => ({ ...one, modes: { premium: 'off' } }));
  await clock.advance(HOUR);
  await edit(watchlists, (one) => ({ ...one, modes: undefined }));
  expect([stands(watchlists, FIRST), stands(watchlists, SECOND)]).toEqual([clock.now(), clock.now()]);
});

test('a rule that no preset has, and a change of something else, record nothing', async () => {
  const { watchlists, since } = await open();
  await edit(watchlists, (one) => ({ ...one, maxAgeHours: 5 }));
  expect(own(watchlists)).toEqual(entry(TIDE, since, { maxAgeHours: 5 }));
  await edit(watchlists, (one) => ({ ...one, rules: rules('premium<-10') }));
  expect(own(watchlists).stands).toBeUndefined();
});

test('an entry that comes with a time at which a check had already run stands after that check', async () => {
  const { watchlists, clock } = await open();
  const checked = watchlists.evaluating(clock.now());
  await watchlists.change(CHAT, (chat) => withEntry(withoutEntry(chat, TIDE), entry(TIDE, later(clock.now(), -1))));
  expect(stands(watchlists, FIRST)).toBeGreaterThan(checked);
  expect(watchlists.evaluating(clock.now())).toBeGreaterThanOrEqual(stands(watchlists, FIRST));
});

test("rules of everything go on in a project's own entry, and in everything when that is gone; what it had not begins then", async () => {
  const { watchlists, clock, since } = await open();
  await watchlists.change(CHAT, (chat) => withEntry(withoutEntry(chat, TIDE), entry(ALL, since)));
  const all = stands(watchlists, FIRST, ALL);
  await clock.advance(HOUR);
  const [first] = presetRules('everything', 'premium').thresholds;
  const narrow = { premium: { filters: {}, thresholds: first === undefined ? [] : [first] } };
  await watchlists.change(CHAT, (chat) => withEntry(chat, entry(TIDE, clock.now(), { rules: narrow })));
  expect(stands(watchlists, FIRST)).toBe(all);
  await clock.advance(HOUR);
  await watchlists.change(CHAT, (chat) => withoutEntry(chat, TIDE));
  expect([stands(watchlists, FIRST, ALL), stands(watchlists, SECOND, ALL)]).toEqual([all, clock.now()]);
  expect(standsSince(own(watchlists, ALL), { ...ABOUT, project: slug('heron') }, SECOND)).toBe(all);
});

test('what stands is as it was after a restart, and where a chat moves to', async () => {
  const store = await openStore('memory://');
  const clock = handClock();
  const before = await openWatchlists(store, { clock });
  await before.change(CHAT, (chat) => withEntry(chat, entry(TIDE, clock.now(), { preset: 'important' })));
  before.evaluating(clock.now());
  await clock.advance(HOUR);
  await before.change(CHAT, (chat) => withEntry(chat, entry(TIDE, own(before).since, { preset: 'everything' })));
  const known = own(before);
  const after = await openWatchlists(store, { clock });
  expect(own(after)).toEqual(known);
  after.evaluating(clock.now());
  await after.change(CHAT, (chat) => ({ ...chat, entries: [] }));
  await after.change(CHAT, (chat) => ({ ...chat, entries: [known] }), { isMove: true });
  expect(own(after)).toEqual(known);
});

test('a rule of a project goes on in a proposal that is followed alone, and goes on in the project when that is over', async () => {
  const { watchlists, clock, since } = await open();
  const topic = 'proposals/tide/9xQ';
  const about = { feed: 'proposals', project: slug('tide'), topic };
  const flip = ruleName(presetRules('everything', 'proposals').thresholds[0] ?? { when: 'flip', measure: 'margin' });
  const market = { kind: 'market', topic } as const;
  await watchlists.change(CHAT, (chat) => withEntry(chat, entry(market, clock.now())));
  expect(standsSince(own(watchlists, market), about, flip)).toBe(since);
  await clock.advance(HOUR);
  await watchlists.change(CHAT, (chat) => withoutEntry(chat, market));
  expect(standsSince(own(watchlists), about, flip)).toBe(since);
});

test('a rule that a followed proposal had switched off begins when its project decides again', async () => {
  const { watchlists, clock } = await open();
  const topic = 'proposals/tide/9xQ';
  const about = { feed: 'proposals', project: slug('tide'), topic };
  const flip = ruleName(presetRules('everything', 'proposals').thresholds[0] ?? { when: 'flip', measure: 'margin' });
  const market = { kind: 'market', topic } as const;
  await watchlists.change(CHAT, (chat) => withEntry(chat, entry(market, clock.now(), { rules: rules('proposals stages:live') })));
  await clock.advance(HOUR);
  await watchlists.change(CHAT, (chat) => withoutEntry(chat, market));
  expect(standsSince(own(watchlists), about, flip)).toBe(clock.now());
  expect(standsSince(own(watchlists), { ...about, topic: 'proposals/tide/8aB' }, flip)).toBeLessThan(clock.now());
});
