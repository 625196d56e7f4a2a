/** What `npm run trace` prints. A file that also runs while nothing is asked is marked with a dot. */
import { expect, test } from 'vitest';
import { openConnectedBot, type ConnectedBot } from '../journeys/connected-bot.js';

const MINT = 'mint';
const IDLE_SECONDS = 70;

const ran = new Set<string>();
const recording = globalThis as typeof globalThis & { ran?: (file: string) => void };

/** The files that run meanwhile, in the order of their first function. */
async function during(work: () => Promise<unknown>): Promise<readonly string[]> {
  ran.clear();
  recording.ran = (file) => void ran.add(file);
  await work();
  delete recording.ran;
  return [...ran];
}

async function journey(bot: ConnectedBot, line: string): Promise<unknown> {
  if (line !== MINT) return bot.write(line);
  await bot.sim({ kind: 'mint', project: 'tide', amount: '486210.5' });
  await bot.pass(IDLE_SECONDS);
  return expect(bot.posted('minted 486,211 TIDE')).toHaveLength(1);
}

test('the journey', async () => {
  const line = process.env['TRACE'] ?? MINT;
  const bot = await openConnectedBot();
  if (line === MINT) await bot.write('/watch tide');
  await bot.pass(IDLE_SECONDS);
  const idle = new Set(await during(async () => bot.pass(IDLE_SECONDS)));
  const files = await during(async () => journey(bot, line));
  expect(files.length).toBeGreaterThan(0);
  const own = files.filter((file) => !idle.has(file)).length;
  process.stdout.write(`\n${line}: ${files.length} files, ${own} of them not while nothing is asked\n`);
  for (const file of files) process.stdout.write(`${idle.has(file) ? '·' : ' '} ${file}\n`);
});
