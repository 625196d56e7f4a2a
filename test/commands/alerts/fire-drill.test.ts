/** Replayed through the whole bot, because the count must be that of the messages that were really sent. */
import { expect, test } from 'vitest';
import { openBot } from '../../journeys/bot.js';

const button = (text: string, label: string): string => new RegExp(`\\[${label}: ([^\\]]+)\\]`, 'u').exec(text)?.[1] ?? '';

async function afterABusyHour() {
  const bot = await openBot();
  await bot.say('/watch tide');
  await bot.pass(5);
  await bot.say('/alerts tide supply everything');
  for (const amount of ['5', '6', '7']) {
    await bot.sim({ kind: 'burn', project: 'tide', amount });
    await bot.sim({ kind: 'mint', project: 'tide', amount: '50000' });
    await bot.pass(130);
  }
  return bot;
}

test('a replay counts the messages that were sent, sends none and makes no request', async () => {
  const bot = await afterABusyHour();
  const sent = (await bot.alerts()).length;
  const text = await bot.say('/alerts replay 7d');
  expect(sent).toBeGreaterThan(1);
  expect(text).toMatch(new RegExp(`^${sent} messages in the last 7 days with this chat's rules\\n`, 'u'));
  expect(text).toContain(`really sent: ${sent}`);
  expect(text).toContain('Watched for less than 7 d: Tidewater');
  await bot.pass(60);
  expect((await bot.alerts()).length).toBe(sent);
});

test('with a stricter filter it counts what would be left, and says what that filters', async () => {
  const bot = await afterABusyHour();
  await bot.say('/alerts tide supply usd>1000');
  const text = await bot.say('/alerts replay 7d');
  expect(text).toMatch(/Tidewater: supply · 3 messages\n/u);
  expect(text).toContain('3 events filtered');
  await bot.say('/alerts tide supply off');
  expect(await bot.say('/alerts replay 7d')).not.toContain('Tidewater: supply');
});

test('where a weekly digest counts fewer filtered events than the replay, the replay says how many and why', async () => {
  const bot = await afterABusyHour();
  await bot.sim({ kind: 'proposal', project: 'tide', title: 'Fund the second audit', draftSeconds: 1, liveSeconds: 172_800 });
  await bot.pass(300);
  await bot.say('/alerts tide supply usd>1000');
  await bot.say('/alerts tide proposals stages:passed');
  const filtered = async (line: string, pattern: RegExp) => Number(pattern.exec(await bot.say(line))?.[1] ?? 0);
  const replayed = await filtered('/alerts replay 7d', /(\d+) events? filtered/u);
  // A chat without that digest has nothing to compare.
  expect(await bot.say('/alerts replay 7d')).not.toContain('weekly digest');
  await bot.say('/digest weekly Mon 09:00');
  const uncounted = await filtered('/alerts replay 7d', /The weekly digest doesn't count (\d+) of the filtered events/u);
  expect(uncounted).toBeGreaterThan(0);
  expect(await filtered('/digest now', /Filtered so far: (\d+)/u)).toBe(replayed - uncounted);
});

test('the messages of one project and kind are listed, and lead to their rules', async () => {
  const bot = await afterABusyHour();
  const row = await bot.say('/alerts replay 7d supply tide');
  expect(row).toMatch(/^Tidewater: supply: \d+ messages? in the last 7 d\n/u);
  expect(row).toMatch(/Tidewater (?:minted|burned)/u);
  expect(await bot.say(button(row, 'Edit the rules'))).toContain('Tidewater, supply');
  expect(await bot.say('/alerts replay 7d supply heron')).toContain('No message of the last 7 days would be about "supply heron"');
  expect(await bot.say('/alerts replay 90d')).toContain('A replay covers 1 to 30 days');
});

test('measures whose daily values nobody stores are named, and those that are computed from stored ones are not', async () => {
  const bot = await openBot();
  await bot.say('/watch tide');
  await bot.say('/alerts tide premium price24h<-15');
  await bot.say('/alerts tide treasury runway<6 nav<1m');
  const text = await bot.say('/alerts replay 7d');
  expect(text).toContain('Rules on runway and allowance are replayed on the last day only');
  expect(text).not.toContain('Rules on 24 h price change');
});
