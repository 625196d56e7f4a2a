/** Which message was made under which nonce, for as long as the platform remembers: minutes, deleted messages included. */
import type { Clock } from '../../../src/base/clock.js';
import type { Id } from './types.js';

export interface Nonces {
  /** The message that stands under it within the window. */
  find(nonce: string | number): Id | undefined;
  remember(nonce: string | number, message: Id): void;
}

export function openNonces(clock: Clock, windowMs: number): Nonces {
  const kept = new Map<string, { readonly message: Id; readonly at: number }>();
  return {
    find(nonce) {
      const entry = kept.get(String(nonce));
      return entry !== undefined && clock.now() - entry.at <= windowMs ? entry.message : undefined;
    },
    remember: (nonce, message) => void kept.set(String(nonce), { message, at: clock.now() }),
  };
}
