/** Takes updates, from a poll or from the webhook. */
import type { Log } from '../../base/log.js';
import type { BotIdentity } from './command-line.js';
import { readUpdate } from './incoming-update.js';
import type { Received, UpdateQueue } from './update-queue.js';
import { updateSchema, type InlineQuery, type Update } from './update.js';

/** When every update is durable. Rejects with the store's error. */
export type ReceiveUpdates = (updates: readonly unknown[]) => Promise<void>;

export interface ReceivingDeps {
  readonly bot: BotIdentity;
  readonly queue: Pick<UpdateQueue, 'take'>;
  readonly inline: (query: InlineQuery) => void;
  readonly log: Log;
}

export function openReceiving({ bot, queue, inline, log }: ReceivingDeps): ReceiveUpdates {
  return async (updates) => {
    const read = updates.flatMap((update) => readOne(update, log));
    await queue.take(read.flatMap((update) => incomingIn(update, bot)));
    for (const { inline_query: query } of read) if (query !== undefined) inline(query);
  };
}

/** Reading it again would not help. */
export function readOne(update: unknown, log: Log): readonly Update[] {
  const read = updateSchema.safeParse(update);
  if (read.success) return [read.data];
  log.warn('telegram.update-unreadable', { update: idOf(update), path: read.error.issues[0]?.path.join('.') });
  return [];
}

const idOf = (update: unknown): unknown =>
  typeof update === 'object' && update !== null && 'update_id' in update ? update.update_id : undefined;

function incomingIn(update: Update, bot: BotIdentity): readonly Received[] {
  const incoming = readUpdate(update, bot);
  return incoming === undefined ? [] : [{ update: update.update_id, incoming }];
}
