/** A line between one process and its database that can be cut in two ways. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CutLine {
  readonly port: number;
  /** Connections break, and new ones are refused. */
  cut(): void;
  /** Connections stay open and nothing passes: what is sent meanwhile arrives when it is repaired. */
  silence(): void;
  repair(): void;
  close(): Promise<void>;
}

export async function openCutLine(port: number): Promise<CutLine> {
  let state: 'open' | 'cut' | 'silent' = 'open';
  const sockets = new Set<Socket>();
  const kept: (() => void)[] = [];
  const pass = (work: () => void): void => {
    if (state === 'silent') kept.push(work);
    else work();
  };
  const join = (from: Socket, to: Socket): void => {
    from.on('data', (bytes) => pass(() => void to.write(bytes)));
    from.on('end', () => pass(() => void to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      pass(() => to.destroySoon());
    });
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (state === 'cut') return void near.resetAndDestroy();
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [near, far]) sockets.add(socket.setNoDelay(true));
    join(near, far);
    join(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.resetAndDestroy();
    },
    silence: () => void (state = 'silent'),
    repair() {
      state = 'open';
      for (const work of kept.splice(0)) work();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
