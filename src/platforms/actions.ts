/** Buttons whose command line does not fit a platform's payload: the line is kept in the store under a short key, `action/<key>`. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Store } from '../store/store.js';

export interface Actions {
  /** The payload for a button: the line itself where it fits in so many bytes, else a key under which it is kept. */
  payload(line: string, mostBytes: number): Promise<string>;
  /** The line behind a payload; undefined for a key that is not kept (any more). */
  line(payload: string): Promise<string | undefined>;
}

/** Lines begin with a slash, so a key is told apart by its first character. */
const KEY_MARK = '#';

/** The key is derived from the line: keeping the same line again costs nothing and changes nothing. */
export function openActions(store: Store): Actions {
  const documents = store.collection({ prefix: 'action', version: 1, schema: z.object({ line: z.string().startsWith('/') }) });
  return {
    async payload(line, mostBytes) {
      if (Buffer.byteLength(line) <= mostBytes) return line;
      const key = createHash('sha256').update(line).digest('base64url').slice(0, 20);
      if ((await documents.get(key)) === undefined) await documents.set(key, { line });
      return KEY_MARK + key;
    },
    async line(payload) {
      return payload.startsWith(KEY_MARK) ? (await documents.get(payload.slice(KEY_MARK.length)))?.line : payload;
    },
  };
}
