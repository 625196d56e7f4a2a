/** Sources of a digest's figures. Pure. */
import { byImportance } from '../../alerts/delivery/event-list.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Instant } from '../../domain/scalars.js';
import { THRESHOLD_STAGE } from '../../feeds/feed.js';
import type { DigestFacts } from './gather.js';

export interface DigestSource {
  readonly record: { readonly what: string; readonly at: Instant; readonly dataAt?: Instant };
  readonly data: unknown;
}

const MAX_EVENTS = 28;

export function digestSources({ moves, events }: Pick<DigestFacts, 'moves' | 'events'>): readonly DigestSource[] {
  const shown = events.toSorted((a, b) => byImportance(a.event, b.event)).slice(0, MAX_EVENTS);
  return [
    ...moves.map(({ slug, foundAt, gap, gapBefore, nav, navBefore }) => ({
      record: { what: `check premium/${slug}`, at: foundAt },
      data: omitUndefined({ premium: gap, premiumBefore: gapBefore, nav, navBefore }),
    })),
    ...shown.map(({ event: { id, stage, detectedAt, occurredAt, facts } }) => ({
      record: { what: `${stage === THRESHOLD_STAGE ? 'check' : 'event'} ${id}`, at: detectedAt, ...omitUndefined({ dataAt: occurredAt }) },
      data: facts,
    })),
  ];
}
