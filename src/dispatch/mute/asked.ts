/** What is asked of `/mute`: what is to be quiet, and until when. The words of a line and the options of a form are read alike. */
import type { Target } from '../../alerts/entry.js';
import type { Context } from '../context.js';
import { zoneOf } from '../local-time.js';
import { UserMistake } from '../mistake.js';
import { looksLikeTime, muteTime, TIME_EXAMPLES, type Here } from '../mute-time.js';
import { entryNamed, entryOf } from '../targets.js';
import type { Instant } from '../../domain/scalars.js';

export interface Options {
  readonly target?: string | undefined;
  readonly kind?: string | undefined;
  readonly time?: string | undefined;
}

export interface Asked {
  /** Undefined: the whole chat. */
  readonly target: Target | undefined;
  /** Undefined: every kind. */
  readonly kind: string | undefined;
  /** Undefined: nothing is to be changed. */
  readonly until: Instant | 'off' | undefined;
}

/** Rejects with a `UserMistake` where a time cannot be read or is not allowed, and where something is not watched. */
export async function asked({ target, kind, time }: Options, context: Context): Promise<Asked> {
  const chat = context.watchlists.read(context.chat);
  const here: Here = { now: context.now, zone: zoneOf(chat) };
  const words = [target, time]
    .filter((part) => part !== undefined)
    .join(' ')
    .split(/\s+/u)
    .filter((word) => word !== '');
  const split = splitOf(words, { here, isName: (text) => entryNamed(text, chat) !== undefined });
  const { name, time: end } = split ?? { name: unread({ target, time, words }), time: '' };
  // "launches" is an entry as well as a kind; where both could be meant, the entry is: it has no other kind.
  const launches = name === '' && kind === 'launches' ? entryNamed('launches', chat) : undefined;
  return {
    target: launches?.target ?? (name === '' ? undefined : (await entryOf(name, context)).target),
    kind: launches === undefined ? kind : undefined,
    until: end === '' ? undefined : endOf(end, here),
  };
}

interface Split {
  readonly name: string;
  readonly time: string;
}

/** The name and the time, of which either may be missing: as many words as read as a time, at the end or else at the beginning. */
function splitOf(words: readonly string[], { here, isName }: { here: Here; isName: (text: string) => boolean }): Split | undefined {
  if (words.length === 0 || isName(words.join(' '))) return { name: words.join(' '), time: '' };
  const cuts = words.map((_, at) => [words.slice(0, at).join(' '), words.slice(at).join(' ')] as const);
  const splits = [...cuts.map(([name, time]) => ({ name, time })), ...cuts.toReversed().map(([time, name]) => ({ name, time }))];
  return splits.find(({ time }) => muteTime(time, here) !== undefined);
}

/** No words are a time: they are a name, unless they were meant as one. */
function unread({ target, time, words }: { target: string | undefined; time: string | undefined; words: readonly string[] }): string {
  const odd = [time, target].find((part) => part !== undefined && looksLikeTime(part));
  if (odd !== undefined)
    throw new UserMistake(`"${odd}" is no length of time I know, and no moment either. Write ${TIME_EXAMPLES}.`, { usage: 'mute' });
  return words.join(' ');
}

function endOf(text: string, here: Here): Instant | 'off' {
  const end = muteTime(text, here);
  if (end === 'off') return 'off';
  if (end !== undefined && 'until' in end) return end.until;
  throw new UserMistake(`${end?.says ?? `"${text}" is no time I know.`} Write ${TIME_EXAMPLES}, or "off".`, { usage: 'mute' });
}
