import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Absence } from '../../../src/alerts/watchlist/absence.js';
import type { About, Entry, Target } from '../../../src/alerts/watchlist/entry.js';
import { isOff } from '../../../src/alerts/rules/presets.js';
import { covering } from '../../../src/alerts/watchlist/match.js';
import type { Subscribers } from '../../../src/alerts/watchlist/subscribers.js';
import {
  isAway,
  openWatchlists,
  returned,
  withEntry,
  withoutEntry,
  type Chat,
  type Watchlists,
} from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR, instant, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { address, circleOf, type Address } from '../../../src/chat/address.js';
import { slug } from '../../../src/domain/scalars.js';
import { walletAddressSchema } from '../../../src/domain/wallet.js';
import { openStore } from '../../../src/store/open.js';
import { NOON } from '../../feeds/reading.js';
import { runs } from '../../support/properties.js';
import { ALL, entry, LAUNCHES, TIDE } from '../harness.js';

const WALLET = walletAddressSchema.parse('So11111111111111111111111111111111111111112');
const TARGETS: readonly Target[] = [
  TIDE,
  ALL,
  LAUNCHES,
  { kind: 'project', slug: slug('all') },
  { kind: 'wallet', address: WALLET },
  { kind: 'market', topic: 'proposals/tide/9xQ' },
  { kind: 'market', topic: 'launches/4Fg' },
];
const KINDS = ['supply', 'premium', 'proposals', 'launches', 'wallet'];
const CHATS = ['-1', '-2', '-3', '-4'].map((id) => address('telegram', id)).concat(address('telegram', '-1', '7'));
const EVENTS: readonly About[] = [
  { feed: 'supply', project: slug('tide') },
  { feed: 'supply', project: slug('all') },
  { feed: 'supply', project: slug('nobodys') },
  { feed: 'launches' },
  { feed: 'launches', project: slug('tide') },
  { feed: 'proposals', project: slug('tide'), id: 'proposals/tide/9xQ/live' },
  { feed: 'proposals', project: slug('tide'), id: 'proposals/tide/8aB/live' },
  { feed: 'launches', id: 'launches/4Fg/closed' },
  { feed: 'wallet', wallet: WALLET, project: slug('tide') },
];

const chat = fc.constantFrom(...CHATS);
const target = fc.constantFrom(...TARGETS);
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('watch' as const), chat, target, off: fc.subarray(KINDS) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unwatch' as const), chat, target }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('leave' as const, 'return' as const), chat }) },
  fc.record({ do: fc.constant('move' as const), chat, to: chat }),
  fc.record({ do: fc.constantFrom('mute' as const, 'forget' as const, 'restart' as const), chat }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function edited(before: Chat, one: Change, now: Instant): Chat {
  switch (one.do) {
    case 'watch':
      return withEntry(before, entry(one.target, now, { modes: Object.fromEntries(one.off.map((kind) => [kind, 'off' as const])) }));
    case 'unwatch':
      return withoutEntry(before, one.target);
    case 'leave':
      return { ...before, left: { at: now, because: 'kicked' } };
    case 'return':
      return returned(before, now);
    case 'move':
      return { address: before.address, entries: [], left: { at: now, because: 'the chat moved', movedTo: one.to } };
    default:
      return { ...before, mutedUntil: now };
  }
}

test('the index says what a scan over all chats says, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 25 }), async (changes) => {
      const store = await openStore('memory://');
      let lists = await openWatchlists(store);
      let now = NOON;
      for (const one of changes) {
        now = later(now, 20 * MINUTE);
        if (one.do === 'restart') lists = await openWatchlists(store);
        else if (one.do === 'forget') await lists.forget(one.chat);
        else await lists.change(one.chat, (before) => edited(before, one, now));
        expect(indexed(lists, now)).toEqual(scanned(lists, now));
      }
    }),
    { numRuns: runs(300) },
  );
});

const indexed = (lists: Watchlists, now: Instant) => ({
  here: saidOf(lists.here, now),
  kept: saidOf(lists.kept, now),
  under: CHATS.map((one) => lists.under(one).toSorted()),
  formerly: CHATS.map((one) => lists.formerly(circleOf(one)).toSorted()),
});

