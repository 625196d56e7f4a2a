import { expect, test } from 'vitest';
import { z } from 'zod';
import { HOUR, SECOND } from '../../../src/base/clock.js';
import { openApiBot, type ApiBot } from './bot-with-keys.js';

const replySchema = z.object({
  asOf: z.string(),
  ageSeconds: z.int(),
  sources: z.string(),
  actions: z.array(z.object({ line: z.string() })),
});
type Key = Awaited<ReturnType<ApiBot['key']>>;
const ask = async (key: Key, line: string) => z.object({ reply: replySchema }).parse((await key.ask(line)).body).reply;

test('a repeated question has the age of its own moment, and shares its sources until newer data arrives', async () => {
  const bot = await openApiBot();
  const key = await bot.key();
  const first = await ask(key, '/premium tide');
  await bot.clock.advance(5 * SECOND);
  const again = await ask(key, '/premium tide');
  expect(again).toMatchObject({ asOf: first.asOf, ageSeconds: first.ageSeconds + 5, sources: first.sources });
  await bot.clock.advance(HOUR);
  const later = await ask(key, '/premium tide');
  expect(later.asOf > first.asOf).toBe(true);
  expect(later.sources).not.toBe(first.sources);
  for (const { sources } of [first, later]) expect((await key.ask(sources)).text).toContain('Sources of');
});

test('another key and another chat have sources of their own, which nobody else can read', async () => {
  const bot = await openApiBot();
  const [one, other] = [await bot.key(), await bot.key()];
  const [mine, theirs] = [await ask(one, '/premium tide'), await ask(other, '/premium tide')];
  expect(theirs.sources).not.toBe(mine.sources);
  expect((await one.ask(mine.sources)).text).toContain('Sources of');
  expect((await one.ask(theirs.sources)).text).not.toContain('Sources of');
});

test('a repeated question shows what was changed in the chat in between', async () => {
  const bot = await openApiBot();
  const key = await bot.key({ chat: 'console/main' });
  const premium = await ask(key, '/premium tide');
  expect((await key.ask('/watchlist')).text).not.toContain('Tidewater');
  await bot.say('/watch tide');
  await bot.say('/settings timezone Asia/Tokyo');
  expect((await key.ask('/watchlist')).text).toContain('Tidewater');
  expect((await key.ask('/premium tide')).text).toContain('21:00 UTC+9');
  // The sources show their times in the timezone of the reply.
  expect((await ask(key, '/premium tide')).sources).not.toBe(premium.sources);
});
