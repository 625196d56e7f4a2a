/** A connection to a server that can be cut after a request has reached it and before its answer comes back. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly port: number;
  /** The next answer is lost, with its connection. */
  cutNextAnswer(): void;
  /** Answers that were lost so far. */
  cuts(): number;
  close(): Promise<void>;
}

export async function cuttingProxy(to: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let isCutting = false;
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', end);
    }
    near.pipe(far);
    far.on('data', (data) => {
      if (!isCutting) {
        near.write(data);
        return;
      }
      isCutting = false;
      cuts += 1;
      end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cutNextAnswer: () => {
      isCutting = true;
    },
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
