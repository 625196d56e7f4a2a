/** Feeds under test: looks one after another with the mark stored in between, and tellings as text. */
import { isDeepStrictEqual } from 'node:util';
import { lineText, withTone } from '../../src/chat/text.js';
import type { NewsEvent } from '../../src/domain/event.js';
import type { Project } from '../../src/domain/project.js';
import { instant, SECOND, type Instant } from '../../src/base/clock.js';
import { slug } from '../../src/domain/scalars.js';
import {
  defineFeed,
  type Feed,
  type FeedSpec,
  type Figures,
  type Heard,
  type Look,
  type News,
  type Subject,
} from '../../src/feeds/feed.js';
import type { Analytics } from '../../src/analytics/analytics.js';
import type { AnalyticsClient } from '../../src/analytics/client.js';
import { handClock, settled, type HandClock } from '../support/clock.js';

export const TIDE: Project = { slug: slug('tide'), name: 'Tidewater', symbol: 'TIDE' };
export const NOON = instant(Date.UTC(2026, 10, 20, 12));

/** For a feed whose look is given. */
const NOBODY: Analytics = {
  call: async () => Promise.reject(new Error('nobody is asked')),
  walk: async () => Promise.reject(new Error('nobody is asked')),
  state: () => ({ budget: { used: 0, resetsAt: NOON } }),
};

export const lookOf = <S>(snapshot: S, how: Partial<Look<S>> = {}): Look<S> => ({
  snapshot,
  at: NOON,
  complete: true,
  hidden: 0,
  broken: 0,
  ...how,
});

/** What each of these looks finds new, the mark going through JSON and its schema in between as the store takes it. */
export function found<M, S, F>(
  spec: FeedSpec<M, S, F>,
  looks: readonly Look<S>[],
  subject: Subject = TIDE,
): readonly (readonly News<F>[])[] {
  let mark: M | undefined;
  return looks.map((look) => {
    const { mark: after, events } = spec.diff(subject, mark, look);
    mark = spec.mark.parse(JSON.parse(JSON.stringify(after)));
    return events;
  });
}

/** What each of these looks reads of figures, the mark going through JSON and its schema in between. */
export function figuresOf<M, S, F>(
  spec: FeedSpec<M, S, F>,
  looks: readonly Look<S>[],
  subject: Subject = TIDE,
): readonly (readonly Figures<F>[])[] {
  let mark: M | undefined;
  return looks.map((look) => {
    const { mark: after, figures = [] } = spec.diff(subject, mark, look);
    mark = spec.mark.parse(JSON.parse(JSON.stringify(after)));
    return figures;
  });
}

/** Which figures each of these looks finds as they were, the mark going through JSON and its schema in between. */
export function sameOf<M, S, F>(
  spec: FeedSpec<M, S, F>,
  looks: readonly Look<S>[],
  subject: Subject = TIDE,
): readonly (readonly string[])[] {
  let mark: M | undefined;
  return looks.map((look) => {
    const { mark: after, same = [] } = spec.diff(subject, mark, look);
    mark = spec.mark.parse(JSON.parse(JSON.stringify(after)));
    return same;
  });
}

/** The same as ids, look by look. */
export const idsOf = <M, S, F>(spec: FeedSpec<M, S, F>, looks: readonly Look<S>[], subject: Subject = TIDE) =>
  found(spec, looks, subject).map((events) => events.map((event) => event.id));

/** The ids of the events that a first check finds in this look, its subject being watched since then. Its mark is that of any first check. */
export async function firstCheck<M, S, F extends Record<string, unknown>>(
  spec: FeedSpec<M, S, F>,
  { look, since, subject = TIDE }: { readonly look: Look<S>; readonly since: Instant; readonly subject?: Subject },
): Promise<readonly string[]> {
  const feed = defineFeed({ ...spec, look: async () => look });
  const nobody = { analytics: NOBODY, options: {} };
  const { events, mark } = await feed.sight(subject, undefined, { ...nobody, since });
  const silent = await feed.sight(subject, undefined, nobody);
  if (silent.events.length > 0 || !isDeepStrictEqual(silent.mark, mark)) throw new Error('a first check differs by more than its events');
  return events.map((event) => event.id);
}

/** Figures as the event that they become where they cross a rule, through JSON as the archive keeps it, and told. */
export function toldFigures<F>(
  feed: Feed,
  figures: Figures<F>,
  { heard = {}, seenAt = NOON }: { heard?: Heard; seenAt?: Instant } = {},
): string {
  const { at, project, wallet, facts, id } = figures;
  const event = { id, topic: id, stage: 'level', feed: feed.id, seenAt, occurredAt: at, project, wallet, facts };
  const { tone, headline, details, actions } = feed.tell(JSON.parse(JSON.stringify(event)) as NewsEvent, heard);
  return [
    withTone(tone, lineText(headline, seenAt)),
    ...details.map((line) => lineText(line, seenAt)),
    actions.map(({ line }) => line).join(' '),
  ].join('\n');
}

/** A piece of news as the poller completes it, through JSON as the archive keeps it, and told. */
export function told<F>(feed: Feed, news: News<F>, seenAt: Instant = NOON): string {
  const event = JSON.parse(JSON.stringify({ ...news, feed: feed.id, seenAt })) as NewsEvent;
  const { tone, headline, details, actions } = feed.tell(event);
  return [
    withTone(tone, lineText(headline, seenAt)),
    ...details.map((line) => lineText(line, seenAt)),
    actions.map(({ line }) => line).join(' '),
  ].join('\n');
}

export const background = (analytics: AnalyticsClient) =>
  ({ analytics, options: { priority: 'poll', ifFailing: 'refuse', maxAge: 0 } }) as const;

/** A clock under which pauses between attempts end at once and deadlines never come. */
export function hastyClock(): HandClock {
  const hand = handClock();
  return { ...hand, sleep: async (milliseconds, signal) => (milliseconds < 30 * SECOND ? settled() : hand.sleep(milliseconds, signal)) };
}
