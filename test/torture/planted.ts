/** What the torture tests share: events are planted, awaited and found again. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Bot } from './bot.js';
import type { Chat } from './chats.js';
import type { Metric, Planted } from './events.js';
import type { InMessages } from './receipted.js';

/** In ms. Nothing waits for longer than a summary is gathered, and a chat gets a message every ten seconds. */
const QUIET = 50_000;
const SETTLED_WITHIN = 900_000;

export async function inject(url: string, { order }: Planted): Promise<void> {
  const answer = await fetch(`${url}/__sim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  if (!answer.ok) throw new Error(`the simulator refused ${JSON.stringify(order)}: ${await answer.text()}`);
}

const growthSchema = z.object({
  data: z.object({
    metrics: z.array(
      z.object({ metricId: z.string(), unit: z.string().optional(), observations: z.array(z.object({ date: z.string() })) }),
    ),
  }),
});

/** A project among these that publishes growth, with one of its metrics and the days that it shows. */
export async function firstMetric(url: string, key: string, projects: readonly string[]): Promise<Metric> {
  for (const project of projects) {
    const answer = await fetch(`${url}/v1/growth-feed?slug=${project}`, { headers: { 'x-api-key': key } });
    const [metric] = growthSchema.parse(await answer.json()).data.metrics;
    if (metric)
      return {
        project,
        id: metric.metricId,
        isInDollars: metric.unit?.toLowerCase() === 'usd',
        days: metric.observations.map(({ date }) => date),
      };
  }
  throw new Error('none of the watched projects publishes growth');
}

/** Resolves once nothing has waited for so long that no summary is being gathered. Rejects after a quarter of an hour. */
export async function settled(bot: () => Promise<Bot>): Promise<void> {
  const begun = performance.now();
  let quietSince = begun;
  let waiting = NaN;
  while (performance.now() - quietSince < QUIET) {
    if (performance.now() - begun > SETTLED_WITHIN)
      throw new Error(`${waiting} alerts still wait a quarter of an hour after the last kill`);
    // A process that just ended cannot tell.
    waiting = await (await bot()).waiting().catch(() => NaN);
    if (waiting !== 0) quietSince = performance.now();
    await wait(500);
  }
}

/** In a detail that a long message left out. Its headline stands there: a receipt alone proves nothing. */
const isLeftOut = (mark: string, { texts, beyond }: { readonly texts: readonly string[]; readonly beyond: InMessages }): boolean =>
  beyond.inFull.some((words) => {
    const [headline = '', ...details] = words.split('\n');
    return details.some((detail) => detail.includes(mark)) && texts.some((text) => text.includes(headline));
  });

/** `beyond`: what messages name or count, each event by itself. */
export function weighed(
  { name, exact }: Pick<Chat, 'name' | 'exact'>,
  { texts, beyond, planted }: { readonly texts: readonly string[]; readonly beyond: InMessages; readonly planted: readonly Planted[] },
) {
  const times = planted.map(({ mark }) => [...texts, ...beyond.hidden].reduce((total, text) => total + text.split(mark).length - 1, 0));
  const alerted = texts
    .map((text) => planted.flatMap(({ mark }) => (text.includes(mark) ? [mark] : [])).join())
    .filter((marks) => marks !== '');
  return {
    name,
    exact,
    messages: texts.length,
    /** Messages that stand there again with the same events. */
    repeated: alerted.length - new Set(alerted).size,
    lost: planted.filter(({ mark }, index) => times[index] === 0 && !isLeftOut(mark, { texts, beyond })).map(({ mark }) => mark),
    doubled: planted.filter((_, index) => (times[index] ?? 0) > 1).map(({ mark }) => mark),
  };
}
