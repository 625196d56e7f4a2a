import { describe, expect, test } from 'vitest';
import { targetName, kindsFor } from '../../../src/alerts/watchlist/entry.js';
import { begun, coveringPlaces, match } from '../../../src/alerts/watchlist/match.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR, later } from '../../../src/base/clock.js';
import { REMINDER_STAGE } from '../../../src/domain/reminder.js';
import { slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { NOON } from '../../feeds/reading.js';
import { ALL, burn, CHAT, entry, LAUNCHES, TIDE } from '../harness.js';
import { rules } from '../measurements.js';

const chat = (...entries: Chat['entries']): Chat => ({ address: CHAT, entries });
const BEFORE = later(NOON, -HOUR);
const AFTER = later(NOON, HOUR);
const WALLET = walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
const launch = { feed: 'launches', project: slug('tide'), occurredAt: undefined, stage: 'new', facts: {} };

/** Through which entry it is alerted, or why it is not. */
const verdict = (event: Parameters<typeof match>[0], of: Chat): string => {
  const found = match(event, of);
  return found.matched ? targetName(found.entry.target) : `not: ${found.because}`;
};

test('what nobody watches is not reported', () => {
  expect(verdict(burn(1, NOON), chat())).toBe('not: not watched');
  expect(verdict(burn(1, NOON, { project: slug('heron') }), chat(entry(TIDE, BEFORE)))).toBe('not: not watched');
  expect(verdict(burn(1, NOON), chat(entry(LAUNCHES, BEFORE)))).toBe('not: not watched');
});

test('the most specific entry takes it, in whatever order the list stands', () => {
  const list = [entry(ALL, BEFORE), entry(LAUNCHES, BEFORE), entry(TIDE, BEFORE)];
  for (const entries of [list, list.toReversed()]) {
    expect(verdict(burn(1, NOON), chat(...entries))).toBe('tide');
    expect(verdict(launch, chat(...entries))).toBe('tide');
    expect(verdict({ ...launch, project: undefined }, chat(...entries))).toBe('launches');
    expect(verdict(burn(1, NOON, { project: slug('heron') }), chat(...entries))).toBe('all');
  }
});

describe('a kind that is switched off', () => {
  test('is not reported, with that reason', () => {
    expect(verdict(burn(1, NOON), chat(entry(TIDE, BEFORE, { modes: { supply: 'off' } })))).toBe('not: switched off');
    expect(verdict(burn(1, NOON), chat(entry(TIDE, BEFORE, { modes: { growth: 'off' } })))).toBe('tide');
  });
  test('for one project is not reported through an entry for all either', () => {
    expect(verdict(burn(1, NOON), chat(entry(ALL, BEFORE), entry(TIDE, BEFORE, { modes: { supply: 'off' } })))).toBe('not: switched off');
  });
  test('for all is reported for a project that wants it', () => {
    expect(verdict(burn(1, NOON), chat(entry(ALL, BEFORE, { modes: { supply: 'off' } }), entry(TIDE, BEFORE)))).toBe('tide');
  });
});

describe('what the service dates before the watch began', () => {
  test('is not reported, with that reason and the date', () => {
    expect(match(burn(1, NOON), chat(entry(TIDE, AFTER)))).toMatchObject({
      matched: false,
      because: 'before the watch began',
      since: AFTER,
    });
  });
  test('is reported through an older entry that covers it', () => {
    expect(verdict(burn(1, NOON), chat(entry(TIDE, AFTER), entry(ALL, BEFORE)))).toBe('all');
  });
  test('ends at the very moment the watch began', () => {
    expect(verdict(burn(1, NOON), chat(entry(TIDE, NOON)))).toBe('tide');
  });
  test('does not concern what carries no date', () => {
    expect(verdict(burn(1, NOON, { occurredAt: undefined }), chat(entry(TIDE, AFTER)))).toBe('tide');
  });
});

test('a watch that begins in the future began before the clock was set back: nothing is before it', () => {
  const ahead = chat(entry(TIDE, AFTER), entry(ALL, BEFORE));
  expect(verdict(burn(1, NOON), begun(ahead, NOON))).toBe('tide');
  expect(verdict(burn(1, NOON), begun(chat(entry(TIDE, AFTER)), AFTER))).toBe('not: before the watch began');
  expect(begun(ahead, AFTER)).toBe(ahead);
});

test('an entry for launches has no other kinds', () => {
  expect(kindsFor(LAUNCHES, ['supply', 'launches', 'growth'])).toEqual(['launches']);
  expect(kindsFor(ALL, ['supply', 'launches', 'growth'])).toEqual(['supply', 'launches', 'growth']);
});

describe('events of a wallet', () => {
  const target = { kind: 'wallet', address: WALLET, label: 'fund-1' } as const;
  const events = { feed: 'wallet', project: slug('tide'), wallet: WALLET, occurredAt: NOON, stage: 'balance', facts: {} };

  test('is reported to those who watch that wallet, and to nobody else, whatever project it is about', () => {
    const other = { ...target, address: walletAddress('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin') };
    expect(verdict(events, chat(entry(target, BEFORE)))).toBe(WALLET);
    for (const one of [other, TIDE, ALL, LAUNCHES] as const) expect(verdict(events, chat(entry(one, BEFORE)))).toBe('not: not watched');
    for (const event of [burn(1, NOON), launch]) expect(verdict(event, chat(entry(target, BEFORE)))).toBe('not: not watched');
  });

  test('is a kind of its own, which nothing else has', () => {
    expect(kindsFor(target, ['supply', 'wallet', 'launches'])).toEqual(['wallet']);
    expect(kindsFor(ALL, ['supply', 'wallet', 'launches'])).toEqual(['supply', 'launches']);
    expect(kindsFor(LAUNCHES, ['supply', 'wallet', 'launches'])).toEqual(['launches']);
  });
});

test('a clock that was set back changes only the watches that begin in the future', () => {
  const [tide, all] = [entry(TIDE, AFTER), entry(ALL, BEFORE)];
  expect(begun(chat(tide, all), NOON).entries.map(({ since }) => since)).toEqual([0, BEFORE]);
});

test('the places of the entries that cover an event are named, the most specific one first', () => {
  const list = [entry(ALL, BEFORE), entry({ kind: 'wallet', address: WALLET }, BEFORE), entry(LAUNCHES, BEFORE), entry(TIDE, BEFORE)];
  expect(coveringPlaces(launch, list)).toEqual([3, 2, 0]);
  expect(coveringPlaces(burn(1, NOON), list)).toEqual([3, 0]);
});

test('a rule on ranks replaces the alert of each single rank, and no other rule does', () => {
  const fund = (text: string) => chat(entry({ kind: 'wallet', address: WALLET }, BEFORE, { rules: rules(text) }));
  const facts = { about: 'rank', token: 'TIDE', now: '5', was: '6', at: 0 };
  const ranked = { feed: 'wallet', wallet: WALLET, occurredAt: NOON, stage: 'rank', facts };
  expect(match(ranked, fund('wallet rank move 3'))).toMatchObject({ matched: false, at: 'filter', rule: expect.stringContaining('3') });
  expect(match(ranked, fund('wallet stages:rank'))).toMatchObject({ matched: true });
  expect(match({ ...ranked, stage: 'exit' }, fund('wallet rank move 3'))).toMatchObject({ matched: true });
});

test('words of the title decide about stages and reminders alike', () => {
  const of = (title: string, more: Partial<Parameters<typeof match>[0]> = {}) => {
    const event = {
      feed: 'proposals',
      project: slug('tide'),
      occurredAt: AFTER,
      stage: 'live',
      facts: { name: 'Tidewater', title },
      ...more,
    };
    return verdict(event, chat(entry(TIDE, BEFORE, { rules: rules('proposals title:buyback remind:1h') })));
  };
  expect(of('Buyback below NAV')).toBe('tide');
  expect(of('Hire a steward')).toBe('not: "Hire a steward" has none of your words (buyback)');
  const reminder = { stage: REMINDER_STAGE, occurredAt: undefined, detectedAt: AFTER };
  const facts = (title: string) => ({ name: 'Tidewater', title, reminder: { what: 'end', at: later(AFTER, HOUR), before: 60, title } });
  expect(of('Buyback below NAV', { ...reminder, facts: facts('Buyback below NAV') })).toBe('tide');
  expect(of('Hire a steward', { ...reminder, facts: facts('Hire a steward') })).toContain('has none of your words');
});

test('a rule or a reminder in an entry of Digest only alerts, and the events of its kind stay in the digest', () => {
  const proposal = { ...burn(1, NOON), feed: 'proposals', stage: 'live', facts: { name: 'Tidewater', title: 'Buyback' } };
  const reminder = {
    ...proposal,
    ...{ stage: REMINDER_STAGE, occurredAt: undefined, detectedAt: AFTER },
    facts: { name: 'Tidewater', title: 'Buyback', reminder: { what: 'end', at: later(AFTER, HOUR), before: 60, title: 'Buyback' } },
  };
  const of = (rule: string, event: Parameters<typeof match>[0] = proposal, more = {}): unknown => {
    const found = match(event, chat(entry(TIDE, BEFORE, { preset: 'digest', rules: rules(rule), ...more })));
    return found.matched || (found.at === 'filter' && found.digestOnly === true ? 'digest' : found.because);
  };
  expect([of('proposals margin<2'), of('proposals remind 1h'), of('proposals remind 1h', reminder)]).toEqual(['digest', 'digest', true]);
  expect([of('proposals margin<2; stages live'), of('proposals stages live')]).toEqual([true, true]);
  expect(of('proposals margin<2', proposal, { modes: { proposals: 'on' } })).toBe(true);
  const crossed = { ...proposal, stage: 'level' };
  expect(of('proposals margin<2', crossed)).toBe(true);
});
