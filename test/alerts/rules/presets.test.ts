import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../src/alerts/rules/kinds.js';
import {
  areEventsInDigest,
  isDigestOnly,
  isOff,
  kindsOff,
  modeOf,
  PRESETS,
  presetPhrase,
  presetRules,
  rulesFor,
} from '../../../src/alerts/rules/presets.js';
import { readRule } from '../../../src/alerts/rules/read-rule.js';
import { rulesSchema, wordsOf } from '../../../src/alerts/rules/rule.js';
import { isSilent, match } from '../../../src/alerts/watchlist/match.js';
import { address } from '../../../src/chat/address.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import type { Filters } from '../../../src/domain/filters.js';
import { slug } from '../../../src/domain/scalars.js';
import { NOON } from '../../feeds/reading.js';
import { entry, TIDE } from '../harness.js';

const EVENT: FeedEvent = {
  ...{ id: 'x', feed: 'supply', project: slug('tide'), topic: 'x', stage: 'burn', occurredAt: NOON, detectedAt: NOON },
  facts: { name: 'Tidewater', type: 'Burn', amount: '1' },
};
const burnOf = (usd: string, change: string): FeedEvent => ({ ...EVENT, facts: { ...EVENT.facts, usd, change } });
const paid = (usd: string): FeedEvent => ({
  ...{ ...EVENT, feed: 'movements', stage: 'outflow' },
  facts: { name: 'Tidewater', id: '1', from: 'a', to: 'b', category: 'none', usd },
});

const alerts = (preset: (typeof PRESETS)[number], event: FeedEvent): boolean =>
  match(event, { address: address('console', 'main'), entries: [entry(TIDE, NOON, { preset })] }).matched;

describe.each(PRESETS)('%s', (preset) => {
  test.each(KINDS)('has rules of %s that can be stored and typed', (kind) => {
    const rules = presetRules(preset, kind);
    expect(rulesSchema.safeParse(rules).success).toBe(true);
    const found = readRule(wordsOf({ kind, ...rules }));
    expect(found.read && wordsOf(found.rules)).toBe(wordsOf({ kind, ...rules }));
  });

  test('is named kind by kind, unless it alerts everything or nothing', () => {
    const named = KINDS.filter((kind) => presetPhrase(preset, kind) !== undefined);
    expect(named).toEqual(preset === 'everything' || preset === 'digest' ? [] : KINDS.filter((kind) => !isOff({ preset }, kind)));
  });
});

test('each preset alerts what the one before it alerts, and Digest only nothing', () => {
  const proposal = (stage: string): FeedEvent => ({ ...EVENT, feed: 'proposals', stage, facts: { name: 'Tidewater' } });
  const launch = (stage: string): FeedEvent => ({ ...EVENT, feed: 'launches', stage, facts: { name: 'Tidewater', address: 'x' } });
  const growth: FeedEvent = { ...EVENT, feed: 'growth', stage: 'value', facts: { name: 'Tidewater' } };
  const important = [
    ...[burnOf('10000', '0.01'), burnOf('47', '-0.5'), paid('10000'), paid('-12000')],
    ...['live', 'ending', 'passed', 'failed', 'removed', 'said quorum missed'].map(proposal),
    ...['live', 'minimum', 'ending', 'closed', 'complete', 'refunding', 'graveyard', 'annulled'].map(launch),
  ];
  const most = [burnOf('1000', '0.01'), paid('1000'), proposal('created'), proposal('twap'), launch('new'), launch('extended'), growth];
  const everything = [burnOf('47', '0.01'), paid('999')];
  const alerted = PRESETS.map((preset) => [...important, ...most, ...everything].filter((event) => alerts(preset, event)));
  expect(alerted).toEqual([important, [...important, ...most], [...important, ...most, ...everything], []]);
});

test('a kind of Digest only alerts once the chat chose its mode or its rules', () => {
  const only = { preset: 'digest' } as const;
  expect(isDigestOnly(only, 'supply')).toBe(true);
  expect([isOff(only, 'supply'), kindsOff(only), rulesFor(only, 'premium').thresholds]).toEqual([false, [], []]);
  const on = { ...only, modes: { premium: 'on' } } as const;
  expect([isDigestOnly(on, 'premium'), isDigestOnly(on, 'supply')]).toEqual([false, true]);
  expect(rulesFor(on, 'premium')).toBe(presetRules('important', 'premium'));
  expect(isDigestOnly({ ...only, rules: { supply: { filters: {}, thresholds: [] } } }, 'supply')).toBe(false);
});

test('the events of a kind of Digest only stay in the digest beside chosen thresholds and reminders, which alert by themselves', () => {
  const proposals = (filters: Filters, thresholds = presetRules('important', 'proposals').thresholds) =>
    areEventsInDigest({ preset: 'digest', rules: { proposals: { filters, thresholds } } }, 'proposals');
  expect([proposals({}), proposals({ remind: [60] }, []), proposals({ back: 'off' })]).toEqual([true, true, true]);
  // Chosen filters, or a choice of everything, are about events.
  expect([proposals({ stages: ['live'] }), proposals({ stages: ['live'], remind: [60] }), proposals({}, [])]).toEqual([
    false,
    false,
    false,
  ]);
  expect(areEventsInDigest({ preset: 'important', rules: { proposals: { filters: {}, thresholds: [] } } }, 'proposals')).toBe(false);
  // A kind without events has nothing that could stay in the digest.
  const premium = { filters: {}, thresholds: presetRules('important', 'premium').thresholds };
  expect(areEventsInDigest({ preset: 'digest', rules: { premium } }, 'premium')).toBe(false);
});

test('a chosen mode keeps the rules of the preset', () => {
  expect(rulesFor({ preset: 'most', modes: { supply: 'silent' } }, 'supply')).toBe(presetRules('most', 'supply'));
});

test('a threshold rule of a preset is one object for all entries', () => {
  expect(rulesFor({ preset: 'important' }, 'premium')).toBe(rulesFor({ preset: 'important' }, 'premium'));
  expect(kindsOff({ preset: 'important' })).toBe(kindsOff({ preset: 'important' }));
});

test('a kind has the mode that the chat chose, else that of its preset', () => {
  expect(['growth', 'supply'].map((kind) => modeOf({ preset: 'important' }, kind))).toEqual(['off', 'on']);
  expect(['growth', 'supply'].map((kind) => modeOf({ preset: 'most' }, kind))).toEqual(['silent', 'on']);
  const modes = { growth: 'on', supply: 'off' } as const;
  expect(['growth', 'supply', 'premium'].map((kind) => modeOf({ preset: 'important', modes }, kind))).toEqual(['on', 'off', 'on']);
  const off = kindsOff({ preset: 'important', modes });
  expect(off.toSorted()).toEqual(KINDS.filter((kind) => isOff({ preset: 'important', modes }, kind)).toSorted());
  expect(['growth', 'supply'].map((kind) => off.includes(kind))).toEqual([false, true]);
});

test('small movements are silent until the chat chooses a mode for movements', () => {
  expect(['9999.99', '10000'].map((usd) => isSilent({ preset: 'everything' }, paid(usd)))).toEqual([true, false]);
  expect(isSilent({ preset: 'everything', modes: { movements: 'on' } }, paid('5'))).toBe(false);
  expect(isSilent({ preset: 'everything', modes: { movements: 'silent' } }, paid('50000'))).toBe(true);
  expect(isSilent({ preset: 'everything' }, burnOf('5', '0.1'))).toBe(false);
});
