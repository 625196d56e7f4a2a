/** Sentences that ask for several things: nothing of them may be dropped without a word. */
import { beforeAll, expect, test } from 'vitest';
import type { Registry } from '../../src/dispatch/registry.js';
import type { Decision } from '../../src/reading/decide.js';
import type { PhraseReader } from '../../src/reading/reader.js';
import { decided, learnedReader, loadPhraseRegistry } from './phrase-score.js';

let registry: Registry;
let reader: PhraseReader;
beforeAll(async () => {
  registry = await loadPhraseRegistry();
  reader = await learnedReader(registry);
});

const decide = async (text: string): Promise<Decision> => (await decided(text, { reader, registry })).decision;

test.each([
  ['mute tide and show heron premium', ['/mute tide', '/premium heron']],
  ['watch tide and mute heron', ['/watch tide', '/mute heron']],
  ['unwatch heron and watch tide', ['/unwatch heron', '/watch tide']],
  ['show tide premium and heron runway', ['/premium tide', '/treasury heron runway']],
  ['show tide premium. and how much runway does it have', ['/premium tide', '/treasury tide runway']],
  ['mute tide for 2h and heron for 3d', ['/mute tide 2h', '/mute heron 3d']],
  ['tell me when tide is below -10 and heron below -20', ['/alerts tide premium<-10', '/alerts heron premium<-20']],
])('each request in "%s" is a button', async (text, lines) => {
  expect(await decide(text)).toEqual({ kind: 'several', lines });
});

test.each([
  ['mute supply and growth for 2 hours', ['/mute supply 2h', '/mute growth 2h']],
  ['unmute tide and heron', ['/unmute tide', '/unmute heron']],
  ['remind me 1h before tide and heron', ['/remind tide 1h', '/remind heron 1h']],
  ['watch everything except tide', ['/watch all', '/unwatch tide']],
  ['watch all projects but not tide and heron', ['/watch all', '/unwatch tide', '/unwatch heron']],
])('"%s" asks for all of its lines', async (text, lines) => {
  expect(await decide(text)).toEqual({ kind: 'propose', lines, isEach: true });
});

test.each([
  ['tell me when tide drops below nav or above 20%', '/alerts tide premium<0 premium>20'],
  ['tell me when tide runway is below 6 or above 24 months', '/alerts tide treasury runway<6 runway>24'],
  ['alert me when heron price is under 1 or over 3', '/alerts heron price<1 price>3'],
  ['watch tide and alert me when it drops below -10', '/alerts tide premium<-10'],
])('"%s" is one rule with both thresholds', async (text, line) => {
  expect(await decide(text)).toMatchObject({ kind: 'propose', lines: [line] });
});

test.each([
  ['mute tide until 25:00', { text: '25:00', is: 'time' }],
  ['mute everything except tide', { text: 'except tide', is: 'exception' }],
  ['unwatch everything except tide', { text: 'except tide', is: 'exception' }],
  ['remind me tomorrow', { text: 'remind me tomorrow', is: 'reminder' }],
  ['tell me when tide price moves 10% in an hour', { text: 'in an hour', is: 'words' }],
  ["tell me when heron's mcap goes over 5m", { text: 'mcap', is: 'words' }],
  ['tell me when more than 20k is staked on a heron proposal', { text: 'stake', is: 'words' }],
  ['tell me when tide nav falls under 0.50', { text: 'NAV per share', is: 'words' }],
])('what nothing can do with "%s" is named', async (text, unread) => {
  expect(await decide(text)).toMatchObject({ kind: 'offer', unread: [unread] });
});

test('half of a sentence that is not understood is named beside the half that is', async () => {
  const decision = await decide('mute tide and tell heron a bedtime story');
  expect(decision).toMatchObject({ kind: 'offer', lines: ['/mute tide'], unread: [{ text: 'tell heron a bedtime story', is: 'words' }] });
});

test.each([
  ['compare tide and alder', '/compare tide alder'],
  ['projects with a discount above 10 and runway over 12 months', '/screen discount>10 runway>12'],
  ['hello, show me the premium of tide', '/premium tide'],
])('"%s" stays one question', async (text, line) => {
  expect(await decide(text)).toMatchObject({ kind: 'run', line });
});

test.each([
  ['mute tide and heron for 2h', '/mute tide and heron 2h'],
  ['mute tide and heron until tomorrow 9am', '/mute tide and heron 2026-11-21 09:00'],
])('"%s" is one press', async (text, line) => {
  expect(await decide(text)).toEqual({ kind: 'propose', lines: [line] });
});
