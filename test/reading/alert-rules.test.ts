/** A rule of an alert is about the measure that was named, or there is none. */
import { expect, test } from 'vitest';
import { readRule } from '../../src/alerts/rules/read-rule.js';
import { ruleIn, unreadOfRule } from '../../src/reading/alert-rules.js';
import { hear } from '../../src/reading/heard.js';
import { PHRASE_WORLD } from './phrase-score.js';

const heard = (text: string) => hear(text, PHRASE_WORLD, undefined);

test.each([
  ['tell me when the margin of the heron proposal moves 3 points in an hour', 'proposals margin move 3 in 1h'],
  ['when the margin drops under 2 points', 'proposals margin<2'],
  ['when the margin of any tide vote falls below minus 1', 'proposals margin<-1'],
  ['tell me when passing is worth more than 2% on heron', 'proposals worth>2'],
  ['the worth of passing of the heron vote above 5', 'proposals worth>5'],
  ['alert me when the pass price is over 2 on heron', 'proposals pass>2'],
  ['alert me when the fail price of heron drops below 0.1', 'proposals fail<0.1'],
  ['ping me when the pass price moves 5%', 'proposals pass move 5%'],
  ['volume of the heron proposal over 50k', 'proposals volume>50000'],
  ['more than 100 traders on the heron market', 'proposals traders>100'],
  ['when the stake of a tide draft is over 80%', 'proposals stake>80'],
  ['trades over 5k on heron markets', 'proposals trade>5000'],
  ['big trades on the heron market', 'proposals trade>10000'],
  ['if the heron vote flips', 'proposals flip'],
  ['if the margin flips on heron', 'proposals flip'],
])('"%s" is a rule on a market', (text, rule) => {
  expect(ruleIn(heard(text))).toBe(rule);
  expect(readRule(rule).read).toBe(true);
});

test.each([
  ['tell me about incoming payments to tide over $20k', 'movements usd>20000 incoming'],
  ['alert me about outgoing payments of tide over 10k', 'movements usd>10000 outgoing'],
  ['tell me whenever more than $50,000 leaves the tide treasury', 'movements usd>50000 outgoing'],
  ['alert me about payments of tide over 10k', 'movements usd>10000'],
  ['alert me about inflows and outflows of tide over 10k', 'movements usd>10000'],
  ['only outgoing movements for tide', 'movements outgoing'],
])('the direction in "%s" is kept', (text, rule) => {
  expect(ruleIn(heard(text))).toBe(rule);
  expect(readRule(rule).read).toBe(true);
});

test.each([
  ['alert me when alder has lost more than 15% within a day', 'price24h<-15'],
  ['tell me when tide moves 10% in a day', 'price24h>10 price24h<-10'],
  ["tell me each time that alder's nav has moved by 5 percent", 'nav move 5%'],
  ['tell me when the allowance of tide is over 50k', 'treasury allowance>50000'],
  ['ping when tide runway climbs back over 12', 'treasury runway>12'],
  ["until december 1 alert me if heron's premium falls below -5%", 'premium<-5 until 2026-12-01'],
  ['tell me once the discount of tide gets deeper than 8%', 'premium<-8'],
  ['alert me when tide is below -8, just once', 'premium<-8 once'],
  ['tell me if the price of tide has been above 1 dollar for 6 hours', 'price>1 for 6h'],
  ['ping me when the discount of tide is deeper than 10% for a day', 'premium<-10 for 1d'],
  ['tell me when tide drops below nav for 6 hours', 'premium<0 for 6h'],
  ['alert me when tide runway stays below 6 months for at least 2 days', 'treasury runway<6 for 2d'],
  ['when the margin of the heron vote is under 2 for 30 minutes', 'proposals margin<2 for 30min'],
])('"%s" is the rule "%s"', (text, rule) => {
  expect(ruleIn(heard(text))).toBe(rule);
  expect(readRule(rule, PHRASE_WORLD.now).read).toBe(true);
});

test.each([
  ['tell me when the worth of the heron proposal goes over $1m', 'worth'],
  ['tell me when more than 20k is staked on a heron proposal', 'stake'],
  ['alert me when the market cap of tide is over 5m', 'market cap'],
  ['alert me when the odds of heron are over 60%', 'odds'],
  ['tell me when heron has more than 500 holders', 'holders'],
  ['tell me when the tide vote has more than 500 trades', 'number of trades'],
  ['tell me when tide nav falls under 0.50', 'NAV per share'],
  ['tell me when the volume of the heron market moves 20% in an hour', 'in an hour'],
])('"%s" names what no alert follows, so it is no rule on something else', (text, unread) => {
  expect(ruleIn(heard(text))).toBeUndefined();
  expect(unreadOfRule(heard(text))).toBe(unread);
});

