/** What becomes of an alert that waits when its entry is removed, switched off or for the digest only. */
import { describe, expect, test } from 'vitest';
import { elsewhere, isOrphaned } from '../../../src/alerts/queue/orphaned-items.js';
import type { Member } from '../../../src/alerts/queue/queue.js';
import type { Entry } from '../../../src/alerts/watchlist/entry.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import type { Crossing } from '../../../src/domain/crossing.js';
import { decimal, slug } from '../../../src/domain/scalars.js';
import { NOON } from '../../feeds/reading.js';
import { ALL, burn, CHAT, entry, TIDE } from '../harness.js';
import { measurement, rules } from '../measurements.js';

const chat = (...entries: readonly Entry[]): Chat => ({ address: CHAT, entries });
const waiting: Member = { event: 'supply/tide/1', entry: 'tide', queuedAt: NOON, rule: 'usd>5' };
const off = { modes: { supply: 'off', premium: 'off' } } as const;

test('an alert is orphaned without its entry, and where its kind is off or for the digest only; a sample never is', () => {
  const orphaned = (of: Entry | undefined, member: Member = waiting) => isOrphaned({ entry: of, member });
  expect([undefined, entry(TIDE, NOON, off), entry(TIDE, NOON, { preset: 'digest' })].map((of) => orphaned(of))).toEqual([
    true,
    true,
    true,
  ]);
  expect(orphaned(entry(TIDE, NOON, { modes: { growth: 'off' } }))).toBe(false);
  expect(orphaned(undefined, { ...waiting, sample: true })).toBe(false);
});

describe('an orphaned event', () => {
  const event = burn(1, NOON);

  test('goes on through the entry that still covers it, by the rule of that one', () => {
    expect(elsewhere(waiting, event, chat(entry(ALL, NOON)))).toEqual({ member: { event: event.id, entry: 'all', queuedAt: NOON } });
    const filtered = entry(ALL, NOON, { rules: rules('supply stages:burn') });
    expect(elsewhere(waiting, event, chat(filtered))).toMatchObject({ member: { entry: 'all', rule: expect.stringContaining('burn') } });
  });

  test('of a topic that proceeds stays a part of its live message, as the other entry wants it', () => {
    const proposal = {
      ...event,
      feed: 'proposals',
      topic: 'proposals/tide/1',
      stage: 'live',
      project: slug('tide'),
      facts: { name: 'Tide' },
    };
    const parts = ['updates:live', 'updates:resolved', 'updates:off'].map((text) => {
      const found = elsewhere(waiting, proposal, chat(entry(ALL, NOON, { rules: rules(`proposals ${text}`) })));
      return 'member' in found ? found.member.live?.part : found.because;
    });
    expect(parts).toEqual(['notice', 'step', undefined]);
  });

  test('is not sent where it is not watched, off or for the digest only, with that reason', () => {
    const reasons = [chat(), chat(entry(ALL, NOON, off)), chat(entry(ALL, NOON, { preset: 'digest' }))].map((of) =>
      elsewhere(waiting, event, of),
    );
    expect(reasons).toEqual([
      { because: 'no longer watched' },
      { because: 'its kind was switched off' },
      { because: 'it is for the digest only' },
    ]);
  });
});

describe('an orphaned crossing', () => {
  const { event } = measurement(-11, NOON);
  const point = { at: NOON, value: decimal('-11') };
  const crossed = (text: string): Crossing[] =>
    (rules(text)['premium']?.thresholds ?? []).map((rule) => ({ rule, side: 'low', now: point, was: point, since: point }));
  const member: Member = { ...waiting, event: event.id, crossings: crossed('premium<-10 premium<-8') };

  test('goes on with those of its rules that the other entry has', () => {
    const found = elsewhere(member, event, chat(entry(ALL, NOON, { rules: rules('premium<-8 premium<-20') })));
    expect(found).toMatchObject({ member: { entry: 'all', crossings: crossed('premium<-8') } });
    expect('member' in found && found.member.crossings).toHaveLength(1);
  });

  test('is not sent without such a rule, where it is not watched, off or for the digest only', () => {
    const others = [entry(ALL, NOON, { rules: rules('premium<-20') }), entry(ALL, NOON, off), entry(ALL, NOON, { preset: 'digest' })];
    expect([chat(), ...others.map((one) => chat(one))].map((of) => elsewhere(member, event, of))).toEqual([
      { because: 'no longer watched' },
      { because: 'no longer watched' },
      { because: 'its kind was switched off' },
      { because: 'it is for the digest only' },
    ]);
  });
});
