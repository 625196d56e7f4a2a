/** Estimates a server's clock from its replies. Pure. */

export interface ServerClock {
  /** `sentAt` and `receivedAt` are local, `serverMs` is in between. In ms. */
  observe(reply: { readonly sentAt: number; readonly receivedAt: number; readonly serverMs: number }): void;
  /** As the server's clock shows it; never later. */
  atServer(localMs: number): number;
}

/** A slow reply does not move the offset, a changed clock does. `onTime` gets each time that the server shows. */
export function openServerClock(onTime: (serverMs: number) => void = () => {}): ServerClock {
  let offset: number | undefined;
  return {
    observe({ sentAt, receivedAt, serverMs }) {
      const [low, high] = [serverMs - receivedAt, serverMs - sentAt];
      offset = offset === undefined ? low : Math.min(Math.max(offset, low), high);
      onTime(serverMs);
    },
    atServer: (localMs) => localMs + (offset ?? 0),
  };
}
