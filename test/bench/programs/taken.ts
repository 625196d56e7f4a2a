/** What a platform of the bench took, from the moments at which messages came. */

export interface Taken {
  readonly messages: number;
  readonly chats: number;
  readonly refused: number;
  /** Messages of chats that had one before. */
  readonly repeated: number;
  /** Milliseconds from the first message to the last. */
  readonly span: number;
  /** Those that came more than a second after the first. */
  readonly later: number;
  /** The most that stood in any sliding second. */
  readonly most: number;
  /** When the first and the last came, in milliseconds since 1970. */
  readonly first: number;
  readonly last: number;
}

/** `arrivals`: in milliseconds since 1970, in order. */
export function takenOf({
  arrivals,
  chats,
  refused,
}: {
  readonly arrivals: readonly number[];
  readonly chats: number;
  readonly refused: number;
}): Taken {
  const first = arrivals[0] ?? 0;
  const last = arrivals.at(-1) ?? 0;
  let most = 0;
  for (let end = 0, start = 0; end < arrivals.length; end += 1) {
    while (arrivals[end]! - arrivals[start]! >= 1_000) start += 1;
    most = Math.max(most, end - start + 1);
  }
  const messages = arrivals.length;
  const later = arrivals.filter((at) => at - first > 1_000).length;
  return { messages, chats, refused, repeated: messages - chats, span: last - first, later, most, first, last };
}
