/** The gateway: HELLO, IDENTIFY, heartbeats, events, RESUME with replay. https://docs.discord.com/developers/events/gateway */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import type { Bus } from './bus.js';
import type { Clock } from '../../../src/base/clock.js';
import { KNOWN_INTENTS, PRIVILEGED_INTENTS } from './flags.js';
import { openPace } from './pace.js';
import { isOf, openSession, tellSession, withoutContent, type Frame, type Session } from './session.js';
import type { Dispatch } from './context.js';
import type { Recorder } from './transcript.js';
import type { GatewayControls } from './types.js';

const Op = {
  EVENT: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  PRESENCE: 3,
  VOICE: 4,
  RESUME: 6,
  RECONNECT: 7,
  MEMBERS: 8,
  INVALID: 9,
  HELLO: 10,
  ACK: 11,
} as const;
const KNOWN_OPS: ReadonlySet<number> = new Set([Op.PRESENCE, Op.VOICE, Op.MEMBERS]);

/** Bytes; the platform takes no longer frame. */
const LONGEST_FRAME = 4096;
/** After any other code a session cannot be resumed. https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const RESUMABLE: ReadonlySet<number> = new Set([1001, 1006, 4000, 4001, 4002, 4003, 4005, 4008]);

const frameForm = z.object({ op: z.number(), d: z.unknown() });
const identifyForm = z.object({
  token: z.string(),
  intents: z.number(),
  properties: z.looseObject({}),
  shard: z.tuple([z.int().nonnegative(), z.int().positive()]).default([0, 1]),
});
const resumeForm = z.object({ token: z.string(), session_id: z.string(), seq: z.number() });

export interface GatewayParts {
  readonly token: string;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly transcript: Recorder;
  readonly heartbeatMs: number;
  readonly privilegedIntents: number;
  readonly identifies: number;
  readonly shards: number;
  /** The events a client hears when it has identified: READY first. */
  greet(session: Session): readonly { readonly name: string; readonly data: unknown }[];
}

export interface Gateway {
  readonly dispatch: Dispatch;
  readonly controls: GatewayControls;
  /** For GET /gateway/bot. */
  startLimit(): { readonly total: number; readonly remaining: number; readonly reset_after: number; readonly max_concurrency: number };
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

export function openGateway(parts: GatewayParts): Gateway {
  const { bus, transcript, clock } = parts;
  const server = new WebSocketServer({ noServer: true });
  const sockets = new Map<WebSocket, Session | undefined>();
  const isTooFast = openPace();
  const sessions = new Map<string, Session>();
  const counts = { identifies: 0, resumes: 0, refused: 0 };
  const plan = { withhold: false, refuseResumes: 0, refuseIdentifies: { code: 0, times: 0 }, down: false };
  /** Sockets alerted to go; whoever waits for a client does not mean these. */
  const leaving = new WeakSet<WebSocket>();
  let latest: Session | undefined;

  const record = (from: 'client' | 'server', { op, d, t }: Pick<Frame, 'op' | 'd'> & { readonly t?: string | null }): void =>
    transcript.record({
      kind: 'gateway',
      at: clock.now(),
      from,
      op,
      event: t ?? undefined,
      data: op === Op.EVENT || from === 'server' ? d : withoutToken(d),
    });
  const write = (socket: WebSocket, frame: Frame): void => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(JSON.stringify(frame));
    record('server', frame);
  };
  const plain = (op: number, d: unknown): Frame => ({ op, d, s: null, t: null });
  const attach = (socket: WebSocket, session: Session): void => {
    session.send = (frame) => write(socket, frame);
    sockets.set(socket, session);
    latest = session;
  };

  /** From now on the session is without a line; what it is alerted waits for its return. */
  const detach = (socket: WebSocket): void => {
    const session = sockets.get(socket);
    sockets.delete(socket);
    if (session !== undefined && ![...sockets.values()].includes(session)) session.send = undefined;
    bus.happened();
  };

  const identify = (socket: WebSocket, d: unknown): void => {
    const asked = identifyForm.safeParse(d);
    const refuse = (code: number, why: string): void => {
      counts.refused += 1;
      socket.close(code, why);
    };
    if (!asked.success) return refuse(4002, 'Error while decoding payload.');
    if (sockets.get(socket) !== undefined) return refuse(4005, 'Already authenticated.');
    if (plan.refuseIdentifies.times > 0) {
      plan.refuseIdentifies.times -= 1;
      return refuse(plan.refuseIdentifies.code, 'Refused by the test.');
    }
    if (asked.data.token !== parts.token || counts.identifies >= parts.identifies) return refuse(4004, 'Authentication failed.');
    const { intents } = asked.data;
    if (!Number.isInteger(intents) || (intents & ~KNOWN_INTENTS) !== 0) return refuse(4013, 'Invalid intent(s).');
    if ((intents & PRIVILEGED_INTENTS & ~parts.privilegedIntents) !== 0) return refuse(4014, 'Disallowed intent(s).');
    const [id, of] = asked.data.shard;
    if (id >= of) return refuse(4010, 'Invalid shard.');
    if (of !== parts.shards) return refuse(4011, 'Sharding required.');
    counts.identifies += 1;
    const session = openSession(intents, { id, of });
    sessions.set(session.id, session);
    attach(socket, session);
    for (const { name, data } of parts.greet(session)) tellSession(session, name, data);
    session.ready = true;
    return bus.happened();
  };

