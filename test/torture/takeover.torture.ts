/**
 * Two processes on one PostgreSQL or Redis: the active one is killed, paused until after the takeover, cut off from the database while it still
 * reaches the platforms, and stopped. Counts what each platform shows of events it must tell exactly once, and how long nobody was active.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EXIT_LEASE_LOST } from '../../src/app/standby.js';
import { SECOND, systemClock } from '../../src/base/clock.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { asked } from '../journeys/surfaces.js';
import { startBot, type Bot } from './bot.js';
import { onConsole, openPlatforms } from './chats.js';
import { openCutLine, type CutLine } from './cut-line.js';
import { SERVERS } from './engines.js';
import { plant, type Planted } from './events.js';
import { firstMetric, inject, settled, weighed } from './planted.js';
import { counted } from './receipted.js';
import { inSeconds, sums, tableOf } from './table.js';

const ROUNDS = Number(process.env['TORTURE_TAKEOVERS'] ?? 3);
const KEY = 'torture-key';
const MAX_TAKEOVER = 30 * SECOND;
/** After it wakes, or is cut off for longer than its lease lasts. */
const MAX_STOP = 2 * SECOND;

/** Alerts that wait, over all chats. */
const MAX_BEHIND = 60;

const ALL = ['killed', 'paused', 'cut off', 'silenced', 'stopped'] as const;
type Fault = (typeof ALL)[number];
const CHOSEN = process.env['TORTURE_FAULTS']?.split(',') ?? ALL;
const FAULTS = ALL.filter((fault) => CHOSEN.includes(fault));

const atPort = (url: string, port: number): string => Object.assign(new URL(url), { port: String(port) }).href;

/** In ms. */
interface Round {
  readonly fault: Fault;
  /** Until the other one was active. */
  readonly takeover: number;
  /** Until the process ended. */
  readonly ended: number;
  /** From when a paused process woke until it ended. */
  readonly woke: number;
  readonly code: number | null;
}

/** One of the two, which a supervisor starts again. */
interface Seat {
  readonly line: CutLine;
  bot: Bot;
}

