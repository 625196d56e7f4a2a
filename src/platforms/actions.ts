/** Buttons whose command line does not fit a platform's payload: the line is kept in the store under a short key, `action/<key>`. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY, HOUR, type Clock, type Instant } from '../base/clock.js';
import { instantSchema } from '../domain/scalars.js';
import type { Store } from '../store/store.js';

export interface Actions {
  /** The payload for a button: the line itself where it fits in so many bytes, else a key under which it is kept. */
  payload(line: string, mostBytes: number): Promise<string>;
  /** The line behind a payload; undefined for a key that is not kept (any more). */
  line(payload: string): Promise<string | undefined>;
}

/** A button that nobody was shown again for so long is as good as gone; pressed after that it says so. */
const KEPT_FOR = 90 * DAY;
/** One that carries a list, with the labels that somebody gave wallets, is pressed soon or not at all: the chat's list has changed by then. */
const LIST_KEPT_FOR = DAY;
const CARRIES_LIST = /^\/watchlist (?:import|replace) /u;
/** How often the moment is written anew of a line that is shown again and again. */
const NOTED_EVERY = HOUR;

const actionSchema = z.object({
  line: z.string().startsWith('/'),
  /** When a button for it was last shown, to within an hour. Absent in what was kept before that was noted. */
  shownAt: instantSchema.optional(),
});
const open = (store: Store) => store.collection({ prefix: 'action', version: 1, schema: actionSchema });

/** Lines begin with a slash, so a key is told apart by its first character. */
const KEY_MARK = '#';

/** The key is derived from the line: keeping the same line again costs nothing. */
export function openActions(store: Store, clock: Clock): Actions {
  const documents = open(store);
  return {
    async payload(line, mostBytes) {
      if (Buffer.byteLength(line) <= mostBytes) return line;
      const key = createHash('sha256').update(line).digest('base64url').slice(0, 20);
      const shownAt = (await documents.get(key))?.shownAt;
      if (shownAt === undefined || clock.now() - shownAt >= NOTED_EVERY) await documents.set(key, { line, shownAt: clock.now() });
      return KEY_MARK + key;
    },
    async line(payload) {
      return payload.startsWith(KEY_MARK) ? (await documents.get(payload.slice(KEY_MARK.length)))?.line : payload;
    },
  };
}

/** Forgets the lines of buttons that were shown long ago. What was kept before that was noted is noted as shown now. */
export async function sweepActions(store: Store, now: Instant): Promise<void> {
  const documents = open(store);
  const { found } = await documents.list();
  for (const [key, { line, shownAt }] of found) {
    if (shownAt === undefined) await documents.set(key, { line, shownAt: now });
    else if (now - shownAt >= (CARRIES_LIST.test(line) ? LIST_KEPT_FOR : KEPT_FOR)) await documents.delete(key);
  }
}
