import { beforeAll, expect, test } from 'vitest';
import type { Registry } from '../../src/dispatch/registry.js';
import { glossaryTerms } from '../../src/domain/glossary-terms.js';
import { decide as decideReading } from '../../src/reading/decide.js';
import { hear } from '../../src/reading/heard.js';
import type { PhraseReader, Reading } from '../../src/reading/reader.js';
import { decided, learnedReader, loadPhraseRegistry, PHRASE_WORLD } from './phrase-score.js';

let registry: Registry;
let reader: PhraseReader;
beforeAll(async () => {
  registry = await loadPhraseRegistry();
  reader = await learnedReader(registry);
});

const decide = async (text: string) => (await decided(text, { reader, registry })).decision;

test.each([
  ['is tide cheap?', '/premium tide'],
  ['top 3 discounts', '/screen sort:premium:lowest'],
  ['compare tide and alder', '/compare tide alder'],
  ['what is nav', '/help nav'],
  ['glossary', '/help glossary'],
  ['what can you do', '/help'],
  ['any news', '/overview'],
  ['/launches new', '/launches'],
  ['/quiet', '/settings quiet'],
  ['any new proposls?', '/proposals'],
  ['delte all my data', '/privacy delete me'],
  ['quiet hours on weekends', '/settings quiet'],
  ['premium of tide in september', '/premium tide 3M'],
  ['premium of tide in 1999', '/premium tide at:1999-12-31'],
  ['whats coming next 3d', '/next 3d'],
  ['projects not at a discount', '/screen premium>0'],
  ['projects with a discount above 10 and runway over 12 months', '/screen discount>10 runway>12'],
  ['show projects with a cap between two and ten million dollars', '/screen cap>2m cap<10m'],
  ['projects with market caps under three million dollars', '/screen cap<3m'],
  ['projects that lost over 10% in a day and now sit more than 15% below NAV', '/screen change24h<-10 discount>15'],
  ['which coins under $2M rose today', '/screen cap<2m change24h>0'],
  ["what was heron's nav at the end of the third quarter", '/treasury heron nav at:2026-09-30'],
  ['premium of tide at 14:00 UTC on 5 November', '/premium tide at:2026-11-05T14:00Z'],
  ["order flow on heron's live proposal in fifteen-minute buckets", '/proposal heron flow 15m'],
  ['how many messages would the last thirty days have produced under our rules', '/alerts replay 30d'],
  ['how many messages would last week have been', '/alerts replay 7d'],
  ['which votes and unlocks fall within the next fourteen days', '/next 14d'],
  ['at a discount over 20% with a year or more of runway', '/screen discount>20 runway>12'],
])('"%s" is sure', async (text, line) => {
  expect(await decide(text)).toMatchObject({ kind: 'run', line });
});

test.each([
  ['tell me when tide drops below nav', '/alerts tide premium<0'],
  ['alert me if alder price drops 10%', '/alerts alder price move 10%'],
  ['tell me if tide loses 5% in a day', '/alerts tide price24h<-5'],
  ['alert me when alder discount falls below 10%', '/alerts alder premium>-10'],
  ['mute tide until tomorrow 9am', '/mute tide 2026-11-21 09:00'],
  ['mute tide until the 6th', '/mute tide 2026-12-6'],
  ['mute tide till the 28th at 9am', '/mute tide 2026-11-28 09:00'],
  ['mute tide until the 31st', '/mute tide 2026-12-31'],
  ['stop watching heron', '/unwatch heron'],
  ['stop the digest', '/digest off'],
  ['follow only the audit proposal of tide until it is decided', '/watch proposal tide audit'],
  ['keep me posted on the tide audit vote', '/watch proposal tide audit'],
  ['stop following the audit vote', '/unwatch proposal audit'],
  ['pin a message with our prices', '/board on'],
  ['get rid of the pinned message', '/board off'],
  ['create an atom feed of our alerts', '/feeds new alerts'],
  ['i only want the alder movement alerts for the account named Main vault', '/alerts alder movements account:"Main vault"'],
  ['turn off premium alerts', '/alerts premium off'],
  ['mute tide for 2h and 30 minutes', '/mute tide 150m'],
  ['incoming payments to tide over $20k', '/alerts tide movements usd>20000 incoming'],
  ['remind me 1 hour before the tide vote ends', '/remind tide 1h'],
  ['/wach tide', '/watch tide'],
])('"%s" is proposed as "%s"', async (text, line) => {
  expect(await decide(text)).toMatchObject({ kind: 'propose', lines: [line] });
});

