/** A gateway session: what it asked for, and every event it was alerted, so that a client that comes back hears what it missed. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Intent } from './flags.js';

export interface Frame {
  readonly op: number;
  readonly d: unknown;
  readonly s: number | null;
  readonly t: string | null;
}

/** https://docs.discord.com/developers/events/gateway#sharding */
export interface Shard {
  readonly id: number;
  readonly of: number;
}

/** Where events of a server arrive; those of no server arrive at the first shard. */
export const isOf = ({ id, of }: Shard, guild: string | undefined): boolean =>
  id === (guild === undefined ? 0 : Number((BigInt(guild) >> 22n) % BigInt(of)));

export interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shard: Shard;
  /** Every event, in order; its number is its place, counted from one. */
  readonly log: Frame[];
  /** Whether its READY is out. */
  ready: boolean;
  /** Writes to the client while one is connected. */
  send: ((frame: Frame) => void) | undefined;
}

export const openSession = (intents: number, shard: Shard): Session => ({
  id: randomBytes(16).toString('hex'),
  intents,
  shard,
  log: [],
  ready: false,
  send: undefined,
});

/** Keeps an event under the next number and sends it, if someone is there to hear it. */
export function tellSession(session: Session, name: string, data: unknown): void {
  const frame: Frame = { op: 0, d: data, s: session.log.length + 1, t: name };
  session.log.push(frame);
  session.send?.(frame);
}

/** What a message tells a client that did not ask for contents. */
export function withoutContent(session: Session, data: unknown): unknown {
  if ((session.intents & Intent.MESSAGE_CONTENT) !== 0) return data;
  return { ...z.record(z.string(), z.unknown()).parse(data), content: '', embeds: [], attachments: [], components: [] };
}
