/** Kills the bot at random while it polls, routes and delivers, and counts what each platform shows of events it must tell exactly once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import { startBot } from './bot.js';
import { onConsole, openPlatforms, type Chat } from './chats.js';
import { plant, type Metric, type Planted } from './events.js';
import { counted } from './receipted.js';

const KILLS = Number(process.env['TORTURE_KILLS'] ?? 100);
const KEY = 'torture-key';
/** How long the last stragglers may take once nothing is killed any more. */
const PATIENCE = 120_000;

test(`no alert is lost by ${KILLS} kills, nor doubled where a repeat can be recognised`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-torture-'));
  const simulator = await startSimulator({ seed: 'torture', pace: 0.01, clock: systemClock, journal: memoryJournal(), apiKey: KEY });
  const platforms = await openPlatforms();
  const env = {
    ...platforms.env,
    ANALYTICS_BASE_URL: simulator.url,
    ANALYTICS_API_KEY: KEY,
    ANALYTICS_REQUESTS_PER_SECOND: '500',
    POLL_MIN_SECONDS: '0.5',
    HTTP_PORT: '0',
    LOG_LEVEL: 'error',
  };
  const projects = simulator.world.projects.slice(0, 4).map(({ slug }) => slug);
  let bot = await startBot(folder, env);
  const chats = [onConsole(() => bot), ...platforms.chats];
  const planted: Planted[] = [];
  const starts: number[] = [];
  try {
    for (const line of [...projects.map((project) => `/watch ${project}`), '/watch launches'])
      for (const chat of chats) await chat.ask(line);
    const metric = await firstMetric(simulator.url, projects);
    for (let kills = 0; kills < KILLS; kills += 1) {
      for (let more = 1 + Math.floor(Math.random() * 3); more > 0; more -= 1) {
        const event = plant(planted.length, { projects, metric });
        await inject(simulator.url, event);
        planted.push(event);
        await wait(Math.random() * 200);
      }
      // Half the lives are too short for a delivery, so that kills fall into looks and routing; half see deliveries through.
      await wait(Math.random() * (kills % 2 === 0 ? 1_200 : 5_000));
      await bot.kill();
      bot = await startBot(folder, env);
      starts.push(bot.startedIn);
    }
    await settled(chats, planted);
    const shown = await Promise.all(chats.map(async (chat) => ({ chat, texts: await chat.alerts() })));
    const code = await bot.stop();
    const beyond = await counted(`sqlite://${join(folder, 'data', 'navwatch.sqlite')}`);
    const results = shown.map(({ chat, texts }) => weighed(chat, { texts, beyond: beyond(chat.name.toLowerCase()), planted }));
    const sorted = starts.toSorted((a, b) => a - b);
    console.log(
      [
        '',
        `kills     ${KILLS}`,
        `events    ${planted.length}`,
        ...results.map(
          ({ name, lost, doubled, messages, repeated }) =>
            `${name.padEnd(9)} lost ${lost.length}, doubled ${doubled.length}, in ${messages} messages, ${repeated} of them repeats`,
        ),
        `restart   median ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms, worst ${Math.round(sorted.at(-1) ?? 0)} ms`,
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
    // Where no repeat is recognised, a kill may cut off the one message under way, which is then told again.
    for (const { name, exact, lost, doubled, repeated } of results)
      expect({ name, lost, doubled: exact ? doubled : [], repeatsPerKill: Math.ceil(repeated / KILLS) <= 1 }).toEqual({
        ...{ name, lost: [], doubled: [] },
        repeatsPerKill: true,
      });
  } finally {
    await bot.kill();
    await platforms.close();
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
});

async function inject(url: string, { order }: Planted): Promise<void> {
  const answer = await fetch(`${url}/__sim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  if (!answer.ok) throw new Error(`the simulator refused ${JSON.stringify(order)}: ${await answer.text()}`);
}

const growthSchema = z.object({
  data: z.object({ metrics: z.array(z.object({ metricId: z.string(), observations: z.array(z.object({ date: z.string() })) })) }),
});

/** A project among these that publishes growth, with one of its metrics and the days that it shows. */
async function firstMetric(url: string, projects: readonly string[]): Promise<Metric> {
  for (const project of projects) {
    const answer = await fetch(`${url}/v1/growth-feed?slug=${project}`, { headers: { 'x-api-key': KEY } });
    const [metric] = growthSchema.parse(await answer.json()).data.metrics;
    if (metric) return { project, id: metric.metricId, days: metric.observations.map(({ date }) => date) };
  }
  throw new Error('none of the watched projects publishes growth');
}

/** Resolves once each planted event stands in every chat, or patience ends. */
async function settled(chats: readonly Chat[], planted: readonly Planted[]): Promise<void> {
  const end = Date.now() + PATIENCE;
  const isThere = async (chat: Chat): Promise<boolean> => {
    const all = (await chat.alerts()).join('\n');
    return planted.every(({ mark }) => all.includes(mark));
  };
  while (Date.now() < end && !(await Promise.all(chats.map(isThere))).every(Boolean)) await wait(500);
  // What is doubled may come a moment later.
  await wait(8_000);
}

/** `beyond`: what messages only counted, each event by itself. */
function weighed(
  { name, exact }: Chat,
  {
    texts,
    beyond,
    planted,
  }: { readonly texts: readonly string[]; readonly beyond: readonly string[]; readonly planted: readonly Planted[] },
) {
  const times = planted.map(({ mark }) => [...texts, ...beyond].reduce((total, text) => total + text.split(mark).length - 1, 0));
  const told = texts
    .map((text) => planted.flatMap(({ mark }) => (text.includes(mark) ? [mark] : [])).join())
    .filter((marks) => marks !== '');
  return {
    name,
    exact,
    messages: texts.length,
    /** Messages that stand there again with the same events. */
    repeated: told.length - new Set(told).size,
    lost: planted.filter((_, index) => times[index] === 0).map(({ mark }) => mark),
    doubled: planted.filter((_, index) => (times[index] ?? 0) > 1).map(({ mark }) => mark),
  };
}
