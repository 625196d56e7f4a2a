/** What a summary is headed by: what kept its news, and for how long. Pure. */
import type { Instant } from '../base/clock.js';
import type { NewsEvent } from '../domain/event.js';
import { duration } from '../domain/format.js';
import { LATE_AFTER, type Free } from './batch.js';
import type { Head } from './compose.js';
import { shortName } from './entry.js';

/** News of a summary, as it waited and as it happened. */
export interface Kept {
  readonly one: Free;
  readonly event: Pick<NewsEvent, 'occurredAt' | 'seenAt'>;
}

/** "While I was away (6 h)" for what the outside kept, back to the oldest of it; "While this chat was quiet", or what was muted, for what was held here. */
export function headOf(kept: readonly [Kept, ...Kept[]], now: Instant): Head {
  const away = kept.filter(({ one }) => one.member.late !== undefined || (one.held === undefined && now - one.since >= LATE_AFTER));
  const held = kept.filter(({ one }) => one.held !== undefined);
  const since = Math.min(...away.map(({ one, event }) => (one.member.late === undefined ? one.since : (event.occurredAt ?? event.seenAt))));
  const causes = [...(away.length === 0 ? [] : [`I was away (${duration(now - since)})`]), ...(held.length === 0 ? [] : [quietOf(held)])];
  return { words: `While ${causes.join(' and ')}`, tone: away.length === 0 ? 'plain' : 'warning' };
}

function quietOf(held: readonly Kept[]): string {
  const names = new Set(
    held.map(({ one: { entry, held: hold } }) =>
      entry !== undefined && (hold?.what === 'entry' || hold?.what === 'entry kind') ? shortName(entry.target) : undefined,
    ),
  );
  const [name] = names;
  return names.size === 1 && name !== undefined ? `${name} was muted` : 'this chat was quiet';
}
