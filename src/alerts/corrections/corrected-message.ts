/** This module renders a sent message again, with its corrections marked. */
import { asCorrected, correctionLine, type Correction, type FeedEvent } from '../../domain/event.js';
import type { MakeLinks } from '../../domain/links.js';
import { inZone, type Line, type Reply } from '../../chat/reply.js';
import { feedOf } from '../../feeds/index.js';
import type { Archive } from '../queue/event-archive.js';
import type { Member, Queue, Receipt } from '../queue/queue.js';
import { entryOf } from '../queue/queued-event.js';
import { calledHere } from '../watchlist/entry.js';
import type { Chat } from '../watchlist/watchlists.js';
import { returnsTo } from '../queue/returns.js';
import { compose, type ComposedEvent } from '../delivery/compose-message.js';
import { chartIn } from '../delivery/event-chart.js';

interface SentAndWaiting {
  readonly receipts: readonly Receipt[];
  readonly waiting: Queue['waiting'];
}

/** Returns the change from the first value to the last, by event. `ofIt` selects the corrections. */
export async function correctionsOf(
  { receipts, waiting }: SentAndWaiting,
  ofIt: (corrects: NonNullable<Member['corrects']>) => boolean,
  archive: Pick<Archive, 'get'>,
): Promise<ReadonlyMap<string, Correction>> {
  const members = [...receipts.toReversed().flatMap((receipt) => receipt.members), ...waiting];
  const found = new Map<string, Correction>();
  for (const { event, corrects } of members) {
    const correction = corrects !== undefined && ofIt(corrects) ? (await archive.get(event))?.corrects : undefined;
    if (corrects === undefined || correction === undefined) continue;
    const earlier = found.get(corrects.event);
    const was = earlier?.was ?? correction.was;
    const dates = correction.dates && { ...correction.dates, was: earlier?.dates?.was ?? correction.dates.was };
    found.set(corrects.event, {
      ...correction,
      ...(was === undefined || correction.now === undefined ? {} : { was }),
      ...(dates === undefined ? {} : { dates }),
      facts: { ...earlier?.facts, ...correction.facts },
      occurredAt: correction.occurredAt ?? earlier?.occurredAt,
    });
  }
  return found;
}

const MAX_RECOMPOSED = 9;

interface Corrected {
  readonly receipt: Receipt;
  readonly corrections: ReadonlyMap<string, Correction>;
  /** Texts that say that an alert is over, by event. */
  readonly returns: ReadonlyMap<string, readonly string[]>;
  readonly chat: Chat;
  readonly archive: Pick<Archive, 'get'>;
  readonly links: MakeLinks;
}

/** Renders the corrected message. Undefined for a summary, for totals, or if an event was deleted. */
export async function correctedReply({ receipt, corrections, returns, chat, archive, links }: Corrected): Promise<Reply | undefined> {
  if (receipt.summary !== undefined || receipt.members.length > MAX_RECOMPOSED) return undefined;
  const isAlone = receipt.members.length === 1;
  const found = await Promise.all(
    receipt.members.map(async (member): Promise<readonly ComposedEvent[]> => {
      const reported = await archive.get(member.event);
      const event = reported && asCorrected(reported, corrections.get(reported.id));
      const entry = entryOf(chat, member);
      const name = entry === undefined ? undefined : calledHere(entry.target);
      const content = event && feedOf(event.feed)?.content(event, { name, crossings: member.crossings });
      return event === undefined || content === undefined
        ? []
        : [
            {
              member,
              entry,
              event,
              content: marked(returned(content, returns.get(event.id), isAlone), corrections.get(event.id), isAlone),
              silent: true,
            },
          ];
    }),
  );
  const [first, ...rest] = found.flat();
  if (first === undefined || rest.length + 1 < receipt.members.length) return undefined;
  const events = [first, ...rest] as const;
  const chart = chartIn(events, 'now')?.chart;
  return inZone({ ...compose({ id: receipt.id, events, links }), ...(chart === undefined ? {} : { chart }) }, chat.timezone);
}

function returned(content: ComposedEvent['content'], says: readonly string[] = [], isAlone: boolean): ComposedEvent['content'] {
  if (says.length === 0) return content;
  return isAlone
    ? { ...content, tone: 'over', details: [...says.map((one): Line => [{ strong: one }]), ...content.details] }
    : { ...content, tone: 'over', headline: [...content.headline, ' · ', { strong: says.join('; ') }] };
}

function marked(content: ComposedEvent['content'], correction: Correction | undefined, isAlone: boolean): ComposedEvent['content'] {
  if (correction === undefined) return content;
  const says = correctionLine(correction).map((span) => (typeof span === 'string' ? { strong: span } : span));
  return isAlone
    ? { ...content, tone: 'warning', details: [says, ...content.details] }
    : { ...content, tone: 'warning', headline: [...content.headline, ' · ', ...says] };
}

/** Returns "Corrected: was 120, now 118", or text that the alert is over; undefined without either. */
export async function correctionSays(
  event: Pick<FeedEvent, 'id'>,
  reported: SentAndWaiting,
  archive: Pick<Archive, 'get'>,
): Promise<Line | undefined> {
  const isIt = (corrects: NonNullable<Member['corrects']>): boolean => corrects.event === event.id;
  const correction = (await correctionsOf(reported, isIt, archive)).get(event.id);
  const back = returnsTo(reported, isIt).get(event.id);
  return correction === undefined ? back && [back.join('; ')] : correctionLine(correction);
}
