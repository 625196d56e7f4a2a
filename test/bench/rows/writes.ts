/**
 * What one more alert writes in a chat that had a thousand: documents and their bytes, without what is written anyway in the same time. One event is
 * measured in many such chats and divided by their number, so that a check more or less in the time does not show.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { bytesToDisk } from '../harness/proc.js';
import type { Bot, Usage } from '../harness/bot.js';
import type { Figure } from '../harness/figure.js';
import { NO_LIMIT, withScene, type Scene } from '../harness/scene.js';
import type { Scale } from './row.js';

const PAST = 1_000;
/** Fresh alerts of one chat are gathered for some seconds, and its messages come at least ten seconds apart. */
const QUIET = 15_000;
const WINDOW = 12_000;
const PATIENCE = 120_000;
/** What the past alerts deferred is written within a minute. */
const DEFERRED = 65_000;

interface Written {
  readonly documents: number;
  readonly bytes: number;
  readonly disk: number;
}

export async function writes({ quick }: Scale): Promise<readonly Figure[]> {
  const chats = quick ? 15 : 40;
  return withScene({ chats, env: NO_LIMIT }, async (scene) => {
    const { telegram, start, mint } = scene;
    const bot = await start();
    await telegram.polled();
    await bot.calm();
    await mint(PAST);
    if (!(await telegram.reached(chats, PATIENCE))) throw new Error('bench: the past alerts did not come');
    await quiet(scene);
    await wait(DEFERRED);
    const idle = await during(bot, async () => wait(WINDOW));
    const alerts: Written[] = [];
    for (let count = quick ? 1 : 5; count > 0; count -= 1) {
      const written = await during(bot, async () => {
        const before = await telegram.taken();
        await mint();
        await wait(WINDOW);
        if ((await telegram.taken()).messages !== before.messages + chats) throw new Error('bench: the alert was no message of its own');
      });
      alerts.push({
        documents: (written.documents - idle.documents) / chats,
        bytes: (written.bytes - idle.bytes) / chats,
        disk: (written.disk - idle.disk) / chats,
      });
    }
    const { known } = (await bot.usage()).writes;
    const values = (of: keyof Written, unit = 1): readonly number[] => (known ? alerts.map((written) => written[of] / unit) : []);
    return [
      { figure: 'an alert after 1,000 others: documents', unit: 'kB', values: values('bytes', 1_000), goal: 10 },
      { figure: 'an alert after 1,000 others: writes', unit: '', values: values('documents'), goal: 3 },
      { figure: 'an alert after 1,000 others: file', unit: 'kB', values: values('disk', 1_000) },
    ];
  });
}

/** What the bot wrote while `work` ran. */
async function during(bot: Bot, work: () => Promise<unknown>): Promise<Written> {
  const read = async (): Promise<{ usage: Usage; disk: number }> => ({ usage: await bot.usage(), disk: await bytesToDisk(bot.pid) });
  const before = await read();
  await work();
  const after = await read();
  const { documents, bytes } = before.usage.writes;
  return {
    documents: after.usage.writes.documents - documents,
    bytes: after.usage.writes.bytes - bytes,
    disk: after.disk - before.disk,
  };
}

/** Resolves once no message came for a while. */
async function quiet({ telegram }: Scene): Promise<void> {
  const count = async (): Promise<number> => (await telegram.taken()).messages;
  for (let before = -1, now = await count(); now !== before; now = await count()) {
    before = now;
    await wait(QUIET);
  }
}
