/** The heading of a summary: why its alerts were suppressed, and for how long. Pure. */
import { never } from '../../base/never.js';
import { duration } from '../../domain/format.js';
import type { Free } from '../queue/batch.js';
import type { SummaryHead } from './compose.js';
import { shortName } from '../watchlist/entry.js';

export interface SuppressedPart {
  readonly one: Free;
  readonly about: string;
  readonly feed: string;
}

/** Names the chat's absence, else outages ("I was away (6 h)") and suppressions ("this chat was quiet"). */
export function headOf(kept: readonly [SuppressedPart, ...SuppressedPart[]]): SummaryHead {
  const away = kept.flatMap(({ one }) => (one.away === undefined ? [] : [one.away]));
  const absence = away.find(({ chat }) => chat === true);
  if (absence !== undefined)
    return { words: `Catching up after ${duration(absence.to - absence.from)} away from this chat`, tone: 'warning' };
  const length = Math.max(...away.map(({ to }) => to)) - Math.min(...away.map(({ from }) => from));
  const causes = [...(away.length === 0 ? [] : [`I was away (${duration(length)})`]), ...quietOf(kept)];
  return { words: `While ${causes.join(' and ')}`, tone: away.length === 0 ? 'plain' : 'warning' };
}

const MAX_NAMED = 2;

function quietOf(kept: readonly SuppressedPart[]): readonly string[] {
  const causes = [...new Set(kept.flatMap(causesOf))];
  if (causes.length <= MAX_NAMED) return causes;
  return [kept.some(({ one }) => one.suppression?.because === 'quiet hours') ? 'this chat was quiet' : 'several things were muted'];
}

/** Example: "Tidewater was muted". */
function causesOf({ one: { entry, suppression }, about, feed }: SuppressedPart): readonly string[] {
  if (suppression === undefined) return [];
  if (suppression.because === 'quiet hours') return ['this chat was quiet'];
  const kind = entry?.target.kind;
  const name = entry === undefined || kind === 'project' ? about : kind === 'all' ? 'all projects' : shortName(entry.target);
  switch (suppression.what) {
    case 'chat':
      return ['this chat was muted'];
    case 'kind':
      return [`${feed} news was muted`];
    case 'entry':
      return [kind === 'launches' ? 'the launches were muted' : kind === 'all' ? 'news of all projects was muted' : `${name} was muted`];
    case 'entry kind':
      return [kind === 'launches' ? 'the launches were muted' : `${feed} news of ${name} was muted`];
    default:
      return never(suppression.what);
  }
}
