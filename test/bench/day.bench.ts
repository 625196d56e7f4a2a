/**
 * How many messages `/watch all` brings in a day: the embedded world at its natural pace, without its two fast projects, with the preset
 * PRESET (default: important). DAYS and SEED set how long and which world. The goal is at most 12 a day with Important.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { DAY, SECOND } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { CAST } from '../../src/simulator/world/invented-projects.js';
import { openStore } from '../../src/store/open.js';
import { openBot } from '../journeys/bot.js';

const DAYS = Number(process.env['DAYS'] ?? 1);
const SEED = process.env['SEED'] ?? 'navwatch';
const PRESET = process.env['PRESET'] ?? 'important';
const GOAL = 12;
/** Seconds between two turns of the clock: less than the shortest check interval. */
const STEP = 20;

const CHAT = address('console', 'main');
const FAST: ReadonlySet<string> = new Set(CAST.filter(({ tempo }) => tempo === 'fast').map(({ slug }) => slug));

/** The events of each message, by kind and stage, without those of fast projects, which the list of launches names too. */
async function messagesIn(file: string): Promise<readonly (readonly string[])[]> {
  const store = await openStore(`sqlite://${file}`);
  try {
    const archive = openArchive(store);
    const receipts = await (await openQueues(store)).receipts(CHAT);
    const all = receipts
      .filter(({ end }) => end === 'sent')
      .map(async ({ members }) => {
        const events = await Promise.all(members.map(async ({ event }) => archive.get(event)));
        return events.flatMap((event) =>
          event === undefined || FAST.has(event.project ?? '') ? [] : [`${event.project ?? '?'} ${event.feed} ${event.stage}`],
        );
      });
    return (await Promise.all(all)).filter((events) => events.length > 0);
  } finally {
    await store.close();
  }
}

test('a day of the natural world is few messages', async () => {
  const closes: (() => Promise<void>)[] = [];
  const harness = await openBot({
    env: {
      ...{ SIMULATOR_PACE: '1', SIMULATOR_SEED: SEED, POLL_MIN_SECONDS: '60' },
      PROJECTS: CAST.filter(({ tempo }) => tempo === 'natural')
        .map(({ slug }) => slug)
        .join(','),
    },
    onClose: (close) => void closes.push(close),
  });
  await harness.say(`/settings alerts ${PRESET}`);
  await harness.say('/watch all');
  await harness.pass((DAYS * DAY) / SECOND, STEP);
  await harness.app().stop();
  const messages = await messagesIn(join(harness.folder, 'navwatch.sqlite'));
  for (const close of closes) await close();
  const kinds = new Map<string, number>();
  for (const event of messages.flat()) {
    const kind = event.slice(event.indexOf(' ') + 1);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const perDay = messages.length / DAYS;
  console.log(`${SEED}, ${PRESET}: ${messages.length} messages in ${DAYS} d (${perDay.toFixed(1)} a day), goal ${GOAL} a day`);
  for (const [kind, count] of [...kinds].toSorted((a, b) => b[1] - a[1])) console.log(`  ${count} ${kind}`);
  expect(perDay).toBeLessThanOrEqual(PRESET === 'important' ? GOAL : Number.POSITIVE_INFINITY);
});
