/** Kills the bot at random while it polls, routes and delivers, and counts what each platform shows of events it must tell exactly once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EXIT_LEASE_LOST } from '../../src/app/standby.js';
import { MINUTE, systemClock } from '../../src/base/clock.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { startBot, type Bot } from './bot.js';
import { onConsole, onWebhook, openPlatforms } from './chats.js';
import { asked } from '../journeys/surfaces.js';
import { BELOW_ALL_LINES, LINES, plant, push, type Planted } from './events.js';
import { engineFromEnv } from './engines.js';
import { firstMetric, inject, settled, weighed } from './planted.js';
import { openReceiptReader } from './receipted.js';
import { sums, tableOf } from './table.js';
import { boardsIn, judgeVotes, postedAgain, REMIND, vote, type Vote } from './votes.js';

const KILLS = Number(process.env['TORTURE_KILLS'] ?? 100);
/** No kill begins later. */
const MINUTES = Number(process.env['TORTURE_MINUTES'] ?? Infinity);
const ENGINE = engineFromEnv();
/** Old messages and receipts are deleted, so both are read so often. */
const KILLS_A_READING = 50;
const KEY = 'torture-key';
type Simulator = Awaited<ReturnType<typeof startSimulator>>;
/** A price is left for so many kills, so that it is read in at least one of the lives between them. */
const KILLS_A_PRICE = 8;
const KILLS_A_VOTE = 10;
/** The chat that is muted until the last kill: everything comes there at once. */
const MUTED = 'muted';

