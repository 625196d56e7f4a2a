/** A change that is proposed is the one that was asked for, with all that was said of it, and never its opposite. */
import { expect, test } from 'vitest';
import { decided, learnedReader, loadPhraseRegistry } from './phrase-score.js';

const registry = await loadPhraseRegistry();
const reader = await learnedReader(registry);

const decide = async (text: string) => (await decided(text, { reader, registry })).decision;

test.each([
  ['for 6 hours until december 1', 'for 6h until 2026-12-01'],
  ['for 3 days until december 20', 'for 3d until 2026-12-20'],
  ['for 6 hours until 2026-12-10', 'for 6h until 2026-12-10'],
])('a length is not the end of a rule: "%s"', async (said, limits) => {
  expect(await decide(`tell me when tide is below -10% and runway over 12 months ${said}`)).toMatchObject({
    kind: 'propose',
    lines: [`/alerts tide premium<-10 and runway>12 ${limits}`],
  });
});

test.each([
  ['stop alerting me when tide is below -10%', '/alerts tide remove premium<-10'],
  ['turn off the -10% alert for tide', '/alerts tide remove premium<-10'],
  ['cancel the alert on tide below -10%', '/alerts tide remove premium<-10'],
  ["don't tell me when tide is below -10% any more", '/alerts tide remove premium<-10'],
  ['remind me no more when tide runway is below 6 months', '/alerts tide remove treasury runway<6'],
  ['remove tide premium<-10', '/alerts tide remove premium<-10'],
  ["don't tell me unless tide is below -10%", '/alerts tide premium<-10'],
  ['follow the audit vote', '/watch proposal audit'],
  ['follow the trading fee vote', '/watch proposal trading fee'],
  ['watch the trading fee vote of tide', '/watch proposal tide trading fee'],
  ['stop following the trading fee vote', '/unwatch proposal trading fee'],
  ['stop following the heron launch', '/unwatch launch heron'],
  ['watch the tide vote', '/watch proposal tide'],
  ["keep an eye on tide's proposal", '/watch proposal tide'],
  ['stop watching the tide vote', '/unwatch proposal tide'],
  ['watch tide votes', '/watch tide'],
  ['mute the tide vote', '/mute proposal tide'],
  ['mute the trading fee vote for a day', '/mute proposal trading fee 1d'],
  ['silence the tide audit vote until friday', '/mute proposal tide audit 2026-11-27'],
  ['mute tide votes', '/mute tide proposals'],
  ["don't alert me about tide", '/unwatch tide'],
  ['dont tell me about tide', '/unwatch tide'],
  ['unwatch proposal audit', '/unwatch proposal audit'],
  ['mute the board', '/board off'],
  ['board off', '/board off'],
  ['only tell me about big mints', '/alerts supply stages:mint usd>10000'],
  ['only tell me about mints', '/alerts supply stages:mint'],
  ['tell me when tide drop bellow nav', '/alerts tide premium<0'],
  ["alert me when tide's runwya is undre 6 months", '/alerts tide treasury runway<6'],
  ['tell me when heron crosses nav', '/alerts heron premium>0 premium<0'],
  ['tell me when heron crosses above nav', '/alerts heron premium>0'],
  ['do not tell me about heron unlocks', '/alerts heron vesting off'],
  ['please stop pinging us about mints', '/alerts supply off'],
  ["don't tell me when tide is below nav", '/alerts tide remove premium<0'],
])('"%s" is proposed as "%s", and not as its opposite', async (text, line) => {
  const decision = await decide(text);
  expect(decision).toMatchObject({ kind: 'propose' });
  expect('lines' in decision ? decision.lines[0] : undefined).toBe(line);
});

test.each([
  ['10% below nav and has 18 months of runway', 'premium<-10 and runway>18'],
  ['10% below nav while it has more than a year of runway', 'premium<-10 and runway>12'],
  ["10% below nav and there's at least a year of cash left", 'premium<-10 and runway>12'],
  ['below -10% but only if runway > 12', 'premium<-10 and runway>12'],
  ['below -10% as long as runway > 12', 'premium<-10 and runway>12'],
])('both conditions of "%s" are in one rule', async (said, rule) => {
  expect(await decide(`tell me when tide is ${said}`)).toMatchObject({ kind: 'propose', lines: [`/alerts tide ${rule}`] });
});

