/** Feeds under test: checks one after another with the mark stored in between, and tellings as text. */
import { isDeepStrictEqual } from 'node:util';
import { lineText, withTone } from '../../src/chat/plain-text.js';
import { eventSchema } from '../../src/domain/event.js';
import type { Project } from '../../src/domain/project.js';
import { instant, SECOND, type Instant } from '../../src/base/clock.js';
import { slug } from '../../src/domain/scalars.js';
import {
  defineFeed,
  type Feed,
  type FeedSpec,
  type Measurements,
  type Snapshot,
  type FoundEvent,
  type Subject,
} from '../../src/feeds/feed.js';
import type { AlertContext, EventContent } from '../../src/feeds/event-content.js';
import type { Analytics } from '../../src/analytics/analytics.js';
import type { AnalyticsClient } from '../../src/analytics/client.js';
import { figuresIn } from '../support/figures.js';
import { handClock, settled, type HandClock } from '../support/clock.js';

export const TIDE: Project = { slug: slug('tide'), name: 'Tidewater', symbol: 'TIDE' };
export const NOON = instant(Date.UTC(2026, 10, 20, 12));

/** For a feed whose check is given. */
export const NOBODY: Analytics = {
  call: async () => Promise.reject(new Error('nobody is asked')),
  walk: async () => Promise.reject(new Error('nobody is asked')),
  kept: async () => undefined,
  state: () => ({ budget: { used: 0, resetsAt: NOON } }),
};

export const snapshotOf = <S>(snapshot: S, how: Partial<Snapshot<S>> = {}): Snapshot<S> => ({
  data: snapshot,
  at: NOON,
  complete: true,
  hidden: 0,
  broken: 0,
  ...how,
});

/** What each of these checks finds new, the mark going through JSON and its schema in between as the store takes it. */
export function found<M, S, F>(
  spec: FeedSpec<M, S, F>,
  checkRecords: readonly Snapshot<S>[],
  subject: Subject = TIDE,
): readonly (readonly FoundEvent<F>[])[] {
  let watermark: M | undefined;
  return checkRecords.map((check) => {
    const { watermark: after, events } = spec.diff(subject, watermark, check);
    watermark = spec.watermark.parse(JSON.parse(JSON.stringify(after)));
    return events;
  });
}

/** What each of these checks reads of figures, the mark going through JSON and its schema in between. */
export function figuresOf<M, S, F>(
  spec: FeedSpec<M, S, F>,
  checkRecords: readonly Snapshot<S>[],
  subject: Subject = TIDE,
): readonly (readonly Measurements<F>[])[] {
  let watermark: M | undefined;
  return checkRecords.map((check) => {
    const { watermark: after, measurements = [] } = spec.diff(subject, watermark, check);
    watermark = spec.watermark.parse(JSON.parse(JSON.stringify(after)));
    return measurements;
  });
}

/** Which figures each of these checks finds as they were, the mark going through JSON and its schema in between. */
export function sameOf<M, S, F>(
  spec: FeedSpec<M, S, F>,
  checkRecords: readonly Snapshot<S>[],
  subject: Subject = TIDE,
): readonly (readonly string[])[] {
  let watermark: M | undefined;
  return checkRecords.map((check) => {
    const { watermark: after, same = [] } = spec.diff(subject, watermark, check);
    watermark = spec.watermark.parse(JSON.parse(JSON.stringify(after)));
    return same;
  });
}

/** The same as ids, check by check. */
export const idsOf = <M, S, F>(spec: FeedSpec<M, S, F>, checkRecords: readonly Snapshot<S>[], subject: Subject = TIDE) =>
  found(spec, checkRecords, subject).map((events) => events.map((event) => event.id));

/** The ids of the events that a first check finds in this check, its subject being watched since then. Its mark is that of any first check. */
export async function firstCheck<M, S, F extends Record<string, unknown>>(
  spec: FeedSpec<M, S, F>,
  { check, since, subject = TIDE }: { readonly check: Snapshot<S>; readonly since: Instant; readonly subject?: Subject },
): Promise<readonly string[]> {
  const feed = defineFeed({ ...spec, read: async () => check });
  const nobody = { analytics: NOBODY, options: {} };
  const { events, watermark } = await feed.check(subject, undefined, { ...nobody, since });
  const silent = await feed.check(subject, undefined, nobody);
  if (silent.events.length > 0 || !isDeepStrictEqual(silent.watermark, watermark))
    throw new Error('a first check differs by more than its events');
  return events.map((event) => event.id);
}

interface Measured {
  readonly alertContext?: AlertContext;
  readonly detectedAt?: Instant;
}

/** The alert of measurements that cross a rule, through JSON as the archive keeps it. */
function measuredContent<F>(feed: Feed, measurements: Measurements<F>, { alertContext = {}, detectedAt = NOON }: Measured): EventContent {
  const { at, project, wallet, facts, id } = measurements;
  const event = { id, topic: id, stage: 'level', feed: feed.id, detectedAt, occurredAt: at, project, wallet, facts };
  return feed.content(eventSchema.parse(JSON.parse(JSON.stringify(event))), alertContext);
}

/** The alert of an event, through JSON as the archive keeps it. */
const eventContent = <F>(feed: Feed, found: FoundEvent<F>, detectedAt: Instant): EventContent =>
  feed.content(eventSchema.parse(JSON.parse(JSON.stringify({ ...found, feed: feed.id, detectedAt }))));

export const alertedFigures = <F>(feed: Feed, measurements: Measurements<F>, measured: Measured = {}): string =>
  dataOf(measuredContent(feed, measurements, measured), measured.detectedAt ?? NOON);

export const alerted = <F>(feed: Feed, events: FoundEvent<F>, detectedAt: Instant = NOON): string =>
  dataOf(eventContent(feed, events, detectedAt), detectedAt);

/** The headline and each detail as text, for checks of single words. */
export const measuredLines = <F>(feed: Feed, measurements: Measurements<F>, measured: Measured = {}): readonly string[] =>
  textsOf(measuredContent(feed, measurements, measured), measured.detectedAt ?? NOON);

export const alertLines = <F>(feed: Feed, found: FoundEvent<F>, detectedAt: Instant = NOON): readonly string[] =>
  textsOf(eventContent(feed, found, detectedAt), detectedAt);

const textsOf = ({ headline, details }: EventContent, at: Instant): readonly string[] =>
  [headline, ...details].map((line) => lineText(line, at));

export const background = (analytics: AnalyticsClient) =>
  ({ analytics, options: { priority: 'poll', ifFailing: 'refuse', maxAge: 0 } }) as const;

/** A clock under which pauses between attempts end at once and deadlines never come. */
export function hastyClock(): HandClock {
  const hand = handClock();
  return { ...hand, sleep: async (milliseconds, signal) => (milliseconds < 30 * SECOND ? settled() : hand.sleep(milliseconds, signal)) };
}

/** Glyph and figures of the first line, the figures of each other line, and the buttons. */
const dataOf = (
  { tone, headline, details, actions }: Pick<EventContent, 'tone' | 'headline' | 'details' | 'actions'>,
  at: Instant,
): string =>
  [
    [withTone(tone, '').trim(), ...figuresIn(lineText(headline, at))].join(' | '),
    ...details.map((line) => figuresIn(lineText(line, at)).join(' | ')),
    actions.map(({ line }) => line).join(' '),
  ].join('\n');
