/** Why an alert waits, for `/why`: what is muted, or quiet hours. */
import type { Suppression } from '../queue/suppression.js';
import { shortName, type Entry } from '../watchlist/entry.js';

/** "this chat is muted", "supply alerts of tide are muted here". */
export function suppressionWords(
  { because, what }: Suppression,
  { feed, entry }: { readonly feed: string; readonly entry: Entry | undefined },
): string {
  if (because === 'quiet hours') return 'quiet hours in this chat';
  if (what === 'chat') return 'this chat is muted';
  if (what === 'kind') return `${feed} alerts are muted in this chat`;
  if (entry === undefined || entry.target.kind === 'all')
    return what === 'entry' ? 'all projects are muted here' : `${feed} alerts of all projects are muted here`;
  if (entry.target.kind === 'launches') return 'launches are muted here';
  const name = shortName(entry.target);
  return what === 'entry' ? `${name} is muted here` : `${feed} alerts of ${name} are muted here`;
}
