/**
 * One active process, a standby and two that answer, on one PostgreSQL or Redis, behind a load balancer. Chats say questions and changes at once
 * while each kind of process is killed: counts answers, their order, and changes that were applied twice. Then questions a second, without kills.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { startTelegram } from '../stand-ins/telegram/server.js';
import { startBalancer } from './balancer.js';
import { startBot, type Bot } from './bot.js';
import { openDiscordPeople, type Asking } from './discord-people.js';
import { SERVERS, type TortureEngine } from './engines.js';

const ROUNDS = Number(process.env['TORTURE_SCALE_OUT'] ?? 2);
const CHATS = 12;
const DISCORD_PEOPLE = 4;
const QUESTIONS = Number(process.env['TORTURE_QUESTIONS'] ?? 600);
const KEY = 'torture-key';
const TOKEN = `123456789:${'s'.repeat(35)}`;
/** Telegram delivers to this port among few others. */
const HTTPS_PORT = 8443;
const PATIENCE = 120_000;
const SEATS = ['active', 'standby', 'first answering', 'second answering'] as const;

interface Said {
  readonly line: string;
  /** In the first line of its answer. */
  readonly answer: RegExp;
}

async function openScene(engine: TortureEngine) {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-scale-out-'));
  const database = await engine.start(folder);
  const simulator = await startSimulator({ seed: 'torture', pace: 0.01, clock: systemClock, journal: memoryJournal(), apiKey: KEY });
  const telegram = await startTelegram({ token: TOKEN });
  const people = await openDiscordPeople(DISCORD_PEOPLE);
  const bots = new Map<string, Bot>();
  const behind = new Map<string, string>();
  const balancer = await startBalancer(folder, HTTPS_PORT, () => [...behind.values()]);
  const { url } = database;
  const start = async (seat: string, env: Readonly<Record<string, string>> = {}): Promise<void> => {
    const bot = await startBot(folder, {
      TELEGRAM_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: telegram.url,
      TELEGRAM_WEBHOOK_URL: `${balancer.url}/telegram`,
      ...people.env,
      DISCORD_INTERACTIONS_URL: `${balancer.url}/discord`,
      TELEGRAM_MESSAGES_PER_SECOND: '10000',
      ACCESS: 'open',
      STORE_URL: url,
      ANALYTICS_BASE_URL: simulator.url,
      ANALYTICS_API_KEY: KEY,
      ANALYTICS_REQUESTS_PER_SECOND: '900',
      HTTP_PORT: '0',
      LOG_LEVEL: 'error',
      ...(seat.endsWith('answering') ? { ROLE: 'answer' } : {}),
      ...env,
    });
    bots.set(seat, bot);
    if (seat.endsWith('answering')) behind.set(seat, bot.url);
  };
  return {
    simulator,
    telegram,
    discord: people,
    bots,
    behind,
    start,
    async kill(seat: string) {
      await bots.get(seat)?.kill();
      bots.delete(seat);
    },
    async close() {
      await Promise.all([...bots.values()].map(async (bot) => bot.kill()));
      balancer.close();
      await telegram.close();
      await people.close();
      await simulator.close();
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

for (const engine of SERVERS) {
  test(`on ${engine.name}, every question is answered in its order and no change is applied twice, whichever process is killed`, async (context) => {
    context.skip(engine.missing !== undefined, engine.missing);
    const scene = await openScene(engine);
    const { telegram, discord, simulator, start, kill, bots } = scene;
    try {
      for (const seat of SEATS) await start(seat);
      await telegram.waitFor(() => telegram.calls('setWebhook').length > 0);
      await discord.connected();
      const people = Array.from({ length: CHATS }, () => telegram.person());
      const chats = people.map((from) => ({ from, chat: telegram.privateChat(from), said: [] as Said[] }));
      const projects = simulator.world.projects.map(({ slug, name }) => ({ slug, name }));
      let words = 0;
      const batch = (round: number): readonly Said[] => {
        const { slug, name } = projects[round % projects.length] ?? projects[0]!;
        const word = `xq${(words += 1)}zz`;
        return [
          { line: `/watch ${slug}`, answer: new RegExp(`(?:Watching|Already watching) ${name}`, 'u') },
          { line: `/premium ${word}`, answer: new RegExp(word, 'u') },
          { line: '/watchlist', answer: /1 entry|watches/iu },
          { line: `/unwatch ${slug}`, answer: new RegExp(`Stopped watching ${name}|isn't watched`, 'u') },
        ];
      };
      const sayAll = ({ said, ...who }: (typeof chats)[number], lines: readonly Said[]): void => {
        said.push(...lines);
        for (const { line: text } of lines) telegram.say({ ...who, text });
      };
      const first = (text: string): string => text.split('\n')[0] ?? '';
      const answers = (chat: number): readonly string[] => telegram.posted(chat).map(({ text }) => first(text));
      const rounds: string[] = [];
      const interactions: ({ readonly seat: string } & Asking)[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        for (const seat of SEATS) {
          for (const one of chats) sayAll(one, batch(rounds.length));
          const asking = discord.askAll(projects[rounds.length % projects.length]?.slug ?? '');
          await wait(300 + Math.random() * 1_500);
          const begun = performance.now();
          await kill(seat);
          await start(seat);
          await telegram.waitFor(() => telegram.pending.length === 0);
          await allAnswered();
          const asked = await asking;
          interactions.push({ seat, ...asked });
          rounds.push(`${seat}: answered after ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
        }
      const lost: string[] = [];
      const unordered: string[] = [];
      let [repeated, total, already] = [0, 0, 0];
      for (const { chat, said } of chats) {
        const texts = answers(chat);
        already += texts.filter((text) => /Already watching|isn't watched/u.test(text)).length;
        total += said.length;
        repeated += Math.max(0, texts.length - said.length);
        let at = 0;
        for (const { line, answer } of said) {
          const found = texts.findIndex((text, index) => index >= at && answer.test(text));
          if (found >= 0) at = found + 1;
          else (texts.some((text) => answer.test(text)) ? unordered : lost).push(`${line}: ${texts.join(' | ')}`);
        }
      }
      console.log(
        `\n${engine.name}: ${total} said in ${CHATS} chats, ${rounds.length} kills; lost ${lost.length}, out of order ${unordered.length}, answered again ${repeated}, changes that found themselves made ${already}\n  ${rounds.join('\n  ')}\n  Discord: ${interactions.map(({ seat, said, refused, unanswered }) => `${seat}: ${said} said, ${refused} not acknowledged, ${unanswered} acknowledged and not answered`).join('; ')}\n`,
      );
      expect({ lost, unordered }).toEqual({ lost: [], unordered: [] });
      // Discord posts an interaction once, so only what the killed process was working on may be left without an answer.
      for (const { seat, said, unanswered } of interactions)
        expect({ seat, isBounded: unanswered <= (seat.endsWith('answering') ? said / 2 : 0) }).toEqual({ seat, isBounded: true });
      expect(await discord.askAll(projects[0]?.slug ?? '')).toMatchObject({ unanswered: 0 });
      // A kill may cut off the answers under way, which are then sent again: one a chat at most.
      expect(repeated).toBeLessThanOrEqual(rounds.length * CHATS);
      // Of one made before its answer was sent, the answer says that it is made.
      expect(already).toBeLessThanOrEqual(rounds.length * CHATS);
      expect([...bots.keys()].toSorted()).toEqual([...SEATS].toSorted());

      async function allAnswered(): Promise<void> {
        const end = Date.now() + PATIENCE;
        const isDone = (): boolean => chats.every(({ chat, said }) => answers(chat).length >= said.length);
        while (!isDone() && Date.now() < end) await wait(100);
      }
    } finally {
      await scene.close();
    }
  });

  test(`on ${engine.name}, questions a second of one process, and of two that answer`, async (context) => {
    context.skip(engine.missing !== undefined, engine.missing);
    const scene = await openScene(engine);
    const { telegram, simulator, start, behind, bots } = scene;
    try {
      await start('active');
      behind.set('active', bots.get('active')?.url ?? '');
      await telegram.waitFor(() => telegram.calls('setWebhook').length > 0);
      const slugs = simulator.world.projects.map(({ slug }) => slug);
      const people = Array.from({ length: QUESTIONS }, () => telegram.person());
      const chats = people.map((from) => ({ from, chat: telegram.privateChat(from) }));
      const measure = async (line: (slug: string) => string): Promise<number> => {
        const before = chats.map(({ chat }) => telegram.posted(chat).length);
        const begun = performance.now();
        for (const [index, one] of chats.entries()) telegram.say({ ...one, text: line(slugs[index % slugs.length] ?? '') });
        const isDone = (): boolean => chats.every(({ chat }, index) => telegram.posted(chat).length > (before[index] ?? 0));
        while (!isDone() && performance.now() - begun < PATIENCE) await wait(20);
        return QUESTIONS / ((performance.now() - begun) / 1_000);
      };
      const words = (slug: string): string => `/supply ${slug}`;
      const chart = (slug: string): string => `/premium ${slug} 3M`;
      const both = async () => ({ words: await measure(words), charts: await measure(chart) });
      await both();
      const one = await both();
      await start('first answering');
      await start('second answering');
      behind.delete('active');
      await both();
      const two = await both();
      const shown = (of: typeof one): string => `${of.words.toFixed(0)} without and ${of.charts.toFixed(0)} with charts`;
      console.log(`\n${engine.name}, questions a second: one process ${shown(one)}, two answering beside it ${shown(two)}\n`);
      expect(Math.min(one.words, one.charts, two.words, two.charts)).toBeGreaterThan(QUESTIONS / (PATIENCE / 1_000));
    } finally {
      await scene.close();
    }
  });
}
