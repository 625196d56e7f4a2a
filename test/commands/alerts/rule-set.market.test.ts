/** The reply to a new rule on markets says where they are now, from what the last check found. */
import { expect, test } from 'vitest';
import { openBot } from '../../journeys/bot.js';

async function withMarket(...titles: readonly string[]) {
  const bot = await openBot();
  await bot.say('/watch tide');
  for (const title of titles) await bot.sim({ kind: 'proposal', project: 'tide', title, draftSeconds: 1, liveSeconds: 172_800 });
  await bot.pass(300);
  return bot;
}

const first = (text: string): string => text.split('\n')[0] ?? '';

test('a rule on markets says what the value is now and how far away', async () => {
  const bot = await withMarket('Fund the second audit');
  const text = first(await bot.say('/alerts tide proposals margin>60'));
  expect(text).toMatch(/^Alert set: Tidewater, proposals: .*; now .*[+−]\d+\.\d+ pts \(\d+\.\d pts away\)/u);
  expect(first(await bot.say('/alerts tide proposals margin>-60'))).toContain('already there: alerts when it comes back and crosses again');
  expect(first(await bot.say('/alerts tide proposals margin move 3'))).toMatch(/; now .*[+−]\d+\.\d+ pts$/u);
});

test('a rule on a runway, and joined conditions, say what was checked last and that they hold already', async () => {
  const bot = await withMarket();
  const holds = first(await bot.say('/alerts tide treasury runway<900'));
  expect(holds).toMatch(/; now \d+(?:\.\d+)? months \(already there: alerts when it comes back and crosses again\)/u);
  expect(first(await bot.say('/alerts tide treasury runway<1'))).toMatch(/; now \d+(?:\.\d+)? months \(\d+(?:\.\d+)? months away\)/u);
  const joined = first(await bot.say('/alerts tide premium above -90 and runway>3'));
  expect(joined).toMatch(/; premium now \S+%, runway now \S+ months; already met/u);
});

test('a rule for all projects names those that it holds for already, at most five', async () => {
  const bot = await openBot();
  await bot.say('/watch all');
  await bot.pass(600);
  const said = first(await bot.say('/alerts all premium>-90'));
  expect(said).toMatch(/; already there: (?:[^,]+ \([+−][\d.]+%\)(?:, | and )){5}\d+ more: each alerts when it comes back/u);
  expect(first(await bot.say('/alerts all premium<-99'))).not.toContain('already there');
});

test('a rule on single trades, and one where no market is known, have no value to show', async () => {
  const bot = await withMarket();
  expect(first(await bot.say('/alerts heron proposals margin>60'))).not.toContain('now');
  expect(first(await bot.say('/alerts tide proposals trade>10000'))).not.toContain('now');
});

test('a threshold below a value that only grows is refused, with what works', async () => {
  const bot = await withMarket();
  for (const [typed, works] of [
    ['volume<10', 'volume>50000'],
    ['traders<100', 'traders>100'],
  ])
    expect(await bot.say(`/alerts tide proposals ${typed}`)).toMatch(
      new RegExp(`is never crossed, because .* only grows\\. .*${works}`, 'u'),
    );
  expect(await bot.say('/alerts tide proposals')).not.toMatch(/volume below|traders below/u);
  expect(await bot.say('/alerts tide proposals stake<80')).toContain('Alert set');
});

test('a watch with one rule says what alerts besides it', async () => {
  const bot = await withMarket();
  const text = await bot.say('/alerts heron watch premium<-10');
  expect(text).toMatch(
    /Also alerts, by the preset Everything: supply, proposals, launches, growth, treasury, .*\. To choose, use \/alerts heron\./u,
  );
});

test('of two rules in one line each says whether it is there already', async () => {
  const bot = await withMarket();
  await bot.say('/premium tide');
  const text = await bot.say('/alerts tide premium>-90 premium<-95');
  const lines = text.split('\n');
  expect(lines.find((line) => line.startsWith('above −90%'))).toContain('already there');
  expect(lines.find((line) => line.startsWith('below −95%'))).toMatch(/; now /u);
});
