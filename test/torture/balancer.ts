/** A round-robin load balancer with TLS, as in front of a bot with several processes. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';

export interface Balancer {
  readonly url: string;
  close(): void;
}

/** `processes`: the addresses at the moment. */
export async function startBalancer(folder: string, port: number, processes: () => readonly string[]): Promise<Balancer> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  let turn = 0;
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (incoming, answer) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const { method, url = '', headers } = incoming;
      const all = processes();
      turn += 1;
      /** A process that takes no connections is passed over, as by default in nginx and HAProxy. */
      const forward = (tries: number): void => {
        const to = all[(turn + tries) % Math.max(1, all.length)];
        const fail = (): void => {
          if (!answer.headersSent) answer.writeHead(502).end();
        };
        if (to === undefined || tries >= all.length) return fail();
        const onward = request(new URL(url, to), { method, headers }, (from) => {
          answer.writeHead(from.statusCode ?? 502);
          from.on('error', () => answer.destroy());
          from.pipe(answer);
        });
        onward.on('error', (error) => ('code' in error && error.code === 'ECONNREFUSED' ? forward(tries + 1) : fail()));
        onward.end(Buffer.concat(pieces));
        return undefined;
      };
      forward(0);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { url: `https://127.0.0.1:${port}`, close: () => server.close() };
}