for (const engine of SERVERS)
  test(`on ${engine.name}, another process takes over within 30 s and no alert is lost`, async (context) => {
    context.skip(engine.missing !== undefined, engine.missing);
    const folder = await mkdtemp(join(tmpdir(), 'navwatch-takeover-'));
    const database = await engine.start(folder);
    const simulator = await startSimulator({ seed: 'torture', pace: 0.01, clock: systemClock, journal: memoryJournal(), apiKey: KEY });
    const platforms = await openPlatforms();
    const start = async (line: CutLine): Promise<Bot> =>
      startBot(folder, {
        ...platforms.env,
        STORE_URL: atPort(database.url, line.port),
        ANALYTICS_BASE_URL: simulator.url,
        ANALYTICS_API_KEY: KEY,
        ANALYTICS_REQUESTS_PER_SECOND: '500',
        POLL_MIN_SECONDS: '0.5',
        HTTP_PORT: '0',
        LOG_LEVEL: 'error',
      });
    const seats: Seat[] = [];
    const over = new AbortController();
    try {
      for (let count = 0; count < 2; count += 1) {
        const line = await openCutLine(Number(new URL(database.url).port));
        seats.push({ line, bot: await start(line) });
      }
      let [active, standby] = pair(seats);
      expect([await active.bot.isActive(), await standby.bot.isActive()]).toEqual([true, false]);
      const chats = [...platforms.chats, onConsole(() => active.bot, 'main')];
      const projects = simulator.world.projects.slice(0, 4).map(({ slug }) => slug);
      for (const chat of chats)
        for (const target of [...projects, 'launches']) {
          await chat.ask(asked('watch', { target }));
          await chat.ask(asked('alerts', { target, action: 'everything' }));
        }
      const metric = await firstMetric(simulator.url, KEY, projects);
      const planted: Planted[] = [];
      const plantOne = async (): Promise<void> => {
        const event = plant(planted.length, { projects, metric });
        planted.push(event);
        await inject(simulator.url, event);
      };
      const planting = (async () => {
        while (!over.signal.aborted) {
          // Live messages are posted one by one: faster than a chat takes them, they would only pile up.
          // A paused process does not answer.
          const waiting = await Promise.race([active.bot.waiting().catch(() => 0), wait(1_000).then(() => 0)]);
          if (waiting < MAX_BEHIND) await plantOne();
          await wait(2_500 + Math.random() * 2_500);
        }
      })();

      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        for (const fault of FAULTS) {
          await wait(2_000 + Math.random() * 4_000);
          // So that something is checked, routed or sent at that moment.
          await plantOne();
          await wait(Math.random() * 2_000);
          const begun = performance.now();
          let ended = 0;
          void active.bot.ended.then(() => (ended = performance.now() - begun));
          void doTo(active, fault);
          while (!(await standby.bot.isActive()) && performance.now() - begun < 2 * MAX_TAKEOVER) await wait(50);
          const takeover = performance.now() - begun;
          if (fault === 'paused') {
            // Late: the other has sent alerts meanwhile.
            await wait(Math.random() * 4_000);
            active.bot.resume();
          }
          const woken = performance.now();
          const code = await Promise.race([active.bot.ended, wait(20_000).then(() => undefined)]);
          if (code === undefined) throw new Error(`the process that was ${fault} did not end`);
          rounds.push({ fault, takeover, ended, woke: fault === 'paused' ? performance.now() - woken : 0, code });
          active.line.repair();
          active.bot = await start(active.line);
          [active, standby] = [standby, active];
        }
      over.abort();
      await planting;
      await settled(async () => active.bot);
      const waiting = await active.bot.waiting();
      const shown = await Promise.all(chats.map(async (chat) => ({ chat, texts: await chat.alerts() })));
      const codes = [await standby.bot.stop(), await active.bot.stop()];
      const beyond = await counted(database.url);
      const results = shown.map(({ chat, texts }) => ({
        ...weighed(chat, { texts, beyond: beyond.of(chat.address), planted }),
        maybeSent: beyond.maybeSent(chat.address),
      }));
      const longest = Math.max(...rounds.map(({ takeover }) => takeover));
      const latest = Math.max(...rounds.map(({ woke }) => woke));
      console.log(
        [
          '',
          `${engine.name}, ${rounds.length} takeovers, ${planted.length} events`,
          ...FAULTS.map((fault) => {
            const own = rounds.filter((one) => one.fault === fault);
            const times = own.map(({ takeover, ended: end }) => `${inSeconds(takeover)} (ended after ${inSeconds(end)})`);
            return `  ${fault.padEnd(9)} active again after ${times.join(', ')}`;
          }),
          `  a paused process ended at most ${Math.round(latest)} ms after it woke`,
          ...results.map(
            ({ name, lost, doubled, messages, repeated, maybeSent }) =>
              `  ${name.padEnd(9)} lost ${lost.length}, doubled ${doubled.length}, in ${messages} messages, ${repeated} of them repeats; maybe sent ${maybeSent}`,
          ),
          ...results.flatMap(({ name, lost }) => lost.slice(0, 5).map((mark) => `  ${name} lost "${mark}"`)),
          '',
          tableOf([
            {
              name: `takeovers, ${engine.name}`,
              rounds: rounds.length,
              events: planted.length,
              ...sums(results),
              maybeSent: beyond.maybeSent(''),
              recovery: rounds.map(({ takeover }) => takeover),
            },
          ]),
          '',
        ].join('\n'),
      );
      expect({ codes, waiting }).toEqual({ codes: [0, 0], waiting: 0 });
      expect(rounds.map(({ fault, code }) => [fault, code])).toEqual(rounds.map(({ fault }) => [fault, CODES[fault]]));
      expect(longest).toBeLessThan(MAX_TAKEOVER);
      expect(latest).toBeLessThan(MAX_STOP);
      // Where a repeat is not recognised, each one was recorded as possibly sent before.
      for (const { name, exact, lost, doubled, repeated, maybeSent } of results)
        expect({ name, lost, doubled: exact ? doubled : [], isCounted: repeated <= maybeSent }).toEqual({
          ...{ name, lost: [], doubled: [], isCounted: true },
        });
    } finally {
      over.abort();
      for (const { bot, line } of seats) {
        await bot.kill();
        await line.close();
      }
      await platforms.close();
      await simulator.close();
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    }
  });

/** What a process ends with. */
const CODES: Readonly<Record<Fault, number | null>> = {
  killed: null,
  paused: EXIT_LEASE_LOST,
  'cut off': EXIT_LEASE_LOST,
  silenced: EXIT_LEASE_LOST,
  stopped: 0,
};

async function doTo({ bot, line }: Seat, fault: Fault): Promise<unknown> {
  switch (fault) {
    case 'killed':
      return bot.kill();
    case 'paused':
      return bot.pause();
    case 'cut off':
      return line.cut();
    case 'silenced':
      return line.silence();
    case 'stopped':
      return bot.stop();
  }
}

function pair([first, second]: readonly Seat[]): [Seat, Seat] {
  if (first === undefined || second === undefined) throw new Error('there are two');
  return [first, second];
}
