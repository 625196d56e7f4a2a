/** Thresholds that are joined by "and", wherever they are typed. */
import { expect, test } from 'vitest';
import { fieldLines } from '../../support/fields.js';
import { openAppHarness } from '../../support/app-harness.js';
import { watching } from '../../support/watching.js';

const RULE = 'premium below −10% (re-arms above −8%) and runway above 12 months (re-arms below 11 months)';

test('conditions of two kinds are a rule of premium, in whatever order and under whichever kind they are typed, and set again it is no change', async () => {
  const { say, rules } = await watching('tide');
  expect((await say('/alerts tide premium only below -10 and runway>12')).text).toContain(
    'Tidewater, premium: below −10% and runway above 12 months',
  );
  expect(rules()).toEqual([[`premium: ${RULE}`]]);
  for (const typed of ['runway>12 and premium<-10', 'treasury runway > 12 and discount > 10', 'premium<-10% and runway over 12 months'])
    expect((await say(`/alerts tide ${typed}`)).text).toContain('Already set: Tidewater, premium');
  expect(rules()).toEqual([[`premium: ${RULE}`]]);
  await say('/alerts tide treasury remove runway>12 and premium<-10');
  expect(rules()).toEqual([[]]);
});

test('the page of the kind shows it, and its menus keep it whole', async () => {
  const { say, rules, deadButtons } = await watching('tide');
  await say('/alerts tide premium only below -10 band 3 and runway>12 for 6h');
  const { reply, text } = await say('/alerts tide premium');
  expect(text).toContain('below −10% (re-arms above −7%) and runway above 12 months (re-arms below 11 months) for 6 h');
  expect(await deadButtons(reply)).toEqual([]);
  const once = fieldLines(reply).find((line) => line.endsWith(' once')) ?? '';
  await say(once);
  expect(rules()).toEqual([[expect.stringMatching(/^premium: .* and runway above 12 months \(re-arms below 11 months\) for 6 h once$/u)]]);
});

test('a form takes it in the field of thresholds of its kind, and says where it belongs in that of another', async () => {
  const { say, rules } = await watching('tide');
  await say('/alerts tide premium set premium<-10 and runway>12');
  expect(rules()[0]?.[0]).toContain(RULE);
  const { reply, text } = await say('/alerts tide treasury set mode:silent; runway>24 and premium<-20');
  expect(reply.tone).toBe('warning');
  expect(text).toContain('is a rule of premium');
});

test('what one rule cannot join is refused with the reason, and changes nothing', async () => {
  const { say, rules } = await watching('tide');
  for (const [typed, reason] of [
    ['premium<-10 and margin<2', 'margin is of a market'],
    ['premium<-10 and premium<-20', 'premium is there twice'],
    ['premium<-10 and nav move 5', '"and" joins only thresholds'],
  ])
    expect((await say(`/alerts tide ${typed}`)).text).toContain(reason);
  expect(rules()).toEqual([[]]);
});

test('each value that is known is shown, that all are met already is said, and no backtest is offered of what has no past', async () => {
  const { say } = await openAppHarness({
    answers: {
      '/v1/dao/treasury/overview': { netAssetValue: '2000000', navPerShare: '2', spotPrice: '1.5', runway: '18' },
      '/v1/dao/treasury/premium-discount-breakdown': { navPerShare: '2', spotPrice: '1.5' },
    },
  });
  await say('/watch tide');
  await say('/premium tide');
  await say('/treasury tide');
  const { text, reply } = await say('/alerts tide premium only below 5000 and runway>2');
  expect(text).toMatch(/; premium now \S+, runway now .*; already met: alerts when one has come back and all are met again/u);
  expect(reply.actions.map(({ label }) => label)).not.toContain('Backtest');
  const { text: other } = await say('/alerts tide premium only below 5000 and runway>1000');
  expect(other).toContain('runway now');
  expect(other).not.toContain('already met');
});