test.each(["don't alert me about tide", "don't alert me about tide proposals", 'do not ping us about heron'])(
  '"%s" is neither a question why, nor does it offer to begin',
  async (text) => {
    const decision = await decide(text);
    const lines = 'lines' in decision ? decision.lines : [];
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => /^\/(?:why|watch)\b| on$/u.test(line))).toEqual([]);
  },
);

test('what is negated is named, and not set the other way round', async () => {
  const decision = await decide("tell me when tide isn't below -10%");
  expect(decision).toMatchObject({ kind: 'offer', unread: [{ text: "isn't below", is: 'words' }] });
  expect('lines' in decision && decision.lines.some((line) => line.includes('<-10'))).toBe(false);
});

test.each(["alert me when the trading fee vote's margin falls below 2 points", 'tell me when the trading fee market flips'])(
  '"%s" needs the key of that vote, and changes nothing for all',
  async (text) => {
    expect(await decide(text)).toMatchObject({ kind: 'offer', lines: ['/proposals'], unread: [{ is: 'vote' }] });
  },
);

test.each(['tell me when the tide vote has more than 500 trades', 'alert me when the number of trades of the tide vote is over 500'])(
  '"%s" is no rule on the size of a trade, and rules that exist are offered',
  async (text) => {
    expect(await decide(text)).toMatchObject({
      ...{ kind: 'offer', unread: [{ is: 'count' }] },
      lines: ['/alerts tide proposals traders>500', '/alerts tide proposals volume>500', '/alerts tide proposals trade>500'],
    });
  },
);

test.each(['remind me 1s before each vote', 'remind me a year before every vote', 'remind us 400 days before the tide vote ends'])(
  '"%s" is outside of what reminders can be, so it is named',
  async (text) => {
    expect(await decide(text)).toMatchObject({ kind: 'offer', lines: ['/remind', '/next'], unread: [{ is: 'ahead' }] });
  },
);

test.each(['remind me a month before every vote', 'remind me before every vote', 'set a reminder for the tide vote'])(
  '"%s" never offers to switch reminders off',
  async (text) => {
    const decision = await decide(text);
    const lines = decision.kind === 'run' ? [decision.line] : 'lines' in decision ? decision.lines : [];
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.endsWith(' off'))).toEqual([]);
  },
);

test.each(['remind me 1h before the trading fee vote ends', 'remind us a day before the audit proposal ends'])(
  '"%s" needs the key of that vote, and sets no reminder of every vote',
  async (text) => {
    expect(await decide(text)).toMatchObject({ kind: 'offer', lines: ['/proposals'], unread: [{ is: 'vote-reminder' }] });
  },
);

test.each([
  ['remind me 1h before the vote ends', '/remind 1h'],
  ['remind me 1h before every vote ends', '/remind 1h'],
  ['remind me 1h before the tide audit vote ends', '/remind tide 1h'],
])('"%s" proposes %s', async (text, line) => {
  expect(await decide(text)).toMatchObject({ kind: 'propose', lines: expect.arrayContaining([line]) });
});

test.each([
  ['how much volume does the charter vote have', '/proposals words:charter'],
  ['how is the trading fee vote doing', '/proposals "words:trading fee"'],
  ['how far is the trading fee vote from passing', '/proposals "words:trading fee"'],
  ['is the trading fee vote passing', '/proposals "words:trading fee"'],
])('"%s" offers %s first', async (text, line) => {
  const decision = await decide(text);
  expect(decision).toMatchObject({ kind: 'offer' });
  expect('lines' in decision && decision.lines[0]).toBe(line);
});

test.each(['which is the closest vote', 'stop the charter vote', 'alert me about the charter vote', 'how is the tide vote doing'])(
  '"%s" is no question about a vote of that title',
  async (text) => {
    const decision = await decide(text);
    const lines = decision.kind === 'run' ? [decision.line] : 'lines' in decision ? decision.lines : [];
    expect(lines.filter((line) => line.startsWith('/proposals') && line.includes('words:'))).toEqual([]);
  },
);

test.each(['alert me when tide drops blow nav', 'notify me if spindrift rises above $1e30'])(
  '"%s" offers nothing about the messages of proposals',
  async (text) => {
    const decision = await decide(text);
    const lines = decision.kind === 'run' ? [decision.line] : 'lines' in decision ? decision.lines : [];
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes('updates:'))).toEqual([]);
  },
);
