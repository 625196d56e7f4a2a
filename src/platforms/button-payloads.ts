/** Stores command lines that are too long for a button's payload. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY, HOUR, type Clock, type Instant } from '../base/clock.js';
import { instantSchema } from '../domain/scalars.js';
import type { Store } from '../store/store.js';

export interface Actions {
  payload(line: string, mostBytes: number): Promise<string>;
  /** Resolves with undefined if the line is no longer stored, and for what no button carries. */
  line(payload: string): Promise<string | undefined>;
}

/** Keeps lines as they are, for previews, which store nothing. */
export const unstored: Actions = { payload: async (line) => line, line: async () => undefined };

/** How long a line is stored after its button was last shown. */
const KEPT_FOR = 90 * DAY;
const LIST_KEPT_FOR = DAY;
const CARRIES_LIST = /^\/watchlist (?:import|replace) /u;
const NOTED_EVERY = HOUR;

const actionSchema = z.object({
  line: z.string().startsWith('/'),
  shownAt: instantSchema.optional(),
});
const open = (store: Store) => store.collection({ prefix: 'action', version: 1, schema: actionSchema, writers: 'any' });

/** The first character of a key; a command line begins with a slash. */
const KEY_MARK = '#';

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
      if (payload.startsWith(KEY_MARK)) return (await documents.get(payload.slice(KEY_MARK.length)))?.line;
      // Buttons carry command lines. Other words come from a forged press, and would be answered as a sentence.
      return payload.startsWith('/') ? payload : undefined;
    },
  };
}

export async function sweepActions(store: Store, now: Instant): Promise<void> {
  const documents = open(store);
  const { found } = await documents.list();
  for (const [key, { line, shownAt }] of found) {
    if (shownAt === undefined) await documents.set(key, { line, shownAt: now });
    else if (now - shownAt >= (CARRIES_LIST.test(line) ? LIST_KEPT_FOR : KEPT_FOR)) await documents.delete(key);
  }
}
