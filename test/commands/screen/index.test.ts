import { expect, test } from 'vitest';
import { openAppHarness } from '../../support/app-harness.js';

const LIST = '/v1/global-dashboard/projects-launch';
const PROJECTS = '/v1/global-dashboard/projects';
const row = (symbol: string, rest: Record<string, unknown>) => ({ organizationSlug: symbol.toLowerCase(), tokenSymbol: symbol, ...rest });
const ROWS = [
  row('AAA', { tokenUsdPrice: '0.7', netAssetValue: '1', monthsOfRunway: '24', marketCap: '7000000' }),
  row('BBB', { tokenUsdPrice: '0.75', netAssetValue: '1', monthsOfRunway: '6', marketCap: '1500000' }),
  row('CCC', { tokenUsdPrice: '1.1', netAssetValue: '1', monthsOfRunway: '18', marketCap: '400000' }),
  row('DDD', { tokenUsdPrice: '0.5', netAssetValue: null, monthsOfRunway: null, marketCap: '900000' }),
  row('EEE', {
    tokenUsdPrice: '0.5',
    netAssetValue: '0',
    premDisc: '0',
    monthsOfRunway: '40',
    marketCap: '0',
    fdv: '0',
    treasuryValue: '0',
  }),
];
const answers = { [LIST]: ROWS, [PROJECTS]: ROWS.map((one, index) => ({ ...one, proposalCount: index, activeProposals: index % 2 })) };
const symbols = (text: string): readonly string[] => [...text.matchAll(/^([A-E]{3}) /gmu)].map(([, name = '']) => name);

test('every comparison must hold, and the sort says the order', async () => {
  const { say } = await openAppHarness({ answers });
  const { text } = await say('/screen premium<-20 runway>12 sort:premium');
  expect(text).toContain('1 of 5 projects matches: premium<-20, runway>12; lowest premium: AAA, −30.0%\n');
  expect(symbols(text)).toEqual(['AAA']);
  expect(symbols((await say('/screen sort:cap')).text)).toEqual(['AAA', 'BBB', 'DDD', 'CCC', 'EEE']);
  expect(symbols((await say('/screen sort:-cap')).text)).toEqual(['CCC', 'DDD', 'BBB', 'AAA', 'EEE']);
  expect(symbols((await say('/screen sort:runway:lowest')).text)).toEqual(['BBB', 'CCC', 'AAA', 'EEE', 'DDD']);
});

test.each([
  ['premium < -20', ['AAA', 'BBB']],
  ['premium≤−25 and runway >= 6', ['AAA', 'BBB']],
  ['discount>20%, cap<2m', ['BBB']],
  ['cap>=$400k cap!=900000 cap<$7M', ['BBB', 'CCC']],
  ['price=0.5', ['DDD', 'EEE']],
  ['PRICE==1.1', ['CCC']],
  ['months>12 mcap>1m', ['AAA']],
])('%s', async (filter, expected) => {
  const { say } = await openAppHarness({ answers });
  expect(symbols((await say(`/screen ${filter}`)).text).toSorted()).toEqual(expected);
});

test('what is not known matches nothing, not even "is not", and a row of zeros is not known', async () => {
  const { say } = await openAppHarness({ answers });
  const { text } = await say('/screen premium!=5');
  expect(symbols(text)).toEqual(['AAA', 'BBB', 'CCC']);
  expect(text).toContain(
    '2 projects left out, because the list has no NAV of DDD and EEE. /premium ddd shows it if the project page has it.',
  );
  expect((await say('/screen runway>1')).text).toContain('1 project left out for missing data.');
  expect(symbols((await say('/screen treasury<1')).text)).toEqual([]);
  expect(symbols((await say('/screen runway>12 premium>0')).text)).toEqual(['CCC']);
});

test.each([
  ['premumm<3 sort:cap', '"premumm". Did you mean premium?'],
  ['hello', 'Can\'t read "hello"'],
  ['premium<', '"premium<" has no number'],
  ['<3', '"<3" has no field'],
  ['premium<low', '"low" isn\'t a number'],
  ['price=.5', '".5" isn\'t a number'],
  ['premium<1e999', '"1e999" isn\'t a number'],
  ['sort:nonsense', 'No field called "nonsense"'],
  ['sort:cap:sideways', '"sort:cap:sideways": add lowest or highest'],
  ['sort:cap sort:nav', '"sort:cap sort:nav" are two'],
  ['page:0', '"page:0": '],
])('%s is answered with what is wrong, an example and the fields there are', async (filter, sentence) => {
  const { say, deadButtons } = await openAppHarness({ answers });
  const { text, reply } = await say(`/screen ${filter}`);
  expect(text).toContain(sentence);
  expect(text).toContain('/screen premium<-20 runway>12 sort:premium\nFields: premium, discount, runway, ');
  expect([reply.audience, await deadButtons(reply)]).toEqual(['asker', []]);
});

test('decision-market activity is requested only if the expression uses it', async () => {
  const { say } = await openAppHarness({ answers: { [LIST]: ROWS, [PROJECTS]: answers[PROJECTS] } });
  const { text } = await say('/screen live>0');
  expect(symbols(text)).toEqual(['BBB', 'DDD']);
  const without = await openAppHarness({ answers: { [LIST]: ROWS } });
  expect(symbols((await without.say('/screen cap>1')).text)).toEqual(['AAA', 'BBB', 'CCC', 'DDD']);
});

test('a button leads to the same filter, sorted otherwise or on another page', async () => {
  const many = Array.from({ length: 23 }, (_, index) => row(`P${index}`, { tokenUsdPrice: '1', marketCap: `${index + 1}` }));
  const { say, deadButtons } = await openAppHarness({ answers: { [LIST]: many } });
  const first = await say('/screen cap>2 sort:cap');
  expect(first.text).toContain('21 of 23 projects match: cap>2, page 1 of 3');
  expect(first.reply.actions.map(({ line }) => line)).toContain('/screen cap>2 sort:cap:highest page:2');
  expect(await deadButtons(first.reply)).toEqual([]);
  const last = await say('/screen cap>2 sort:cap:highest page:3');
  expect(last.text).toContain('page 3 of 3');
  expect(last.text).toMatch(/^P2 /mu);
  expect((await say('/screen page:9')).text).toContain('23 projects, page 9 is empty');
});

test('what the plan does not show is said', async () => {
  const { say } = await openAppHarness({ plan: { maxRows: 10, maxPages: 1 } });
  expect((await say('/screen')).text).toMatch(/⚠ 2 more projects /u);
});

test('the simulated service can be screened by every field, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  const fields = (await say('/screen')).text.match(/^Fields: (.*)$/mu)?.[1]?.split(', ') ?? [];
  expect(fields.length).toBeGreaterThan(12);
  for (const field of fields) {
    const { reply, text } = await say(`/screen ${field}>=-1000 sort:${field}`);
    expect([field, reply.tone, await deadButtons(reply), text.match(/undefined|NaN|\[object/u)]).toEqual([field, 'plain', [], null]);
    expect([field, text.split('\n')[0]]).toEqual([field, expect.stringMatching(/^([1-9]\d*) of 12 projects match(es)?:/u)]);
  }
});