test.each([
  ['follow the audit proposal of tide', '/watch proposal tide audit'],
  ['stop following the audit proposal of tide', '/unwatch proposal tide audit'],
  ['unfollow the tide audit proposal', '/unwatch proposal tide audit'],
])('"%s" proposes "%s" before it shows the proposal', async (text, line) => {
  const decision = await decide(text);
  expect(decision.kind).toBe('propose');
  expect('lines' in decision ? decision.lines[0] : undefined).toBe(line);
});

test.each(['stop following all votes', 'stop following proposals of tide'])('"%s" names no single proposal', async (text) => {
  const decision = await decide(text);
  const lines = 'lines' in decision ? decision.lines : 'line' in decision ? [decision.line] : [];
  expect(lines.filter((line) => line.startsWith('/unwatch proposal'))).toEqual([]);
});

test.each(['unwatch all except alder', 'dont mute tide', 'never watch alder', 'what happens if I unwatch all', 'do not unwatch all'])(
  '"%s" proposes no change',
  async (text) => {
    const decision = await decide(text);
    expect(decision.kind).not.toBe('propose');
    const lines = 'lines' in decision ? decision.lines : [decision.line];
    expect(lines.filter((line) => /^\/(?:un)?(?:watch|mute) /u.test(line))).toEqual([]);
  },
);

test.each(['is foobar cheap?', 'premium tide nov 31', 'alert me when foobar drops below nav'])(
  '"%s" is not sure: something in it was not understood',
  async (text) => {
    expect(['offer', 'talk', 'stranger']).toContain((await decide(text)).kind);
  },
);

test.each([
  ['watch tide and alder', ['/watch tide', '/watch alder']],
  ['mute tide and heron until friday', ['/mute tide and heron 2026-11-27']],
  ['unwatch tide, alder and heron', ['/unwatch tide', '/unwatch alder', '/unwatch heron']],
])('"%s" is a line for each', async (text, lines) => {
  expect(await decide(text)).toMatchObject({ kind: 'propose', lines });
});

test.each([
  ['semantics of "watermark"', 'watermark'],
  ['so what counts as a cooldown?', 'cooldown'],
  ['can you explain what a receipt is', 'receipt'],
])('"%s" asks for a term', async (text, id) => {
  expect(await decide(text)).toMatchObject({ kind: 'run', line: `/help ${id}` });
});

test.each([
  ['manage my channel from here', 'run', '/manage'],
  ['done managing the group', 'propose', '/manage done'],
  ['which roles can I take', 'run', '/pings'],
  ['give me the role for launches', 'propose', '/pings take launches'],
  ['let members choose what they are pinged for', 'propose', '/pings on'],
])('"%s" is to %s %s', async (text, kind, line) => {
  const decision = await decide(text);
  expect([decision.kind, 'line' in decision ? decision.line : 'lines' in decision ? decision.lines[0] : undefined]).toEqual([kind, line]);
});

test.each(glossaryTerms.map(({ id, names }) => [names[0] ?? id, id]))('"what is %s" explains the term', async (title, id) => {
  expect(await decide(`what is ${title}`)).toMatchObject({ kind: 'run', line: `/help ${id}` });
});

test.each([
  ['is foobar cheap', 'foobar', '/premium foobar'],
  ['runway of foobar', 'foobar', '/treasury foobar runway'],
])('"%s" was answered for all projects: it names one that nobody knows', async (text, name, line) => {
  expect(await decide(text)).toEqual({ kind: 'stranger', name, line });
});

test.each([
  'warn me before tide team tokens unlock',
  'A spreadsheet of the treasury of heron',
  'which other projects besides spindrift have a vote running',
])('"%s" is not answered by a line that leaves that out', async (text) => {
  expect((await decide(text)).kind).not.toBe('run');
});

test('a question that nobody can answer leads to what is known', async () => {
  expect(await decide('will tide pump')).toMatchObject({ kind: 'talk', talk: 'unknowable', lines: ['/premium tide'] });
});

test('a change is not shown beside the one that undoes it', async () => {
  expect(await decide('mute spindrift')).toEqual({ kind: 'propose', lines: ['/mute spindrift'] });
});

test.each(['sep 1', 'feb 3', 'august 4'])('the words of the date "%s" are understood, whether a phrase has them or not', (date) => {
  expect(reader.read(`premium of tide on ${date}`, PHRASE_WORLD).unknown).toEqual([]);
});

test('a term that nobody knows leads to the glossary', async () => {
  expect(await decide('what is a flurble')).toMatchObject({ lines: expect.arrayContaining(['/help glossary']) });
});

test.each([
  ['exclude tide', '/unwatch tide'],
  ['only outgoing movements for tide', '/alerts tide movements outgoing'],
  ['/alrets tide premium<-10', '/alerts tide premium<-10'],
  ['wath tide', '/watch tide'],
])('"%s" is proposed as "%s" before what else it may mean', async (text, line) => {
  const decision = await decide(text);
  expect([decision.kind, 'lines' in decision && decision.lines[0]]).toEqual(['propose', line]);
});

