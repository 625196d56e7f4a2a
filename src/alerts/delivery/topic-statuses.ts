/** This module stores the current status of followed topics as `topic/<topic>`. The latest status wins. */
import { DAY, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { createListeners } from '../../base/when-ready.js';
import { chartSchema, type Chart } from '../../chat/chart.js';
import { topicStatusSchema, type TopicStatus } from '../../domain/event.js';
import type { Store } from '../../store/store.js';
import type { EventContent } from '../../feeds/event-content.js';
import { feedOf } from '../../feeds/index.js';

/** Time that a status without a follower is kept. */
const KEPT_FOR = 7 * DAY;

export interface TopicStatuses {
  read(topic: string): TopicStatus | undefined;
  /** Stores statuses; resolves when they are durable. */
  offer(statuses: readonly TopicStatus[]): Promise<void>;
  onChange(listener: (topic: string) => void): void;
  sweep(now: Instant, isFollowed: (topic: string) => boolean): Promise<void>;
}

/** Opens the statuses. Unreadable ones are skipped, because the next check rewrites them. */
export async function openTopicStatuses(store: Store, log: Log): Promise<TopicStatuses> {
  const documents = store.collection({ prefix: 'topic', schema: topicStatusSchema, version: 1 });
  const { found, unreadable } = await documents.list();
  for (const { key, because } of unreadable) log.warn('topic.unreadable', { topic: key, because });
  const statuses = new Map<string, TopicStatus>(found);
  const changes = createListeners<string>();
  return {
    read: (topic) => statuses.get(topic),
    async offer(offered) {
      for (const status of offered) {
        const known = statuses.get(status.topic);
        // A check that read an older copy must not win; a time that is far ahead was written before the clock was set back.
        const isOlder = known !== undefined && known.at > status.at && known.at - status.at < DAY;
        if (isOlder || (known?.version === status.version && known.step === status.step)) continue;
        await documents.set(status.topic, status);
        statuses.set(status.topic, status);
        changes.announce(status.topic);
      }
    },
    onChange: changes.add,
    async sweep(now, isFollowed) {
      for (const [topic, { at }] of statuses) {
        if (isFollowed(topic) || now - at < KEPT_FOR) continue;
        await documents.delete(topic);
        statuses.delete(topic);
      }
    },
  };
}

export interface LiveContent {
  readonly status: TopicStatus;
  readonly content: EventContent;
  readonly chart: Chart | undefined;
}

export const chartOfContent = ({ chart }: Pick<EventContent, 'chart'>): Chart | undefined => chart && chartSchema.parse(chart);

/** The contents of statuses, which many chats show. */
const contents = new WeakMap<TopicStatus, LiveContent>();

export function liveContent(
  topic: string | undefined,
  { topics, log }: { readonly topics?: TopicStatuses | undefined; readonly log: Log },
): LiveContent | undefined {
  const status = topics?.read(topic ?? '');
  if (status === undefined) return undefined;
  const known = contents.get(status);
  if (known !== undefined) return known;
  try {
    const content = feedOf(status.feed)?.liveContent(status);
    if (content === undefined) return undefined;
    const live = { status, content, chart: chartOfContent(content) };
    contents.set(status, live);
    return live;
  } catch (cause) {
    log.error('topic.unreadable', { topic, cause });
    return undefined;
  }
}
