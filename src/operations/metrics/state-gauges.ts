/** Gauges of the bot's state, read at a scrape. What is unknown has no sample. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { SECOND } from '../../base/clock.js';
import type { BotState, StandbyState } from '../bot-state.js';

export function createStateGauges(registry: Registry): { set(state: BotState | StandbyState | undefined): void } {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const gauges = <L extends string>(name: string, help: string, label: L) => new Gauge<L>({ name, help, labelNames: [label], registers });
  const labelled = {
    role: gauges('navwatch_role', '1 for the role of this process.', 'role'),
    platform: gauges('navwatch_platform_up', '1 while the platform is connected.', 'platform'),
    age: gauges('navwatch_feed_age_seconds', 'Since the last successful check of the subject that waited longest, by feed.', 'feed'),
    interval: gauges('navwatch_feed_interval_seconds', 'The longest planned time between two checks of a subject, by feed.', 'feed'),
    stale: gauges('navwatch_feed_stale', '1 while a subject of the feed was not checked for three intervals and ten minutes.', 'feed'),
    items: gauges('navwatch_queue_items', 'Alerts and messages in the queues, by state.', 'state'),
  };
  const plain = {
    ready: gauge('navwatch_ready', '1 while /readyz answers 200.'),
    chats: gauge('navwatch_chats', 'Chats with a watchlist.'),
    oldest: gauge('navwatch_queue_oldest_seconds', 'Age of the oldest delivery that could be sent now; 0 if there is none.'),
    service: gauge('navwatch_service_up', '1 if the analytics service answered the last call.'),
    used: gauge('navwatch_api_calls_used', 'Calls of the analytics service in this billing month.'),
    left: gauge('navwatch_api_calls_left', 'Calls left of the monthly budget.'),
    resets: gauge('navwatch_api_budget_reset_timestamp_seconds', 'When the monthly budget begins again, Unix time.'),
    runsOut: gauge('navwatch_api_budget_exhausted_timestamp_seconds', 'When the budget is used up at the recent rate, Unix time.'),
    disk: gauge('navwatch_store_disk_free_bytes', 'Free space on the disk of the database.'),
  };
  const dropped = new Counter({ name: 'navwatch_log_lines_dropped_total', help: 'Log lines that could not be written.', registers });
  const setIf = (of: Gauge, value: number | undefined): void => {
    if (value !== undefined) of.set(value);
  };
  return {
    set(state) {
      for (const one of Object.values(labelled)) one.reset();
      for (const one of Object.values(plain)) one.remove();
      if (state === undefined) return;
      labelled.role.set({ role: state.role }, 1);
      plain.ready.set(Number(state.ready));
      if (!('feeds' in state)) return;
      const { now, feeds, queue, calls } = state;
      plain.chats.set(state.chats);
      for (const { name, up } of state.platforms) labelled.platform.set({ platform: name }, Number(up));
      for (const { id: feed, goodAt, every, staleSince } of feeds) {
        if (goodAt !== undefined) labelled.age.set({ feed }, Math.max(0, now - goodAt) / SECOND);
        if (every !== undefined) labelled.interval.set({ feed }, every / SECOND);
        labelled.stale.set({ feed }, Number(staleSince !== undefined));
      }
      for (const [name, items] of Object.entries(queue.items)) labelled.items.set({ state: name }, items);
      plain.oldest.set(queue.oldest === undefined ? 0 : Math.max(0, now - queue.oldest) / SECOND);
      setIf(plain.service, state.service.up === undefined ? undefined : Number(state.service.up));
      plain.used.set(calls.used);
      setIf(plain.left, calls.left);
      plain.resets.set(calls.resetsAt / SECOND);
      setIf(plain.runsOut, calls.runsOutAt && calls.runsOutAt / SECOND);
      setIf(plain.disk, state.diskFree);
      dropped.reset();
      dropped.inc(state.droppedLogLines);
    },
  };
}
