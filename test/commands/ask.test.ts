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
  const { reply } = await app.say('/ask stop talking about tide until tomorrow 9am', GUEST);
  const [press] = reply.actions;
  expect(press).toMatchObject({ line: '/mute tide 2026-11-21 09:00' });
  expect((await app.say(press?.line ?? '', GUEST)).text).toContain('Only people who can manage this');
});
