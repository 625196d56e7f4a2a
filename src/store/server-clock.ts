/** Estimates a server's clock from its replies, so that a statement can carry a deadline. Pure. */

export interface ServerClock {
  /** `sentAt` and `receivedAt` are local, `serverMs` is what the server's clock showed in between. All in milliseconds. */
  observe(reply: { readonly sentAt: number; readonly receivedAt: number; readonly serverMs: number }): void;
  /** A local moment as the server's clock shows it; never later than it is. */
  atServer(localMs: number): number;
}

/** The offset is kept while it fits the last reply: a slow reply does not move it, a changed clock does. */
export function openServerClock(): ServerClock {
  let offset: number | undefined;
  return {
    observe({ sentAt, receivedAt, serverMs }) {
      const [low, high] = [serverMs - receivedAt, serverMs - sentAt];
      offset = offset === undefined ? low : Math.min(Math.max(offset, low), high);
    },
    atServer: (localMs) => localMs + (offset ?? 0),
  };
}
