/** This module removes items from the queue that a live message shows. It is pure. */
import type { Instant } from '../../domain/scalars.js';
import { deliveryId } from './queued-event.js';
import type { Member, Queue } from './queue.js';
import type { Receipt } from './receipts.js';

export function showInLive(queue: Queue, { members, now }: { readonly members: readonly Member[]; readonly now: Instant }): Queue {
  const events = new Set(members.map(({ event }) => event));
  const shown = queue.waiting.filter(({ event }) => events.has(event));
  if (shown.length === 0) return queue;
  const receipt: Receipt = { id: deliveryId(queue.address, shown), members: shown, end: 'sent', endedAt: now, attempts: 0, live: true };
  return { ...queue, waiting: queue.waiting.filter((member) => !shown.includes(member)), receipts: [receipt, ...queue.receipts] };
}