  const resume = (socket: WebSocket, d: unknown): void => {
    const asked = resumeForm.safeParse(d);
    if (!asked.success) return socket.close(4002, 'Error while decoding payload.');
    if (asked.data.token !== parts.token) return socket.close(4004, 'Authentication failed.');
    const session = sessions.get(asked.data.session_id);
    if (plan.refuseResumes > 0 || session === undefined) {
      plan.refuseResumes = Math.max(0, plan.refuseResumes - 1);
      counts.refused += 1;
      sessions.delete(asked.data.session_id);
      return write(socket, plain(Op.INVALID, false));
    }
    if (asked.data.seq > session.log.length) return socket.close(4007, 'Invalid seq.');
    for (const [other, its] of [...sockets])
      if (its === session && other !== socket) {
        detach(other);
        other.terminate();
      }
    attach(socket, session);
    for (const missed of session.log.slice(asked.data.seq)) session.send?.(missed);
    tellSession(session, 'RESUMED', { _trace: [] });
    counts.resumes += 1;
    return bus.happened();
  };

  const hear = (socket: WebSocket, text: string): void => {
    if (isTooFast(socket)) return socket.close(4008, 'Rate limited.');
    if (text.length > LONGEST_FRAME) return socket.close(4002, 'Error while decoding payload.');
    const frame = frameForm.safeParse(parseJson(text));
    if (!frame.success) return socket.close(4002, 'Error while decoding payload.');
    const { op, d } = frame.data;
    record('client', { op, d });
    if (op === Op.HEARTBEAT) {
      if (!plan.withhold) write(socket, plain(Op.ACK, null));
      return undefined;
    }
    if (op === Op.IDENTIFY) return identify(socket, d);
    if (op === Op.RESUME) return resume(socket, d);
    if (!KNOWN_OPS.has(op)) return socket.close(4001, 'Unknown opcode.');
    return sockets.get(socket) === undefined ? socket.close(4003, 'Not authenticated.') : undefined;
  };

  const accept = (socket: WebSocket): void => {
    sockets.set(socket, undefined);
    socket.on('message', (data: Buffer) => hear(socket, data.toString()));
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => {
      // Who says goodbye gives the session up.
      if (code === 1000 || code === 1001) sessions.delete(sockets.get(socket)?.id ?? '');
      detach(socket);
    });
    write(socket, plain(Op.HELLO, { heartbeat_interval: parts.heartbeatMs, _trace: [] }));
  };
  const each = (act: (socket: WebSocket) => void): void => {
    for (const socket of [...sockets.keys()]) act(socket);
  };
  const connected = (): readonly Session[] => [...sockets.values()].filter((session) => session !== undefined);

  return {
    dispatch({ name, data, intent, content = false }) {
      for (const session of sessions.values())
        if (session.ready && isOf(session.shard, guildIn(name, data)) && (intent === 0 || (session.intents & intent) !== 0))
          tellSession(session, name, content ? withoutContent(session, data) : data);
    },
    startLimit: () => ({
      total: parts.identifies,
      remaining: Math.max(0, parts.identifies - counts.identifies),
      reset_after: 86_400_000,
      max_concurrency: 1,
    }),
    upgrade(request, socket, head) {
      if (plan.down) socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
      else server.handleUpgrade(request, socket, head, accept);
    },
    close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
    controls: {
      ready: async () =>
        void (await bus.waitFor(() => [...sockets].some(([socket, session]) => session?.ready === true && !leaving.has(socket)))),
      intents: () => latest?.intents,
      connections: () => connected().length,
      drop: () =>
        each((socket) => {
          detach(socket);
          socket.terminate();
        }),
      close: (code) =>
        each((socket) => {
          if (!RESUMABLE.has(code)) sessions.delete(sockets.get(socket)?.id ?? '');
          detach(socket);
          socket.close(code);
        }),
      reconnect: () =>
        each((socket) => {
          leaving.add(socket);
          write(socket, plain(Op.RECONNECT, null));
        }),
      invalidate(resumable) {
        for (const session of resumable ? [] : connected()) sessions.delete(session.id);
        each((socket) => {
          leaving.add(socket);
          write(socket, plain(Op.INVALID, resumable));
        });
      },
      withholdAcks: (withhold) => void (plan.withhold = withhold),
      refuseResumes: (times) => void (plan.refuseResumes = times),
      refuseIdentifies: (code, times) => void (plan.refuseIdentifies = { code, times }),
      setDown: (down) => void (plan.down = down),
      repeat(events) {
        for (const session of connected())
          for (const { t, d } of session.log.filter(({ t }) => t !== 'READY' && t !== 'RESUMED').slice(-events))
            tellSession(session, t ?? '', d);
      },
      counts: () => ({ ...counts }),
    },
  };
}

const guildForm = z.looseObject({ guild_id: z.string().optional(), id: z.string().optional() });

function guildIn(event: string, data: unknown): string | undefined {
  const { guild_id: guild, id } = guildForm.parse(data);
  return guild ?? (/^GUILD_(CREATE|UPDATE|DELETE)$/u.test(event) ? id : undefined);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The transcript may end up in a report; the token must not. */
function withoutToken(d: unknown): unknown {
  const alerted = z.looseObject({ token: z.string() }).safeParse(d);
  return alerted.success ? { ...alerted.data, token: '…' } : d;
}
