/** Stores that an earlier version wrote: what each holds, in terms that do not depend on the layout of its documents. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { statesIn } from '../../src/alerts/evaluation/shared-state-references.js';
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import type { Member } from '../../src/alerts/queue/queue.js';
import { openWatchlists } from '../../src/alerts/watchlist/watchlists.js';
import { instant } from '../../src/base/clock.js';
import { fileText } from '../../commands/watchlist/list-file.js';
import { FEEDS } from '../../src/feeds/index.js';
import { openWalletDocuments } from '../../src/jobs/refresh/document.js';
import { createWorld } from '../../src/simulator/world/world.js';
import { openStore } from '../../src/store/open.js';
import type { ConnectedBot } from './connected-bot.js';

/** Where the stores are: a folder each, with the database files and `expected.json`. */
export const STORES = fileURLToPath(new URL('../fixtures/stores/', import.meta.url));

/** The moment at which each store was left. */
export const LEFT_AT = Date.UTC(2026, 10, 20, 13);

/** A plan with a limit, so that calls are counted and responses kept. */
export const PLAN = { ANALYTICS_REQUESTS_PER_MONTH: '50000000' };

/** Anna's second channel. */
export const addSecond = ({ discord: { controls }, guild }: Pick<ConnectedBot, 'discord' | 'guild'>) =>
  controls.addChannel({ guild, id: '1573306918502490001', name: 'night watch' });

/** A channel of a server that the bot is taken out of later. */
export function addLost({ discord: { controls }, anna }: Pick<ConnectedBot, 'discord' | 'anna'>) {
  const lost = controls.addGuild({ id: '1573306918502490002', name: 'Lost' });
  const away = controls.addChannel({ guild: lost, id: '1573306918502490003', name: 'away' });
  controls.addMember({ guild: lost, user: anna, roles: [controls.addRole({ guild: lost, permissions: 1n << 4n })] });
  return { lost, away };
}

/** Access for both servers and the group. */
export const access = ({ guild, group }: Pick<ConnectedBot, 'guild' | 'group'>) => ({
  ACCESS: `discord/guild/${guild},discord/guild/1573306918502490002,telegram/chat/${group}`,
});

/** Sets the premium of Tidewater, in percent. */
export const premiumTo = async (bot: ConnectedBot, percent: number): Promise<void> => {
  const world = createWorld({ seed: 'navwatch', pace: 0.001 });
  const tide = world.find('tide');
  const at = bot.clock.now();
  const { navPerShare = '' } = (tide && world.treasury.nav({ who: tide, when: at, asOf: at })) ?? {};
  await bot.sim({ kind: 'price', project: 'tide', price: (Number(navPerShare) * (1 + percent / 100)).toFixed(6) });
};

const eventsOf = (members: readonly Member[]): readonly string[] => members.map(({ event }) => event);

/** Everything that must survive an upgrade, of a database file that nobody has open. */
export async function contentsOf(file: string) {
  const store = await openStore(`sqlite://${file}`);
  try {
    const [watchlists, queues, archive, wallets] = [
      await openWatchlists(store),
      await openQueues(store),
      openArchive(store),
      await openWalletDocuments(store).list(),
    ];
    const written = { kinds: FEEDS.map(({ id }) => id), now: instant(LEFT_AT) };
    const lists = [...watchlists.all(), ...watchlists.left()].map((chat): readonly [string, unknown] => [
      chat.address,
      { list: JSON.parse(fileText(chat, written)), since: chat.entries.map(({ since }) => since), ...(chat.left && { left: chat.left }) },
    ]);
    const all = await Promise.all(queues.all().map(async (queue) => ({ ...queue, receipts: await queues.receipts(queue.address) })));
    const deliveries = all.map(({ address, waiting, open, receipts, ...queue }): readonly [string, unknown] => [
      address,
      {
        waiting: eventsOf(waiting),
        ...(open && { open: { id: open.id, state: open.state, events: eventsOf(open.members) } }),
        receipts: receipts.map(({ id, end, members, messageId }) => ({ id, end, messageId, events: eventsOf(members) })),
        // Their order in the document has no meaning.
        rules: statesIn(queue)
          .map(([, state]) => ('shared' in state ? 'shared' : { armed: state.armed, anchor: state.anchor.value, last: state.last.value }))
          .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b), 'en')),
      },
    ]);
    const named = new Set(
      all.flatMap(({ waiting, open, receipts }) =>
        eventsOf([...waiting, ...(open?.members ?? []), ...receipts.flatMap(({ members }) => members)]),
      ),
    );
    const events = await Promise.all([...named].toSorted().map(async (id) => [id, (await archive.get(id))?.stage] as const));
    return {
      chats: Object.fromEntries(lists),
      deliveries: Object.fromEntries(deliveries),
      events: Object.fromEntries(events),
      wallets: wallets.found.map(([, { address, snapshotAt, job, pause }]) => ({
        address,
        snapshotAt,
        job: job?.id,
        pausedUntil: pause?.until,
      })),
    };
  } finally {
    await store.close();
  }
}

/** A store that an earlier version wrote, unpacked into a folder of its own that goes with the test. */
export async function unpacked(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-store-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  for (const file of (await readdir(join(STORES, name))).filter((one) => one.endsWith('.gz')))
    await writeFile(join(folder, file.slice(0, -'.gz'.length)), gunzipSync(await readFile(join(STORES, name, file))));
  return folder;
}
