/** The machine's clock jumps while alerts wait: only a second clock makes them too old. */
import { onTestFinished, expect, test } from 'vitest';
import { createTransport } from '../../src/analytics/transport.js';
import { DAY, later, MINUTE } from '../../src/base/clock.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { handClock } from '../support/clock.js';
import { openBot, TIDE } from './bot.js';

const KEY = 'a-key-for-tests';
const EVENTS = 80;
const JUMP = 40 * DAY;

/** A bot with alerts that wait for the end of a mute, and a machine and a service whose clocks jump when the test says so. */
async function open() {
  const time = handClock();
  const jumped = { machine: 0, service: 0 };
  const service = await startSimulator({ seed: 'navwatch', pace: 0.001, clock: time, journal: memoryJournal(), apiKey: KEY });
  onTestFinished(async () => service.close());
  const bot = await openBot({
    env: { ANALYTICS_BASE_URL: service.url, ANALYTICS_API_KEY: KEY },
    clock: { ...time, now: () => later(time.now(), jumped.machine) },
    overrides: {
      monotonic: () => time.now(),
      connect: (options) =>
        createTransport({ ...options, onDate: () => options.onDate?.(new Date(later(time.now(), jumped.service)).toUTCString()) }),
    },
    watching: { target: TIDE, kinds: ['supply'] },
  });
  await bot.pass(70);
  await bot.say('/mute tide 7d');
  await bot.sim(Array.from({ length: EVENTS }, (_, index) => ({ kind: 'mint', project: 'tide', amount: `${1_000 + index}.5` })));
  await bot.pass(70);
  expect(await waitingOf(bot)).toBe(EVENTS);
  return { bot, jumped };
}

type Bot = Awaited<ReturnType<typeof openBot>>;

async function waitingOf({ app, operator }: Bot): Promise<unknown> {
  const health: unknown = await (await fetch(`${app().url}healthz`, { headers: operator })).json();
  return Object(health).waiting;
}

async function unreadyParts({ app }: Bot): Promise<string> {
  return (await fetch(`${app().url}readyz`)).text();
}

/** How many mints the alerts of the chat report. */
const reported = async (bot: Bot): Promise<string> => (await bot.alerts()).join('\n');

const DOUBTED = /The clock of this machine jumped 40 d ahead at \d\d:\d\d UTC/u;

test.each(['while it runs', 'and it is started again'])(
  'a clock that jumps 40 days ahead %s lets no alert expire and ends no mute, and /why, /status and /readyz say so',
  async (when) => {
    const { bot, jumped } = await open();
    jumped.machine = JUMP;
    if (when !== 'while it runs') await bot.restart();
    // Before the service answered anything, and after it.
    for (const seconds of [5, 120]) {
      await bot.pass(seconds);
      expect([await waitingOf(bot), await bot.alerts()]).toEqual([EVENTS, []]);
      for (const line of ['/why tide supply', '/why', '/status']) expect(await bot.say(line)).toMatch(DOUBTED);
      expect(await unreadyParts(bot)).toContain('"part":"clock"');
    }
    expect(await bot.say('/status')).toContain('other clocks disagree');
    await bot.say('/settings timezone Europe/Berlin');
    for (const line of ['/why', '/status']) expect(await bot.say(line)).toMatch(/ jumped 40 d ahead at \d\d:\d\d CET/u);
    await bot.say('/mute tide off');
    await bot.pass(60);
    expect(await waitingOf(bot)).toBe(0);
    expect(await reported(bot)).toContain(`${EVENTS} mints`);
  },
);

test('once the service shows the same time, the jump is believed: the alerts are too old, and /why says no more of the clock', async () => {
  const { bot, jumped } = await open();
  jumped.machine = JUMP;
  await bot.pass(5);
  expect(await waitingOf(bot)).toBe(EVENTS);
  jumped.service = JUMP;
  await bot.pass((3 * MINUTE) / 1_000);
  expect([await waitingOf(bot), await bot.alerts()]).toEqual([0, []]);
  const why = await bot.say('/why tide supply');
  expect(why).not.toMatch(DOUBTED);
  expect(why).toContain('maximum age');
  expect(await unreadyParts(bot)).not.toContain('"part":"clock"');
});

test('a clock that is set right again is followed, and nothing was decided meanwhile', async () => {
  const { bot, jumped } = await open();
  jumped.machine = JUMP;
  await bot.pass(120);
  jumped.machine = 0;
  await bot.pass(10);
  expect([await waitingOf(bot), await bot.say('/why tide supply')]).toEqual([EVENTS, expect.not.stringMatching(DOUBTED)]);
});
