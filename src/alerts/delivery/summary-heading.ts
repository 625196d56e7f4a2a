/** Why a summary's alerts waited, and how long. Pure. */
import { never } from '../../base/never.js';
import { duration } from '../../domain/format.js';
import type { Away, Free } from '../queue/batch.js';
import type { SummaryHead } from './compose-message.js';
import { shortName } from '../watchlist/entry.js';

export interface SuppressedPart {
  readonly one: Free;
  readonly about: string;
  readonly feed: string;
}

/** Absence, else outages ("the bot was down for 6 h") and suppressions. */
export function headOf(kept: readonly [SuppressedPart, ...SuppressedPart[]]): SummaryHead {
  const away = kept.flatMap(({ one }) => (one.away === undefined ? [] : [one.away]));
  const absence = away.find(({ chat }) => chat === true);
  if (absence !== undefined)
    return { words: `Catching up: the bot was not in this chat for ${duration(absence.to - absence.from)}`, tone: 'warning' };
  const causes = [...outagesOf(away), ...quietOf(kept)];
  return { words: `Catching up: ${causes.join(' and ')}`, tone: away.length === 0 ? 'plain' : 'warning' };
}

const OUTAGES = {
  service: 'the analytics service was down',
  bot: 'the bot was down',
  absence: 'the bot was not in this chat',
  sending: 'alerts could not be sent',
} as const satisfies Record<Away['because'], string>;

function outagesOf(away: readonly Away[]): readonly string[] {
  const outages = [...new Set(away.map(({ because }) => because))].map((because) => {
    const all = away.filter((one) => one.because === because);
    return { because, from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
  });
  const bot = outages.find(({ because }) => because === 'bot');
  // A bot that is down sends nothing.
  const named = outages.filter(({ because, from, to }) => because !== 'sending' || bot === undefined || from > bot.to || to < bot.from);
  return named.map(({ because, from, to }) => `${OUTAGES[because]} for ${duration(to - from)}`);
}

const MAX_NAMED = 2;

function quietOf(kept: readonly SuppressedPart[]): readonly string[] {
  const causes = [...new Set(kept.flatMap(causesOf))];
  if (causes.length <= MAX_NAMED) return causes;
  return [kept.some(({ one }) => one.suppression?.because === 'quiet hours') ? 'this chat had quiet hours' : 'several alerts were muted'];
}

/** "Tidewater was muted". */
function causesOf({ one: { entry, suppression }, about, feed }: SuppressedPart): readonly string[] {
  if (suppression === undefined) return [];
  if (suppression.because === 'quiet hours') return ['this chat had quiet hours'];
  const kind = entry?.target.kind;
  const name = entry === undefined || kind === 'project' ? about : kind === 'all' ? 'all projects' : shortName(entry.target);
  switch (suppression.what) {
    case 'chat':
      return ['this chat was muted'];
    case 'kind':
      return [`${feed} alerts were muted`];
    case 'entry':
      return [kind === 'launches' ? 'launches were muted' : kind === 'all' ? 'all projects were muted' : `${name} was muted`];
    case 'entry kind':
      return [kind === 'launches' ? 'launches were muted' : `${feed} alerts of ${name} were muted`];
    default:
      return never(suppression.what);
  }
}
