/**
 * Discord for the bench: the strict stand-in in a process of its own, behind a line that takes time. Arguments: the token, how many channels, the
 * requests of any second. Each channel takes five messages in five seconds, as the platform has long answered.
 */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { startDiscord } from '../../stand-ins/discord/start.js';
import { answerCalls } from './calls.js';
import { takenOf } from './taken.js';

/** Milliseconds. */
export interface Line {
  readonly roundTrip: number;
  /** Up to so many more on the way in. */
  readonly jitter: number;
}

export interface Ready {
  readonly url: string;
  readonly channels: readonly string[];
}

const [token = '', count = '1', perSecond = '50'] = process.argv.slice(2);
const POSTED = /^\/channels\/(\d+)\/messages$/u;

const discord = await startDiscord({ token, identifies: 1_000_000, globalBucket: { limit: Number(perSecond), windowMs: 1_000 } });
discord.controls.limit('POST', '/channels/:channel/messages', { limit: 5, windowMs: 5_000 });
const guild = discord.controls.addGuild();
const channels = Array.from({ length: Number(count) }, () => discord.controls.addChannel({ guild }));

let line: Line = { roundTrip: 0, jitter: 0 };
let arrivals: number[] = [];
let chats = new Set<string>();
let refused = 0;
let read = 0;

/** Reads what the transcript has more since the last time. */
function seen(): void {
  const { entries } = discord.transcript;
  for (; read < entries.length; read += 1) {
    const entry = entries[read];
    const channel = entry?.kind === 'rest' && entry.method === 'POST' ? POSTED.exec(entry.path)?.[1] : undefined;
    if (entry?.kind !== 'rest' || channel === undefined) continue;
    if (entry.status === 429) refused += 1;
    if (entry.status !== 200) continue;
    arrivals.push(entry.at);
    chats.add(channel);
  }
}

/** Passes bytes on after a time, in their order. */
function delayed(from: Socket, to: Socket, milliseconds: () => number): void {
  let before: Promise<unknown> = Promise.resolve();
  const inOrder = (work: () => void): void => {
    const arrives = wait(milliseconds());
    before = before.then(async () => arrives).then(work);
  };
  from.on('data', (chunk) => inOrder(() => void to.write(chunk)));
  from.on('end', () => inOrder(() => void to.end()));
  from.on('error', () => to.destroy());
}

const direct = new URL(discord.url);
const server = createServer((socket) => {
  const upstream = connect(Number(direct.port), direct.hostname);
  delayed(socket, upstream, () => line.roundTrip / 2 + Math.random() * line.jitter);
  delayed(upstream, socket, () => line.roundTrip / 2);
});
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${direct.pathname}`;
  answerCalls({ url, channels } satisfies Ready, {
    line: (next: Line) => void (line = next),
    connected: async () => discord.controls.gateway.ready(),
    reset() {
      discord.transcript.clear();
      arrivals = [];
      chats = new Set();
      refused = read = 0;
    },
    taken() {
      seen();
      return takenOf({ arrivals, chats: chats.size, refused });
    },
    /** Resolves with whether so many channels had a message in time. */
    reached: async ({ count: most, milliseconds }: { count: number; milliseconds: number }) => {
      const all = discord.controls.waitFor(() => {
        seen();
        return chats.size >= most;
      });
      return Promise.race([all.then(() => true), wait(milliseconds, false)]);
    },
  });
});
