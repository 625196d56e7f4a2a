/** Kills the bot while questions arrive on Telegram, each life by the other way, webhook or polling, and counts the answers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTelegram } from '../stand-ins/telegram/server.js';
import { freePort } from '../support/free-port.js';
import { startBalancer } from './balancer.js';
import { startBot } from './bot.js';

const KILLS = Number(process.env['TORTURE_KILLS'] ?? 20);
const TOKEN = `123456789:${'w'.repeat(35)}`;
/** Telegram delivers to this port among few others. https://core.telegram.org/bots/api#setwebhook */
const HTTPS_PORT = 8443;
const PATIENCE = 120_000;

test(`no question is lost by ${KILLS} kills between webhook and polling`, async () => {
  // The certificate of the proxy is its own.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-webhook-'));
  const port = await freePort();
  const proxy = await startBalancer(folder, HTTPS_PORT, () => [`http://127.0.0.1:${port}`]);
  const telegram = await startTelegram({ token: TOKEN });
  const person = telegram.person();
  const chat = telegram.privateChat(person);
  const common = {
    TELEGRAM_TOKEN: TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
    ACCESS: 'open',
    HTTP_PORT: String(port),
    LOG_LEVEL: 'error',
  };
  const envOf = (life: number) =>
    life % 2 === 0 ? { ...common, TELEGRAM_WEBHOOK_URL: `https://127.0.0.1:${HTTPS_PORT}/telegram` } : common;
  const said: string[] = [];
  /** An answer, or that it was given up after two kills in the middle of it. */
  const answers = (word: string): number => telegram.posted(chat).filter(({ text }) => text.includes(word)).length;
  let bot = await startBot(folder, envOf(0));
  try {
    for (let kills = 0; kills < KILLS; kills += 1) {
      for (let more = 1 + Math.floor(Math.random() * 4); more > 0; more -= 1) {
        const word = `xq${said.length}zz`;
        said.push(word);
        telegram.say({ chat, from: person, text: `/premium ${word}` });
        await wait(Math.random() * 150);
      }
      await wait(500 + Math.random() * 2_500);
      await bot.kill();
      bot = await startBot(folder, envOf(kills + 1));
    }
    const end = Date.now() + PATIENCE;
    while (said.some((word) => answers(word) === 0) && Date.now() < end) await wait(200);
    const code = await bot.stop();
    const lost = said.filter((word) => answers(word) === 0);
    const repeated = said.reduce((sum, word) => sum + Math.max(0, answers(word) - 1), 0);
    console.log(`\nkills ${KILLS}, questions ${said.length}, lost ${lost.length}, answered again ${repeated}\n`);
    // A kill may cut off the answer under way, which is then sent again.
    expect({ code, lost, repeatsPerKill: Math.ceil(repeated / KILLS) <= 1 }).toEqual({ code: 0, lost: [], repeatsPerKill: true });
  } finally {
    await bot.kill();
    await telegram.close();
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
});