function saidOf(index: Subscribers, now: Instant) {
  const groups = [...index.groups()].map(({ target: of, audience, returnedAt }) => ({
    target: of,
    kinds: KINDS.map((kind) => ({
      chats: [...audience(kind)].toSorted(),
      size: audience(kind).size,
      has: CHATS.filter((one) => audience(kind).has(one)).toSorted(),
      returnedAt: returnedAt(kind),
    })),
  }));
  const { slugs, wallets, all, launches } = index.watched;
  return {
    watched: { slugs: [...slugs].toSorted(), wallets: [...wallets], all, launches },
    groups: groups.toSorted((a, b) => order(a.target) - order(b.target)),
    to: EVENTS.map((event) => [...index.to(event)].toSorted()),
    absences: byEnd(index.absencesEnded(later(now, -HOUR), now)),
  };
}

const order = (one: Target): number => TARGETS.findIndex((other) => JSON.stringify(other) === JSON.stringify(one));
const byEnd = (absences: readonly Absence[]): readonly Absence[] => absences.toSorted((a, b) => a.to - b.to || a.from - b.from);

function scanned(lists: Watchlists, now: Instant) {
  const here = lists.all();
  const chats = [...here, ...lists.left()];
  return {
    here: scanOf(here, now),
    kept: scanOf([...here, ...lists.left().filter(isAway)], now),
    under: CHATS.map((one) =>
      chats
        .map((each) => each.address)
        .filter((each) => each === one || each.startsWith(`${one}/`))
        .toSorted(),
    ),
    formerly: CHATS.map((one) => chats.flatMap(({ address: old, left }) => (left?.movedTo === one ? [old] : [])).toSorted()),
  };
}

function scanOf(chats: readonly Chat[], now: Instant) {
  const named =
    (of: Target) =>
    (one: Entry): boolean =>
      order(one.target) === order(of);
  const watched = TARGETS.filter((of) => chats.some(({ entries }) => entries.some(named(of))));
  // A proposal or launch has one kind.
  const isOther = (of: Target, kind: string): boolean => of.kind === 'market' && !of.topic.startsWith(`${kind}/`);
  const wanting = (of: Target, kind: string) =>
    chats.filter(({ entries }) => !isOther(of, kind) && entries.some((one) => named(of)(one) && !isOff(one, kind)));
  const addresses = (some: readonly Chat[]): readonly Address[] => some.map((one) => one.address).toSorted();
  const absences = chats.flatMap(({ absence }) => absence ?? []);
  return {
    watched: {
      slugs: watched.flatMap((of) => (of.kind === 'project' ? [of.slug] : [])).toSorted(),
      wallets: watched.flatMap((of) => (of.kind === 'wallet' ? [of.address] : [])),
      all: watched.some(({ kind }) => kind === 'all'),
      launches: watched.some(({ kind }) => kind === 'launches'),
    },
    groups: watched.map((of) => ({
      target: of,
      kinds: KINDS.map((kind) => {
        const own = wanting(of, kind);
        const ends = own.flatMap(({ absence }) => absence?.to ?? []);
        const returnedAt = ends.length === 0 ? undefined : instant(Math.max(...ends));
        return { chats: addresses(own), size: own.length, has: addresses(own), returnedAt };
      }),
    })),
    to: EVENTS.map((event) => addresses(chats.filter((one) => covering(event, one).length > 0))),
    absences: byEnd(absences.filter(({ to }) => to >= later(now, -HOUR) && to <= now)),
  };
}

test('what changes nothing about who watches what is no revision', async () => {
  const lists = await openWatchlists(await openStore('memory://'));
  const [one = address('telegram', '-1')] = CHATS;
  await lists.change(one, (before) => withEntry(before, entry(TIDE, NOON)));
  const before = lists.here.revision();
  await lists.change(one, (now) => ({ ...now, mutedUntil: later(NOON, HOUR) }));
  await lists.change(one, (now) => withEntry(now, entry(TIDE, NOON, { mutedUntil: later(NOON, HOUR) })));
  expect(lists.here.revision()).toBe(before);
  await lists.change(one, (now) => withEntry(now, entry(TIDE, NOON, { modes: { supply: 'off' } })));
  expect(lists.here.revision()).toBeGreaterThan(before);
});
