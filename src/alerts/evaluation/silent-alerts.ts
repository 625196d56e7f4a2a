/** Whether an alert makes a sound. Pure. */
import type { FeedEvent } from '../../domain/event.js';
import { alertKind } from '../rules/kinds.js';
import { modeOf, type Subscription } from '../rules/presets.js';
import { passes } from './filter.js';

/** Small events of some kinds are silent unless the chat chose a mode. */
export function isSilent(entry: Subscription, event: Pick<FeedEvent, 'feed' | 'stage' | 'facts'>): boolean {
  const sound = entry.modes?.[event.feed] === undefined ? alertKind(event.feed)?.sound : undefined;
  if (typeof sound === 'object') return !passes(event, sound.ringsFrom).passes;
  return modeOf(entry, event.feed) === 'silent';
}
