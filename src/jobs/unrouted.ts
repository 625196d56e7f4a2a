/** This module routes what a check left unrouted: pending events in its watermark document, and alerts of its rules. */
import type { CheckRecord, CheckRecords } from '../alerts/checks/check-records.js';
import { route } from '../alerts/evaluation/route.js';
import { routeCrossed } from '../alerts/evaluation/route-measurements.js';
import type { RuleStates } from '../alerts/evaluation/rule-states.js';
import type { Archive } from '../alerts/queue/event-archive.js';
import type { Queues } from '../alerts/queue/queues.js';
import type { Watchlists } from '../alerts/watchlist/watchlists.js';
import type { Clock } from '../base/clock.js';
import type { Lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import { lateEvent, type OutageOfBot } from './downtime.js';
import { unrouted, type WatermarkDocument, type Watermarks } from './watermarks.js';

export interface RoutingContext {
  readonly watermarks: Watermarks;
  readonly checks: CheckRecords;
  readonly rules: RuleStates;
  readonly archive: Archive;
  readonly queues: Queues;
  readonly watchlists: Watchlists;
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly log: Log;
  /** Returns the bot's last downtime. */
  readonly away?: () => OutageOfBot | undefined;
  /** Aborts at a stop. */
  readonly signal?: AbortSignal | undefined;
}

const HANDED_AT_ONCE = 50;

const recordOf = (key: string, { checks: checkRecords }: Pick<RoutingContext, 'checks'>): CheckRecord | undefined => {
  const [feed = ''] = key.split('/');
  return checkRecords.read(feed, key.slice(feed.length + 1));
};

/** Reads a watermark document without the pending events that were routed already. */
export async function readUnrouted(
  key: string,
  { watermarks, checks }: Pick<RoutingContext, 'watermarks' | 'checks'>,
): Promise<WatermarkDocument | undefined> {
  const stored = await watermarks.get(key);
  return stored && unrouted(stored, recordOf(key, { checks })?.routed);
}

interface Handed {
  readonly document: WatermarkDocument | undefined;
  /** Events that were routed but are still pending in the stored document, for the check record. */
  readonly routed: readonly string[];
}

/**
 * Routes pending events and alerts. With `isRecorded` the caller records what was routed in the check record, and the document is not
 * written.
 */
export async function hand(
  key: string,
  { watermarks, archive, watchlists, queues, clock, away, checks, rules, signal }: RoutingContext,
  { isRecorded = false } = {},
): Promise<Handed> {
  // The record of the check that found the pending events is written later, so this is the time of the check before it.
  const checkedAt = recordOf(key, { checks })?.okAt;
  await routeCrossed({ key, rules, watchlists, queues, archive, now: clock.now(), checkedAt, signal });
  const kept = await readUnrouted(key, { watermarks, checks });
  if (kept === undefined) return { document: undefined, routed: [] };
  const { late, ...document } = kept;
  const pending = [...document.pending];
  let routed: readonly string[] = [];
  while (pending.length > 0) {
    const some = pending.splice(0, HANDED_AT_ONCE);
    routed = some.map(({ id }) => id);
    queues.routing(key, routed);
    for (const event of some) await archive.keep(event);
    await route(some, { watchlists, queues, now: clock.now(), lateBy: (event) => late ?? lateEvent(event, away?.()), checkedAt, signal });
    if (isRecorded && pending.length === 0) return { document: { ...document, pending }, routed };
    await watermarks.set(key, { ...document, pending: [...pending], ...(late === undefined || pending.length === 0 ? {} : { late }) });
  }
  if (document.pending.length > 0) queues.routing(key, []);
  return { document: { ...document, pending }, routed: [] };
}

/** Routes events and alerts that a crash left pending, before the first check. Rejects when `signal` aborts. */
export async function recover(context: RoutingContext): Promise<void> {
  for await (const { found, unreadable } of context.watermarks.scan()) {
    context.signal?.throwIfAborted();
    for (const { key, because } of unreadable) context.log.error('watermark.unreadable', { watermark: key, because });
    for (const [key, document] of found) {
      const { pending } = unrouted(document, recordOf(key, context)?.routed);
      if (pending.length > 0) await context.lanes.run(key, async () => hand(key, context));
    }
  }
  for (const key of context.rules.crossed()) await context.lanes.run(key, async () => hand(key, context));
  context.queues.recovered();
}
