/**
 * How many messages `/watch all` brings in a day: the embedded world at its natural pace, without its two fast projects, with the preset
 * PRESET (default: important). DAYS and SEED set how long and which world. The goal is at most 12 a day with Important. RULES=1 adds rules of every sort, a
 * reminder and a saved screen, and counts alerts by measure: `RULES=1 DAYS=30 POLL=600 npm run bench:day`.
 */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import type { Member } from '../../src/alerts/queue/queue.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { DAY, SECOND } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import type { FeedEvent } from '../../src/domain/event.js';
import { CAST } from '../../src/simulator/world/invented-projects.js';
import { openStore } from '../../src/store/open.js';
import { openBot } from '../journeys/bot.js';

const DAYS = Number(process.env['DAYS'] ?? 1);
const SEED = process.env['SEED'] ?? 'navwatch';
const PRESET = process.env['PRESET'] ?? 'important';
const GOAL = 12;
const POLL = Number(process.env['POLL'] ?? 60);
/** Seconds between two turns of the clock: less than the shortest check interval. */
const STEP = POLL / 3;
/** One of each sort. */
const RULES =
  process.env['RULES'] === undefined
    ? []
    : [
        '/alerts all proposals margin<2',
        '/alerts all proposals margin move 3 in 1h',
        '/alerts all proposals margin>5 for 6h',
        '/alerts all proposals volume>50000',
        '/alerts all proposals trade>10000',
        '/alerts all proposals worth>1',
        '/alerts all premium<-15',
        '/alerts all premium<-10 for 6h',
        '/alerts all premium price move 10',
        '/alerts all treasury runway<9',
        '/remind 1d,1h',
        '/watch screen premium<-10 runway>12',
      ];

const CHAT = address('console', 'main');
const FAST: ReadonlySet<string> = new Set(CAST.filter(({ tempo }) => tempo === 'fast').map(({ slug }) => slug));

/** The events of each message by its receipt, by kind and stage, or by the rules that they crossed; without those of fast projects, which the list of launches names too. */
async function messagesIn(file: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const store = await openStore(`sqlite://${file}`);
  try {
    const archive = openArchive(store);
    const receipts = (await (await openQueues(store)).receipts(CHAT)).filter(({ end }) => end === 'sent');
    const messages = new Map<string, readonly string[]>();
    for (const { id, members } of receipts) {
      const events = await Promise.all(members.map(async (member) => ({ member, event: await archive.get(member.event) })));
      const shown = events.flatMap(({ member, event }) =>
        event === undefined || FAST.has(event.project ?? '') ? [] : namesOf(member, event),
      );
      if (shown.length > 0) messages.set(id, shown);
    }
    return messages;
  } finally {
    await store.close();
  }
}

function namesOf({ crossings }: Member, { feed, stage }: FeedEvent): readonly string[] {
  return (crossings ?? []).length === 0
    ? [`${feed} ${stage}`]
    : (crossings ?? []).map(({ rule, furthest, heldSince }) =>
        [
          feed,
          rule.measure,
          rule.when,
          ...(heldSince === undefined ? [] : ['that lasted']),
          ...(furthest === undefined ? [] : ['is over']),
        ].join(' '),
      );
}

test('a day of the natural world is few messages', async () => {
  const closes: (() => Promise<void>)[] = [];
  const harness = await openBot({
    env: {
      ...{ SIMULATOR_PACE: '1', SIMULATOR_SEED: SEED, POLL_MIN_SECONDS: String(POLL) },
      PROJECTS: CAST.filter(({ tempo }) => tempo === 'natural')
        .map(({ slug }) => slug)
        .join(','),
    },
    onClose: (close) => void closes.push(close),
  });
  await harness.say(`/settings alerts ${PRESET}`);
  await harness.say('/watch all');
  for (const line of RULES) await harness.say(line);
  const file = join(harness.folder, 'navwatch.sqlite');
  const messages = new Map<string, readonly string[]>();
  // The bot has its database for itself, and nothing is under way between two turns of the clock.
  const copy = join(harness.folder, 'copy.sqlite');
  const read = async (): Promise<void> => {
    await rm(`${copy}-wal`, { force: true });
    for (const end of ['', '-wal']) await cp(`${file}${end}`, `${copy}${end}`).catch(() => {});
    for (const [id, events] of await messagesIn(copy)) messages.set(id, events);
  };
  // A chat keeps the receipts of about 300 messages.
  for (let day = 0; day < DAYS; day += 1) {
    await harness.pass(DAY / SECOND, STEP);
    await read();
  }
  await harness.app().stop();
  for (const close of closes) await close();
  const kinds = new Map<string, number>();
  for (const kind of [...messages.values()].flat()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const perDay = messages.size / DAYS;
  console.log(`${SEED}, ${PRESET}: ${messages.size} messages in ${DAYS} d (${perDay.toFixed(1)} a day), goal ${GOAL} a day`);
  for (const [kind, count] of [...kinds].toSorted((a, b) => b[1] - a[1])) console.log(`  ${count} ${kind}`);
  expect(perDay).toBeLessThanOrEqual(PRESET === 'important' && RULES.length === 0 ? GOAL : Number.POSITIVE_INFINITY);
});