test.each([
  ["alert me to heron's treasury movements only where the category is payroll", 'movements category:payroll'],
  ["only alder's movement alerts that concern the account named Main vault", 'movements account:"Main vault"'],
  ['restrict the treasury movement alerts for spindrift to USDC', 'movements tokens:USDC'],
  ['alert me only to proposals of kestrel with "buyback" in the title', 'proposals title:buyback'],
  ['limit the alerts about fund-1 to what it does in tide and heron', 'wallet projects:tide,heron'],
  ['for glass pier, alert me on fees only, and only when they change by more than 20%', 'growth percent>20 metrics:fees'],
  ["from tide's supply alerts keep mints only, from $100,000 upwards", 'supply usd>100000 stages:mint'],
  ['alert me on mints and burns of heron of at least $50,000 or at least 0.5% of the supply', 'supply usd>50000 or percent>0.5'],
  ['notify me of outflows above $100,000 from the tide treasury, but not of inflows', 'movements usd>100000 outgoing'],
  ['tell me each time the holder rank of fund-1 has moved by three places', 'wallet rank move 3'],
  ['when a premium alert on tide is over, send a separate message rather than editing the original', 'premium back:message'],
])('"%s" limits the alerts to what it names', (text, rule) => {
  expect(ruleIn(heard(text))).toBe(rule);
  expect(readRule(rule).read).toBe(true);
});

test.each([
  ['warn me when the margin on a tide market has been below one point for thirty minutes', 'proposals margin<1 for 30min'],
  ['notify me each time the price of TIDE has moved by another 10% since the last alert', 'price move 10%'],
  ["alert me only once tide's premium has remained below -10% for six hours", 'premium<-10 for 6h'],
  ['send a single alert, and then drop the rule, when alder trades at a premium above 5%', 'premium>5 once'],
  ["alert me when tide's premium falls below -12%, and re-arm only after it has recovered by four points", 'premium<-12 band 4'],
  ["I want to know about every new 90-day high or low in tide's premium", 'premium extreme 90d'],
  ["alert me when heron's premium lies two standard deviations from its one-year mean", 'premium z>2'],
  ['change my tide threshold from 10 to 15 percent discount', 'premium<-15'],
  ['lmk when spin is 20% off', 'premium<-20'],
])('"%s" keeps every number that it says', (text, rule) => {
  expect(ruleIn(heard(text))).toBe(rule);
  expect(readRule(rule).read).toBe(true);
});

test('"only mints and burns" leaves out neither', () => {
  expect(ruleIn(heard('only mints and burns over 50k for spin'))).toBe('supply only usd>50000');
  expect(ruleIn(heard('only big mints and burns of tide'))).toBe('supply only usd>10000');
});

test.each([
  ['tell me when tide is not trading at a discount', 'premium>0'],
  ['tell me when tide is no longer at a discount', 'premium>0'],
  ['tell me when tide stops trading at a discount for 6 hours', 'premium>0 for 6h'],
  ['alert me when tide is not trading at a premium', 'premium<0'],
  ['tell me when heron no longer trades at a premium', 'premium<0'],
  ['tell me when tide is at a discount', 'premium<0'],
])('"%s" is about the side of NAV that is meant: %s', (text, rule) => {
  expect(ruleIn(heard(text))).toBe(rule);
});

test.each([
  ['tell me when tide is not at a discount of 10%', 'not at a discount'],
  ["tell me when tide isn't cheap", "isn't cheap"],
  ['tell me if tide is not overvalued', 'not overvalued'],
])('"%s" is no rule on the opposite', (text, unread) => {
  expect(ruleIn(heard(text))).toBeUndefined();
  expect(unreadOfRule(heard(text))).toBe(unread);
});

test.each([
  ['ping me when a trade above 10000 happens on tide', 'proposals trade>10000'],
  ['alert me on trades over $5k on heron', 'proposals trade>5000'],
  ['notify us of any single trade bigger than 20k in alder', 'proposals trade>20000'],
  ['only large mints of tide, 50k dollars and up', 'supply usd>50000 stages:mint'],
  ['tell me when tide trades above 1.5', 'price>1.5'],
  ['alert me when tide trades above $10', 'price>10'],
  ["tell me if tide's runway drops by 10%", 'treasury runway move 10%'],
  ["tell me if tide's nav drops by 10%", 'nav move 10%'],
  ['alert me if the treasury of tide falls 10%', 'nav move 10%'],
  ["alert me when tide's premium drops by 10%", 'premium move 10'],
  ['alert me on tide mints above 1% of supply', 'supply percent>1'],
  ['tell me when tide falls 10% below nav', 'premium<-10'],
  ['tell me when tide falls 10%', 'price move 10%'],
])('"%s" keeps the measure that it names: %s', (text, rule) => {
  expect(ruleIn(heard(text))).toBe(rule);
  expect(readRule(rule).read).toBe(true);
});

test.each([
  ['alert me if tide loses 3 months of runway', 'loses 3 months'],
  ["tell me if tide's revenue falls by 20%", 'revenue'],
  ["tell me when tide's supply drops by 10%", 'supply'],
])('"%s" becomes no rule on another measure', (text, unread) => {
  expect(ruleIn(heard(text))).toBeUndefined();
  expect(unreadOfRule(heard(text))).toBe(unread);
});

test.each([
  ['alert me when the tide premium falls 10%', 'premium move 10'],
  ['when the premium of tide drops by 10%', 'premium move 10'],
  ['alert me when the tide premium rises 5 percent', 'premium move 5'],
  ['alert me when the tide premium falls below 10%', 'premium<-10'],
])('"%s" is about a change only if it names no threshold', (text, rule) => {
  expect(ruleIn(heard(text))).toBe(rule);
});
