/** A server that keeps to no rule: what may be answered to an outgoing request without ever answering it. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const forEver = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), 5);
  socket.on('close', () => clearInterval(timer));
};

/** Once the first bytes of a request are there. */
export const NASTY = {
  'switches protocols, with an upgrade': (socket) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  'switches protocols, without naming one': (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'says "continue" for ever': (socket) => forEver(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  'sends early hints for ever': (socket) => forEver(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
  'sends a header without an end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    forEver(socket, 'a');
  },
  'sends a body without an end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n');
    forEver(socket, ' ');
  },
  'resets the connection after the headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n', () => socket.resetAndDestroy());
  },
  'closes the connection': (socket) => void socket.end(),
  'says nothing': () => {},
  'never ends the TLS handshake': () => {},
} as const satisfies Record<string, (socket: Socket) => void>;
export type Nasty = keyof typeof NASTY;

export interface NastyPeer {
  readonly url: string;
  /** Resolves when a request, or what should have become one, has arrived. */
  readonly arrived: Promise<unknown>;
  /** Resolves when no connection is open. */
  left(): Promise<void>;
}

export async function startNastyPeer(behaviour: Nasty): Promise<NastyPeer> {
  const open = new Set<Socket>();
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.once('data', () => {
      NASTY[behaviour](socket);
      arrive();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('nasty peer: no port');
  return {
    url: `${behaviour === 'never ends the TLS handshake' ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    arrived,
    async left() {
      while (open.size > 0) await Promise.all([...open].map(async (socket) => once(socket, 'close')));
    },
  };
}
