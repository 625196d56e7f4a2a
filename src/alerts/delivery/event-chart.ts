/** This module finds the chart of a message. A delivery stores the event's id, and the event has the values. */
import { SECOND, type Clock } from '../../base/clock.js';
import { within } from '../../base/deadline.js';
import type { Log } from '../../base/log.js';
import { alternativeText, type Chart, type Picture, type Pictures, type Theme } from '../../chat/chart.js';
import type { FeedEvent } from '../../domain/event.js';
import { feedOf } from '../../feeds/index.js';
import type { Batch } from '../queue/batch.js';
import type { Archive } from '../queue/event-archive.js';
import type { Delivery, Member } from '../queue/queue.js';
import { MAX_IN_FULL } from './event-list.js';
import { liveContent, type TopicStatuses } from './topic-statuses.js';

interface ChartableEvent {
  readonly event: FeedEvent;
  readonly member: Member;
}

/** Returns the chart of the only event, or of the first event in a list that has one. */
export function chartIn(
  events: readonly ChartableEvent[],
  kind: Batch['kind'],
): { readonly event: string; readonly chart: Chart } | undefined {
  if (events.length > 1 && kind !== 'now') return undefined;
  for (const { event, member } of events.slice(0, MAX_IN_FULL)) {
    const chart = chartOf(event, member);
    if (chart !== undefined) return { event: event.id, chart };
  }
  return undefined;
}

const charts = new WeakMap<FeedEvent, Map<string, Chart | undefined>>();

function chartOf(event: FeedEvent, { crossings }: Member): Chart | undefined {
  if (event.past === undefined || crossings === undefined) return undefined;
  const known = charts.get(event) ?? new Map<string, Chart | undefined>();
  charts.set(event, known);
  const key = JSON.stringify(crossings);
  if (!known.has(key)) known.set(key, feedOf(event.feed)?.chart(event, crossings));
  return known.get(key);
}

/** Returns the chart of a stored delivery, or undefined if the event cannot be read or the topic has changed since. */
export async function storedChart(
  { chartOf: id, members, shows }: Pick<Delivery, 'chartOf' | 'members' | 'shows'>,
  { archive, topics, log }: { readonly archive: Pick<Archive, 'get'>; readonly topics?: TopicStatuses | undefined; readonly log: Log },
): Promise<Chart | undefined> {
  if (shows !== undefined) {
    const live = liveContent(shows.topic, { topics, log });
    return live?.status.version === shows.version ? live.chart : undefined;
  }
  const member = members.find(({ event }) => event === id);
  if (member === undefined) return undefined;
  try {
    const event = await archive.get(member.event);
    return event && chartOf(event, member);
  } catch (cause) {
    log.warn('delivery.chart-unreadable', { member: member.event, cause });
    return undefined;
  }
}

/** Milliseconds. A stop waits longer than this for attempts, so drawing cannot exceed it. */
export const DRAWN_WITHIN = 3 * SECOND;

/** Draws a chart; returns undefined if it is not ready in time. Never rejects. */
export async function drawn(
  chart: Chart,
  theme: Theme,
  { pictures, clock, log }: { readonly pictures: Pictures; readonly clock: Clock; readonly log: Log },
): Promise<Picture | undefined> {
  try {
    const bytes = await within(clock, DRAWN_WITHIN, pictures.png(chart, theme));
    if (bytes === undefined) log.info('delivery.picture-late', { title: chart.title });
    return bytes && { bytes, title: alternativeText(chart) };
  } catch (error) {
    log.info('delivery.picture-failed', { title: chart.title, error });
    return undefined;
  }
}
