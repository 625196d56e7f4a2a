/** What a summary is headed by: what kept its news, and for how long. Pure. */
import { duration } from '../domain/format.js';
import type { Free } from './batch.js';
import type { Head } from './compose.js';
import { shortName } from './entry.js';

/** "While I was away (6 h)" for what the outside kept, as long as it was away; "While this chat was quiet", or what was muted, for what was held here. */
export function headOf(kept: readonly [Free, ...Free[]]): Head {
  const away = kept.flatMap((one) => (one.away === undefined ? [] : [one.away]));
  const held = kept.filter((one) => one.held !== undefined);
  const length = Math.max(...away.map(({ to }) => to)) - Math.min(...away.map(({ from }) => from));
  const causes = [...(away.length === 0 ? [] : [`I was away (${duration(length)})`]), ...(held.length === 0 ? [] : [quietOf(held)])];
  return { words: `While ${causes.join(' and ')}`, tone: away.length === 0 ? 'plain' : 'warning' };
}

function quietOf(held: readonly Free[]): string {
  const names = new Set(
    held.map(({ entry, held: hold }) =>
      entry !== undefined && (hold?.what === 'entry' || hold?.what === 'entry kind') ? shortName(entry.target) : undefined,
    ),
  );
  const [name] = names;
  return names.size === 1 && name !== undefined ? `${name} was muted` : 'this chat was quiet';
}
