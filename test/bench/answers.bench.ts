/**
 * How long a first answer takes on Discord and on Telegram, from the moment its text is known: until the text is there, and until the picture is.
 * Cold: nothing was drawn before. Warm: as two seconds after a start. Again: the second question. Real libraries, stand-ins, the built thread.
 */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { openPictures } from '../../src/charts/pictures.js';
import { reply, type Reply } from '../../src/chat/reply.js';
import type { PlatformDeps } from '../../src/platforms/descriptor.js';
import { createDiscord } from '../../src/platforms/discord/discord.js';
import { createTelegram } from '../../src/platforms/telegram/telegram.js';
import { openStore } from '../../src/store/open.js';
import { SAMPLES } from '../charts/samples.js';
import { CATALOGUE } from '../platforms/discord/harness.js';
import { startDiscord } from '../stand-ins/discord/start.js';
import { startTelegram } from '../stand-ins/telegram/server.js';

const BUILT = new URL('../../dist/src/charts/worker.js', import.meta.url);
const TOKEN = '7100000001:planted-secret';
const ROUNDS = 3;
const PAUSE = 2_500;

interface Measured {
  readonly text: number;
  readonly picture: number;
}

/** A platform of its own with a drawing thread of its own; `ask` resolves when text and picture were seen. */
interface Bench {
  warm(): Promise<void>;
  ask(round: number): Promise<Measured>;
}

async function around() {
  const store = await openStore('memory://');
  const pictures = openPictures({ clock: systemClock, log: silentLog, program: BUILT });
  const known = { at: 0 };
  let asked = 0;
  const answer = async (): Promise<Reply> => {
    asked += 1;
    known.at = performance.now();
    const { premium } = SAMPLES;
    if (premium === undefined) throw new Error('there is no sample');
    return reply({ finding: [{ strong: `Answer ${asked}` }], chart: { ...premium, title: `Answer ${asked}` } });
  };
  const needs: PlatformDeps = {
    ...{ answer, store, pictures, catalogue: CATALOGUE, clock: systemClock, log: silentLog },
    onChatEvent: async () => undefined,
  };
  onTestFinished(async () => {
    await pictures.close();
    await store.close();
  });
  return { needs, known, pictures };
}

async function onTelegram(): Promise<Bench> {
  const { needs, known, pictures } = await around();
  const telegram = await startTelegram({ token: TOKEN });
  const platform = createTelegram({ ...needs, token: TOKEN, apiRoot: telegram.url });
  onTestFinished(async () => {
    await platform.stop();
    await telegram.close();
  });
  platform.start();
  await telegram.waitFor(() => telegram.polling);
  const anna = telegram.person();
  const chat = telegram.privateChat(anna);
  return {
    warm: async () => pictures.warm(),
    async ask(round) {
      telegram.say({ chat, from: anna, text: '/premium tide' });
      const seen = () => telegram.posted(chat)[round];
      await telegram.waitFor(seen);
      const text = performance.now() - known.at;
      await telegram.waitFor(() => seen()?.file);
      return { text, picture: performance.now() - known.at };
    },
  };
}

async function onDiscord(): Promise<Bench> {
  const { needs, known, pictures } = await around();
  const discord = await startDiscord({ token: TOKEN });
  const platform = createDiscord({ ...needs, token: TOKEN, apiUrl: discord.url });
  onTestFinished(async () => {
    await platform.stop();
    await discord.close();
  });
  const { controls } = discord;
  const guild = controls.addGuild({ name: 'Harbour' });
  const channel = controls.addChannel({ guild, name: 'alerts' });
  const user = controls.addUser({ name: 'anna' });
  platform.start();
  await controls.waitFor(() => controls.commands().length >= CATALOGUE.commands.length);
  return {
    warm: async () => pictures.warm(),
    async ask(round) {
      controls.slash({ channel, user, command: 'premium', options: { project: 'tide' } });
      const seen = () => controls.messages(channel)[round];
      await controls.waitFor(() => seen()?.thinking === false);
      const text = performance.now() - known.at;
      await controls.waitFor(() => (seen()?.files.length ?? 0) > 0);
      return { text, picture: performance.now() - known.at };
    },
  };
}

const milliseconds = (value: number): string => `${value.toFixed(0).padStart(5)} ms`;
const say = (what: string, { text, picture }: Measured): void =>
  void process.stdout.write(`${what.padEnd(22)} text ${milliseconds(text)}   picture ${milliseconds(picture)}\n`);

test.each([
  ['telegram', onTelegram],
  ['discord', onDiscord],
] as const)('a first answer on %s', async (name, open) => {
  expect(existsSync(BUILT), 'the thread is compiled code; run "npm run build" first').toBe(true);
  say(`${name} cold`, await (await open()).ask(0));
  const bench = await open();
  await bench.warm();
  for (let round = 0; round < ROUNDS; round += 1) {
    say(`${name} ${round === 0 ? 'warm' : 'again'}`, await bench.ask(round));
    // A private chat takes a message a second.
    await systemClock.sleep(PAUSE);
  }
});
