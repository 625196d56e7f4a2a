/** This module gives what a message reports as data for programs. Events are read only for platforms that ask for the data. */
import { createHash } from 'node:crypto';
import type { DeliveredEvent, DeliveryRequest, EditRequest } from '../../chat/notifier.js';
import { asCorrected, type Correction, type FeedEvent } from '../../domain/event.js';
import type { MakeLinks } from '../../domain/links.js';
import type { Instant } from '../../domain/scalars.js';
import type { EventContent } from '../../feeds/event-content.js';
import { feedOf } from '../../feeds/index.js';
import { StoreError } from '../../store/store.js';
import type { Archive } from '../queue/event-archive.js';
import type { Delivery, Member } from '../queue/queue.js';
import { entryOf } from '../queue/queued-event.js';
import { calledHere } from '../watchlist/entry.js';
import type { Chat } from '../watchlist/watchlists.js';
import type { LiveContent } from './topic-statuses.js';

const MAX_EVENTS = 100;

interface AboutContext {
  readonly archive: Pick<Archive, 'get'>;
  readonly links: MakeLinks;
}

export const editId = (...of: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(of)).digest('base64url').slice(0, 22);

export function aboutDelivery(
  { members, sealedAt, prepared }: Delivery,
  chat: Chat,
  context: AboutContext,
): NonNullable<DeliveryRequest['about']> {
  const kind = prepared !== undefined ? 'digest' : members[0]?.sample === true ? 'sample' : 'alert';
  return { kind, at: sealedAt, count: members.length, events: async () => deliveredEvents(members, { ...context, chat }) };
}

export function aboutCorrection(
  {
    members,
    at,
    corrections,
  }: { readonly members: readonly Member[]; readonly at: Instant; readonly corrections: ReadonlyMap<string, Correction> },
  context: AboutContext & { readonly chat: Chat },
): NonNullable<EditRequest['about']> {
  const corrected = (event: DeliveredEvent): DeliveredEvent => {
    const corrects = corrections.get(event.id);
    return corrects === undefined ? event : { ...event, corrects: { ...corrects, event: event.id } };
  };
  const events = async () => (await deliveredEvents(members, { ...context, corrections })).map(corrected);
  return { kind: 'correction', at, count: members.length, events };
}

export function aboutStatus(
  { status, content }: LiveContent,
  { entry, links }: Pick<AboutContext, 'links'> & { readonly entry: string },
): NonNullable<EditRequest['about']> {
  const { feed, topic, project, stage, at, facts, version } = status;
  const event = { id: `${topic}@${version}`, feed, topic, project, stage, detectedAt: at, facts };
  return { kind: 'update', at, count: 1, events: async () => [{ ...event, ...partsOf(event, content, links), entry }] };
}

/** Returns the events of a delivery. Events that can no longer be read are left out. */
export async function deliveredEvents(
  members: readonly Member[],
  {
    archive,
    links,
    chat,
    corrections,
  }: AboutContext & { readonly chat: Chat; readonly corrections?: ReadonlyMap<string, Correction> | undefined },
): Promise<readonly DeliveredEvent[]> {
  const found = await Promise.all(
    members.slice(0, MAX_EVENTS).map(async (member): Promise<readonly DeliveredEvent[]> => {
      const { event: id, entry: name, rule, crossings, corrects } = member;
      const entry = entryOf(chat, member);
      const reported = await archive.get(id).catch(notIfUnreadable);
      const event = reported && asCorrected(reported, corrections?.get(id));
      const content = event && contentOf(event, { name: entry && calledHere(entry.target), crossings });
      if (event === undefined || content === undefined) return [];
      // If the corrected event was not alerted, this event is a first alert and not a correction.
      const correction = corrects === undefined ? undefined : event.corrects;
      const of = { rule, crossings, corrects: correction, entry: name === '' ? undefined : name };
      return [{ ...event, ...partsOf(event, content, links), ...of }];
    }),
  );
  return found.flat();
}

function notIfUnreadable(cause: unknown): undefined {
  if (!(cause instanceof StoreError) || cause.trouble !== 'unreadable') throw cause;
  return undefined;
}

function contentOf(
  event: FeedEvent,
  context: { readonly name: string | undefined; readonly crossings: Member['crossings'] },
): EventContent | undefined {
  try {
    return feedOf(event.feed)?.content(event, context);
  } catch {
    return undefined;
  }
}

function partsOf(
  { feed, facts, stage }: Pick<FeedEvent, 'feed' | 'facts' | 'stage'>,
  { headline, links = [] }: EventContent,
  makeLinks: MakeLinks,
): Pick<DeliveredEvent, 'headline' | 'links' | 'size'> {
  const { usd, percent, amount, symbol, metric } = feedOf(feed)?.alerts.size(facts, stage) ?? {};
  return { headline, links: makeLinks(links), size: { usd, percent, amount, symbol, metric } };
}