test.each([
  ['tell me if tide is below -10 and runway under 6 months', '/alerts tide premium<-10 and runway<6'],
  ['tell me when tide is below -10% and runway over 12 months', '/alerts tide premium<-10 and runway>12'],
])('thresholds of one project that must hold together are one rule: "%s"', async (text, line) => {
  expect(await decide(text)).toMatchObject({ kind: 'propose', lines: [line] });
});

test('two conditions that one rule cannot join are offered as two alerts, and it is said that one cannot wait for both', async () => {
  expect(await decide('tell me if tide is below -10 and the margin of its proposal is under 2 points')).toMatchObject({
    kind: 'offer',
    unread: [{ is: 'condition' }],
  });
});

test('"premium and the supply alerts" are two kinds, each of which is muted', async () => {
  expect(await decide('silence both the premium and the supply alerts on heron for the next 48 hours')).toMatchObject({
    kind: 'propose',
    lines: ['/mute heron premium 2d', '/mute heron supply 2d'],
    isEach: true,
  });
});

test('a rule that would leave out a number of the sentence is offered, and not set', async () => {
  expect(await decide('alert me when tide premium is below -10 and the moon is 4321 away')).toMatchObject({ kind: 'offer' });
});

test('a key that was held for longer makes no name of a project', async () => {
  const decision = await decide('unfollow everythingg');
  expect(decision.kind === 'propose' ? decision.lines[0] : decision.kind).toBe('/unwatch all');
});

const plainHeard = hear('something else', PHRASE_WORLD, undefined);
const reading = (candidates: Reading['candidates'], talk?: Reading['talk'], heard = plainHeard): Reading => ({
  ...{ candidates, talk, heard, unknown: [], stranger: undefined, joined: undefined },
});
const candidate = (line: string, confidence: number, foreign: readonly string[] = []) => ({
  ...{ line, confidence, foreign, command: line.slice(1).split(' ')[0] ?? '' },
});

test('three views of one command leave room for another command that is close', () => {
  const views = [candidate('/treasury tide', 0.3), candidate('/treasury tide nav', 0.25), candidate('/treasury tide runway', 0.15)];
  const heard = hear('tide reserves whatever', PHRASE_WORLD, undefined);
  const lines = (other: number) => {
    const decision = decideReading(reading([...views, candidate('/finances tide', other)], undefined, heard), new Set());
    return decision.kind === 'offer' ? decision.lines : [];
  };
  expect(lines(0.1)).toEqual(['/treasury tide', '/treasury tide nav', '/finances tide']);
  expect(lines(0.04)).toEqual(['/treasury tide', '/treasury tide nav', '/treasury tide runway']);
});

test('where little is offered about a project, its page is the last', () => {
  const heard = hear('tide whatever', PHRASE_WORLD, undefined);
  expect(decideReading(reading([candidate('/accounts tide', 0.3)], undefined, heard), new Set())).toMatchObject({
    kind: 'offer',
    lines: ['/accounts tide', '/project tide'],
  });
});

test('an unsure text is chatter if all kinds of chatter together are likelier than what a command explains', () => {
  const unsure = [candidate('/launches', 0.4, ['party', 'snacks'])];
  const talk = { kind: 'smalltalk', confidence: 0.3, total: 0.45 } as const;
  expect(decideReading(reading(unsure, talk), new Set())).toEqual({ kind: 'talk', talk: 'smalltalk', lines: ['/launches'] });
  expect(decideReading(reading([candidate('/launches', 0.6)], { ...talk, total: 0.4 }), new Set())).toMatchObject({ kind: 'offer' });
});

test('a line that changes something is never the one that is shown with "nobody can know that"', () => {
  const talk = { kind: 'unknowable', confidence: 0.9, total: 0.9 } as const;
  const candidates = [candidate('/unwatch all', 0.06), candidate('/overview', 0.04)];
  expect(decideReading(reading(candidates, talk), new Set(['/unwatch all']))).toEqual({
    ...{ kind: 'talk', talk: 'unknowable', lines: ['/overview'] },
  });
});

test.each(['7 days', 'only 1 week', '1 week'])('"%s" alone proposes no change', async (text) => {
  expect((await decide(text)).kind).toBe('offer');
});

test.each([
  ['not passing proposals', '/proposals failing'],
  ['which votes are failing', '/proposals failing'],
  ['who is winning?', '/proposals'],
  ['projects without live proposals', '/screen live<1'],
  ['is NAV of tide growing', '/treasury tide nav'],
  ['are the users of tide growing', '/growth tide'],
])('"%s" is answered by %s', async (text, line) => {
  expect(await decide(text)).toMatchObject({ kind: 'run', line });
});
