/** Corrections as events, with the corrected facts. */
import { omitUndefined } from '../base/omit-undefined.js';
import type { Archive } from '../alerts/queue/event-archive.js';
import { CORRECTED_FOR } from '../alerts/corrections/who-was-alerted.js';
import type { Instant } from '../base/clock.js';
import { asCorrected, type FeedEvent } from '../domain/event.js';
import type { FoundCorrection } from '../feeds/feed.js';
import { CORRECTED_STAGE } from '../feeds/event-content.js';
import { ifUnreadable } from '../store/store.js';

/** More is another list, not corrections. */
const MAX_CORRECTIONS = 100;

/** Without events that nobody was alerted of lately. */
export async function correctionEvents(
  found: readonly FoundCorrection[],
  { feed, at, archive }: { readonly feed: string; readonly at: Instant; readonly archive: Pick<Archive, 'get'> },
): Promise<readonly FeedEvent[]> {
  if (found.length > MAX_CORRECTIONS) return [];
  const events = await Promise.all(
    found.map(async ({ version, ...corrects }): Promise<readonly FeedEvent[]> => {
      const original = await archive.get(corrects.event).catch(ifUnreadable);
      if (original === undefined || at - original.detectedAt > CORRECTED_FOR) return [];
      const { topic, project, wallet, stage } = original;
      const { facts } = asCorrected(original, corrects);
      const about = { topic, ...omitUndefined({ project, wallet }), corrects: { ...corrects, stage } };
      return [{ id: `${corrects.event}/${version}`, feed, ...about, stage: CORRECTED_STAGE, detectedAt: at, facts }];
    }),
  );
  return events.flat();
}
