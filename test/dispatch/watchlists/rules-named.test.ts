import { expect, test } from 'vitest';
import { openAppHarness } from '../../support/app-harness.js';

const linesOf = async (say: Awaited<ReturnType<typeof openAppHarness>>['say'], words: string) =>
  (await say(words)).reply.actions.map(({ line }) => line).filter((line) => line !== '/help' && line !== '/cancel');

test('"remove the -10 rule" proposes to remove the rule of this chat that it fits', async () => {
  const { say } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  await say('/alerts tide premium<-10');
  expect(await linesOf(say, 'remove the -10 rule')).toEqual(['/alerts tide premium remove below -10']);
  const { text } = await say('/alerts tide premium remove below -10');
  expect(text.split('\n')[0]).not.toContain('−10%');
});

test('where several rules fit, it asks which one', async () => {
  const { say } = await openAppHarness({ answers: {} });
  for (const line of ['/watch tide', '/watch heron', '/alerts tide premium<-10', '/alerts heron premium<-10']) await say(line);
  expect(await linesOf(say, 'delete the -10% rule')).toEqual([
    '/alerts tide premium remove below -10',
    '/alerts heron premium remove below -10',
  ]);
});

test.each(['remove the -10 rule', 'delete the runway rule'])(
  '"%s" where no rule fits offers the rules, and no other change',
  async (words) => {
    const { say } = await openAppHarness({ answers: {} });
    expect(await linesOf(say, words)).toEqual(['/alerts']);
  },
);

test('"stop the board" ends the board alone', async () => {
  const { say } = await openAppHarness({ answers: {} });
  expect(await linesOf(say, 'stop the board')).toEqual(['/board off']);
});
