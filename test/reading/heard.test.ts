import { expect, test } from 'vitest';
import { amountsIn } from '../../src/reading/amounts.js';
import { hear, isWhole, vocabularyOf } from '../../src/reading/heard.js';
import { projectNames, projectsIn } from '../../src/reading/projects.js';
import { timesIn } from '../../src/reading/times.js';
import { MAX_TOKENS, tokensOf, withDigits } from '../../src/reading/tokens.js';
import { PHRASE_PROJECTS, PHRASE_WORLD } from './phrase-score.js';

test.each([
  ['under 6 months', [{ value: '6', unit: 'months', by: '<' }]],
  ['more than 20%', [{ value: '20', unit: '%', by: '>' }]],
  ['$10K', [{ value: '10000', unit: '$', by: undefined }]],
  ['discount bigger than 12,5%', [{ value: '12.5', unit: '%', by: '>' }]],
  ['cap under 2.5m', [{ value: '2500000', unit: '', by: '<' }]],
  ['premium<-10', [{ value: '10', negative: true, by: '<' }]],
  ['over half a year of cash', [{ value: '0.5', unit: 'years', by: '>' }]],
  ['50k+', [{ value: '50000', by: '>' }]],
  ['below 40c', [{ value: '40', unit: 'cents', by: '<' }]],
  ['bigger than 50.000 dollars', [{ value: '50000', unit: '$', by: '>' }]],
  ['one of them', []],
])('amounts of "%s" are exact', (text, amounts) => {
  expect(amountsIn(tokensOf(text))).toMatchObject(amounts);
});

test.each([
  ['six months', '6 months'],
  ['twenty four hours', '24 hours'],
  ['half past six', '6:30'],
  ['0.8x nav', '20% below nav'],
  ['one of them', 'one of them'],
])('"%s" is counted as "%s"', (text, digits) => {
  expect(withDigits(text)).toBe(digits);
});

const days = (text: string): number | undefined => timesIn(text, PHRASE_WORLD).range?.days;

test.each([
  ['last month', 30],
  ['since march 20', 245],
  ['1y', 365],
  ['past 3 months', 90],
  ['all time', Number.POSITIVE_INFINITY],
  ['half a year', 183],
  ['24h', 1],
  ['in september', 81],
  ['in november', 20],
])('"%s" is a range', (text, length) => {
  expect(Math.round(days(text) ?? Number.NaN)).toBe(length);
});

test.each([
  ['yesterday', 'past', '2026-11-19'],
  ['on nov 3', 'past', '2026-11-03'],
  ['a month ago', 'past', '2026-10-20'],
  ['tomorrow morning', 'future', '2026-11-21 09:00'],
  ['until friday 9am', 'future', '2026-11-27 09:00'],
  ['until dec 1', 'future', '2026-12-01'],
  // The chat's today is a Friday.
  ['until friday', 'future', '2026-11-27'],
  ['over the weekend', 'future', '2026-11-23'],
] as const)('"%s" is a moment in the timezone of the chat', (text, when, written) => {
  const moment = timesIn(text, PHRASE_WORLD)[when];
  expect(moment?.at.toFormat(moment.hasTime ? 'yyyy-MM-dd HH:mm' : 'yyyy-MM-dd')).toBe(written);
  expect(moment?.at.zoneName).toBe('Europe/Berlin');
});

test.each([
  ['no pings 23 to 8', '23:00', '08:00'],
  ['quiet 22:00-07:00', '22:00', '07:00'],
  ['between 11pm and 7 am', '23:00', '07:00'],
])('"%s" are hours of a night', (text, from, to) => {
  expect(timesIn(text, PHRASE_WORLD).hours).toMatchObject({ from, to });
});

const found = (text: string, projects = PHRASE_PROJECTS) =>
  projectsIn(tokensOf(text), projectNames(projects), (word) => word === 'price').map(({ project, how }) => `${project.slug} ${how}`);

test.each([
  ["is tide's premium high", ['tide exact']],
  ['kelp garden vs $HRN', ['kelp-garden exact', 'heron exact']],
  ['kelp', ['kelp-garden exact']],
  ['tidewtaer please', ['tide near']],
  ['the price of it', []],
])('projects in "%s"', (text, projects) => {
  expect(found(text)).toEqual(projects);
});

test('a word of the language is a project only where it is written as a symbol', () => {
  const priced = [{ ...PHRASE_PROJECTS[0]!, slug: PHRASE_PROJECTS[0]!.slug, name: 'Price', symbol: 'PRICE' }];
  expect(found('the price today', priced)).toEqual([]);
  expect(found('$PRICE today', priced)).toEqual(['tide exact']);
});

test('a typing error is read as the nearest known word, and what nothing knows is told', () => {
  const heard = hear('premuim of tide zxqw', PHRASE_WORLD, vocabularyOf(['premium', 'of']));
  expect(heard.has('premium')).toBe(true);
  expect(heard.unknown).toEqual(['zxqw']);
  expect(isWhole(heard)).toBe(false);
});

test('of a hostile text only the beginning is read', () => {
  expect(tokensOf('1<'.repeat(100_000)).length).toBeLessThanOrEqual(MAX_TOKENS);
  expect(hear('tide '.repeat(50_000), PHRASE_WORLD, vocabularyOf([])).words.length).toBeLessThanOrEqual(MAX_TOKENS);
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'is constructor cheap?'])('"%s" is a word like any other', (text) => {
  expect(hear(text, PHRASE_WORLD, vocabularyOf([])).projects).toEqual([]);
});

test.each(['premium<-1e308', 'price > 1e999', `below -${'9'.repeat(400)}%`])('"%s" has no amount that anybody means', (text) => {
  expect(amountsIn(tokensOf(text))).toEqual([]);
});

test.each([
  ['for 2h and 30 minutes', 150],
  ['for 2 hours 30 minutes', 150],
  ['for 1d 12h', 2_160],
  ['for 2 and a half hours', 150],
  ['for an hour and a half', 90],
  ['tide and heron for 2h', 120],
  ['for 3 days', 4_320],
])('"%s" lasts as long as its parts together', (text, minutes) => {
  expect(timesIn(text, PHRASE_WORLD).lasting?.minutes).toBe(minutes);
});

test.each(['tide and heron', 'supply and growth', 'a mint and a mute'])('"%s" lasts no time: "and" is no day', (text) => {
  expect(timesIn(text, PHRASE_WORLD).lasting).toBeUndefined();
});

test.each([
  ['until 25:00', '25:00'],
  ['at 12:75', '12:75'],
  ['premium on nov 31', 'nov 31'],
])('"%s" has a time that there is not', (text, unread) => {
  expect(timesIn(text, PHRASE_WORLD)).toMatchObject({ unread, clock: undefined });
});

test('a year that has passed is a moment, and not an amount', () => {
  const heard = hear('premium of tide in 1999', PHRASE_WORLD, undefined);
  expect(heard.times.past?.at.toFormat('yyyy-MM-dd')).toBe('1999-12-31');
  expect(heard.amounts).toEqual([]);
});

test.each(['ping me if tide breaks 1.50', 'alert HRN > 1.20', 'nav below .45'])('the number of "%s" is no time of day', (text) => {
  expect(timesIn(withDigits(text), PHRASE_WORLD).clock).toBeUndefined();
});

test('a time with a point is one behind "at"', () => {
  expect(timesIn('digest daily at 7.30', PHRASE_WORLD).clock).toMatchObject({ hour: 7, minute: 30 });
});