test(`on ${ENGINE.name}, no alert is lost by ${KILLS} kills, nor doubled where a repeat can be recognised`, async (context) => {
  context.skip(ENGINE.missing !== undefined, ENGINE.missing);
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-torture-'));
  const database = await ENGINE.start(folder);
  const simulator = await startSimulator({ seed: 'torture', pace: 0.01, clock: systemClock, journal: memoryJournal(), apiKey: KEY });
  const platforms = await openPlatforms();
  const env = {
    ...platforms.env,
    STORE_URL: database.url,
    ANALYTICS_BASE_URL: simulator.url,
    ANALYTICS_API_KEY: KEY,
    ANALYTICS_REQUESTS_PER_SECOND: '500',
    POLL_MIN_SECONDS: '0.5',
    HTTP_PORT: '0',
    LOG_LEVEL: 'error',
  };
  const projects = simulator.world.projects.slice(0, 4).map(({ slug }) => slug);
  /** Sentences of processes that ended because their lease was lost, as on a machine with too little CPU. */
  const lost: string[] = [];
  let bot = await startBot(folder, env);
  /** As a supervisor does. */
  const supervised = async (): Promise<Bot> => {
    if (bot.exitCode() === EXIT_LEASE_LOST) {
      lost.push(bot.said().trim().split('\n').at(-1) ?? '');
      bot = await startBot(folder, env);
    }
    return bot;
  };
  const muted = onConsole(() => bot, MUTED);
  const { chat: endpoint, receiver } = await onWebhook(() => bot);
  const chats = [onConsole(() => bot, 'main'), ...platforms.chats, endpoint, muted];
  const planted: Planted[] = [];
  const votes: Vote[] = [];
  /** Those that are reminded, and have live messages. */
  const voting = chats.filter((chat) => chat !== muted && chat !== endpoint);
  const recovery: number[] = [];
  const receipts = openReceiptReader();
  const seen = async () => Promise.all(chats.map(async (chat) => ({ chat, texts: await chat.alerts() })));
  const results = (shown: Awaited<ReturnType<typeof seen>>) =>
    shown.map(({ chat, texts }) => weighed(chat, { texts, beyond: receipts.counted().of(chat.address), planted }));
  try {
    const [priced = ''] = projects;
    await setPremium(simulator, priced, BELOW_ALL_LINES);
    for (const chat of chats) {
      for (const target of [...projects, 'launches']) {
        await chat.ask(asked('watch', { target }));
        // The preset of a new entry leaves out small and early events.
        await chat.ask(asked('alerts', { target, action: 'everything' }));
      }
      for (const [index, rule] of LINES.entries())
        await chat.ask(asked('alerts', { target: priced, kind: 'premium', action: index === 0 ? 'only' : undefined, rule }));
    }
    await muted.ask(asked('mute', { time: '30d' }));
    for (const chat of voting) await chat.ask(asked('remind', { before: REMIND }));
    for (const chat of platforms.chats) await chat.ask(asked('board', { action: 'unpinned' }));
    const metric = await firstMetric(simulator.url, KEY, projects);
    const end = performance.now() + MINUTES * MINUTE;
    for (let kills = 0; kills < KILLS && performance.now() < end; kills += 1) {
      for (let more = 1 + Math.floor(Math.random() * 3); more > 0; more -= 1) {
        const event = plant(planted.length, { projects, metric });
        await inject(simulator.url, event);
        planted.push(event);
        await wait(Math.random() * 200);
      }
      if (kills % KILLS_A_VOTE === 0) {
        const next = vote(votes.length, projects[votes.length % projects.length] ?? '', Date.now());
        await inject(simulator.url, next);
        votes.push(next);
      }
      if (kills % KILLS_A_PRICE === KILLS_A_PRICE - 1) {
        const next = push(Math.floor(kills / KILLS_A_PRICE));
        if (next !== undefined) planted.push({ order: await setPremium(simulator, priced, next.percent), mark: next.mark });
      }
      // Half the lives are too short for a delivery, so that kills fall into checks and routing; half see deliveries through.
      await wait(Math.random() * (kills % 2 === 0 ? 1_200 : 5_000));
      const isReading = kills % KILLS_A_READING === KILLS_A_READING - 1;
      await supervised();
      const read = isReading ? await seen() : [];
      const killed = performance.now();
      await bot.kill();
      await database.endLease();
      const before = performance.now();
      if (isReading) await receipts.read(database.url);
      const began = performance.now();
      bot = await startBot(folder, env);
      recovery.push(performance.now() - began + (before - killed));
      if (isReading)
        console.log(
          `${ENGINE.name}: ${kills + 1} kills, ${planted.length} events, ${sums(results(read)).duplicated} of them doubled so far`,
        );
    }
    await wait(10_000);
    await supervised();
    await muted.ask(asked('mute', { time: 'off' }));
    await supervised();
    await settled(supervised);
    const shown = await seen();
    const now = Date.now();
    const code = await bot.stop();
    await receipts.read(database.url);
    const beyond = receipts.counted();
    const judged = shown
      .filter(({ chat }) => voting.includes(chat))
      .map(({ chat, texts }) => judgeVotes(chat, { texts, beyond: beyond.of(chat.address), votes, now }));
    const ended = results(shown);
    const writes = platforms.writes('');
    const boards = { discord: boardsIn(writes, 'Discord'), telegram: boardsIn(writes, 'Telegram') };
    const again = { discord: postedAgain(writes, 'Discord', votes), telegram: postedAgain(writes, 'Telegram', votes) };
    console.log(
      [
        '',
        ...judged.map(
          ({ name, due, ended: over, noReminder, remindedTwice, noResult }) =>
            `${name.padEnd(10)} of ${due} reminders ${noReminder.length} are missing and ${remindedTwice.length} came twice, of ${over} results ${noResult.length} are missing`,
        ),
        `live messages posted again: Discord ${again.discord.length}, Telegram ${again.telegram.length}`,
        `boards: Discord ${boards.discord.posts} posted, ${boards.discord.edits} edits; Telegram ${boards.telegram.posts} posted, ${boards.telegram.edits} edits`,
        ...ended.map(
          ({ name, lost, doubled, messages, repeated }) =>
            `${name.padEnd(10)} lost ${lost.length}, doubled ${doubled.length}, in ${messages} messages, ${repeated} of them repeats`,
        ),
        ...ended
          .flatMap(({ name, lost, doubled }) => [
            ...lost.map((mark) => `${name} lost "${mark}"`),
            ...doubled.map((mark) => `${name} doubled "${mark}"`),
          ])
          .slice(0, 20),
        ...lost.map((sentence) => `ended by itself: ${sentence}`),
        `repeated  ${receiver.repeats.length} webhooks with a known id, ${receiver.refused.length} refused`,
        '',
        tableOf([
          {
            name: `kills, ${ENGINE.name}`,
            rounds: recovery.length,
            events: planted.length,
            ...sums(ended),
            maybeSent: beyond.maybeSent(''),
            recovery,
          },
        ]),
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
    expect(receiver.refused).toEqual([]);
    // Where no repeat is recognised, a kill may cut off the one message under way, which is recorded and then alerted again.
    for (const { name, exact, lost, doubled, repeated } of ended)
      expect({
        name,
        lost,
        doubled: exact ? doubled : [],
        unrecorded: exact ? 0 : Math.max(0, repeated - beyond.maybeSent('telegram/')),
      }).toEqual({
        ...{ name, lost: [], doubled: [], unrecorded: 0 },
      });
    expect(
      judged.map(({ name, exact, noReminder, remindedTwice, noResult }) => ({
        name,
        noReminder,
        remindedTwice: exact ? remindedTwice : [],
        noResult,
      })),
    ).toEqual(judged.map(({ name }) => ({ name, noReminder: [], remindedTwice: [], noResult: [] })));
    expect({ again: again.discord, boards: boards.discord.posts }).toEqual({ again: [], boards: 1 });
  } finally {
    await bot.kill();
    await platforms.close();
    await receiver.close();
    await simulator.close();
    await database.remove();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Pushes a price so far that the premium becomes this, in percent. Returns the order. */
async function setPremium({ url, world }: Simulator, project: string, percent: number): Promise<Planted['order']> {
  const who = world.find(project);
  const now = systemClock.now();
  const nav = who && world.treasury.nav({ who, when: now, asOf: now });
  if (nav === undefined) throw new Error(`${project} publishes no NAV`);
  const order = { kind: 'price', project, price: (Number(nav.navPerShare) * (1 + percent / 100)).toFixed(6) };
  await inject(url, { order, mark: '' });
  return order;
}
