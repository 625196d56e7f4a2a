import { expect, test } from 'vitest';
import { GUEST, openAppHarness } from '../support/app-harness.js';

test('"/ask" answers a question in plain words, typed or in the form', async () => {
  const app = await openAppHarness();
  const typed = await app.say('/ask is tide cheap?');
  expect(typed.text).toMatch(/^TIDE trades[^]+Read as \/premium tide\./u);
  const filled = await app.ask({ ask: { command: 'ask', options: { question: 'is tide cheap?' } } });
  expect(filled.text).toBe(typed.text);
});

test('"/ask" without a question asks for one', async () => {
  const { say } = await openAppHarness({ answers: {} });
  expect((await say('/ask')).text).toContain('Which question?');
});

test('a change that is asked for waits for a press, and the press checks who presses', async () => {
  const app = await openAppHarness();
  await app.say('/watch tide');
  const { reply } = await app.say('/ask stop talking about tide until tomorrow 9am', GUEST);
  const [press] = reply.actions;
  expect(press).toMatchObject({ line: '/mute tide 2026-11-21 09:00' });
  expect((await app.say(press?.line ?? '', GUEST)).text).toContain('Only people who can manage this');
});

test('a rule shows what it would have alerted, unless few requests of the month are left', async () => {
  const asked = async (requestsPerMonth: number) => {
    const app = await openAppHarness({ requestsPerMonth });
    return (await app.say('/ask tell me when tide drops 10% below nav')).reply;
  };
  const [ample, few] = [await asked(100_000), await asked(500)];
  expect(ample.blocks).toContainEqual(expect.objectContaining({ kind: 'figures' }));
  expect(few.blocks.map(({ kind }) => kind)).not.toContain('figures');
  for (const { actions } of [ample, few])
    expect(actions.map(({ label }) => label)).toEqual(['Watch with this rule', 'Only this rule', 'Backtest', 'Cancel']);
});

test.each([
  ['tell me when tide drops 10% below nav', true, 'premium<-20'],
  ['tell me when the runway of tide is under 6 months', false, 'runway<6'],
  ['tell me when a trade over $500 happens on the tide proposal', false, 'trade>10000'],
  ['alert me when any project drops 10% below nav', false, 'premium<-20'],
])('of a rule as in "%s" a backtest is offered only if it can be made, with an example that fits', async (words, isTried, example) => {
  const app = await openAppHarness({ requestsPerMonth: 500 });
  const { reply, text } = await app.say(`/ask ${words}`);
  expect(text).toMatch(/^Set this alert\?/u);
  expect(reply.actions.some(({ label }) => label === 'Backtest')).toBe(isTried);
  expect(reply.fields).toContainEqual(expect.objectContaining({ label: 'Change…', hint: `such as ${example}` }));
});
