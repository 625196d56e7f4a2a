/** Words of a topic as its live message shows it. */
import type { Log } from '../../base/log.js';
import type { TopicStatus } from '../../domain/topic-status.js';
import type { EventContent } from '../../feeds/event-content.js';
import { feedOf } from '../../feeds/index.js';
import type { TopicStatuses } from './topic-statuses.js';

export interface LiveContent {
  readonly status: TopicStatus;
  readonly content: EventContent;
}

export function liveContent(
  topic: string | undefined,
  { topics, log }: { readonly topics?: TopicStatuses | undefined; readonly log: Log },
): LiveContent | undefined {
  const status = topics?.read(topic ?? '');
  if (status === undefined) return undefined;
  try {
    const content = feedOf(status.feed)?.liveContent(status);
    return content && { status, content };
  } catch (cause) {
    log.error('topic.unreadable', { topic, cause });
    return undefined;
  }
}
