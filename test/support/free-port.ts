import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range from which systems give ports to clients, so that no connection takes the port before the program or while it restarts. */
const [FIRST, LAST] = [20_000, 32_000];
const MAX_TRIES = 100;

/** Returns a port of 127.0.0.1 for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(FIRST, LAST);
    const server = createServer();
    server.listen(port, '127.0.0.1');
    // Rejects if another program listens there.
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`none of ${MAX_TRIES} ports from ${FIRST} to ${LAST} is free`);
}
