import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { handClock } from '../../support/clock.js';
import { ask } from './caller.js';
import type { Frame } from './session.js';
import { startDiscord } from './start.js';
import type { DiscordOptions, DiscordStandIn, Id } from './types.js';

const GUILDS = 1;
const MESSAGES = 1 << 9;
const CONTENT = 1 << 15;
let discord: DiscordStandIn;
let guild: Id;
const open: Line[] = [];

/** A line to the gateway without a client library: what came in, and the code it was closed with. */
interface Line {
  readonly frames: Frame[];
  readonly closed: Promise<number>;
  send(op: number, d: unknown): void;
  /** Resolves with the first frame, come or to come, that fits. */
  received(fits: (frame: Frame) => boolean): Promise<Frame>;
  cut(): void;
}

async function connect(): Promise<Line> {
  const { url } = (await ask(discord, 'GET /gateway/bot')).body as { url: string };
  const socket = new WebSocket(`${url}?v=10&encoding=json`);
  const frames: Frame[] = [];
  const watchers = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as Frame);
    for (const look of watchers) look();
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').then(([code]) => Number(code));
  const line: Line = {
    frames,
    closed,
    send: (op, d) => socket.send(JSON.stringify({ op, d })),
    received: async (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = frames.find(fits);
          if (found === undefined) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
    cut: () => socket.terminate(),
  };
  open.push(line);
  await line.received(({ op }) => op === 10);
  return line;
}
const identify = (line: Line, intents = GUILDS, more = {}): void => line.send(2, { token: 'planted', intents, properties: {}, ...more });
const event = (line: Line, name: string): Promise<Frame> => line.received(({ t }) => t === name);
const names = ({ frames }: Line) => frames.flatMap(({ t }) => t ?? []);

async function start(more: Partial<DiscordOptions> = {}): Promise<void> {
  discord = await startDiscord({ token: 'planted', clock: handClock(), ...more });
  guild = discord.controls.addGuild();
}
beforeEach(async () => start());
afterEach(async () => {
  for (const line of open.splice(0)) line.cut();
  await discord.close();
});

describe('what the gateway refuses', () => {
  test.each([
    ['a wrong token', (line: Line) => identify(line, GUILDS, { token: 'other' }), 4004],
    ['a frame that is none', (line: Line) => line.send('?' as unknown as number, {}), 4002],
    ['an identify without intents', (line: Line) => line.send(2, { token: 'planted', properties: {} }), 4002],
    ['a frame of more than 4,096 bytes', (line: Line) => line.send(1, 'x'.repeat(4096)), 4002],
    ['an unknown opcode', (line: Line) => line.send(42, null), 4001],
    ['a presence before the identify', (line: Line) => line.send(3, {}), 4003],
    ['an intent that does not exist', (line: Line) => identify(line, 1 << 30), 4013],
    ['a privileged intent that is not granted', (line: Line) => identify(line, GUILDS | CONTENT), 4014],
    ['a hundred and twenty-one frames a minute', (line: Line) => Array.from({ length: 121 }, () => line.send(1, null)), 4008],
  ])('%s', async (_what, act, code) => {
    const line = await connect();
    act(line);
    expect(await line.closed).toBe(code);
    expect(discord.controls.gateway.connections()).toBe(0);
  });
  test('a second identify, and a number it never gave', async () => {
    const line = await connect();
    identify(line);
    const ready = (await event(line, 'READY')).d as { session_id: string };
    identify(line);
    expect(await line.closed).toBe(4005);
    const again = await connect();
    again.send(6, { token: 'planted', session_id: ready.session_id, seq: 99 });
    expect(await again.closed).toBe(4007);
  });
  test('one identify more than the day allows', async () => {
    await discord.close();
    await start({ identifies: 1 });
    const first = await connect();
    identify(first);
    await event(first, 'READY');
    expect((await ask(discord, 'GET /gateway/bot')).body).toMatchObject({ session_start_limit: { total: 1, remaining: 0 } });
    const second = await connect();
    identify(second);
    expect(await second.closed).toBe(4004);
  });
  test('a line while it is down', async () => {
    discord.controls.gateway.setDown(true);
    const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway`);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('503');
    discord.controls.gateway.setDown(false);
    identify(await connect());
    await discord.controls.gateway.ready();
  });
});

describe('what a session hears', () => {
  test('READY with its servers away, then each of them, numbered', async () => {
    discord.controls.setUnavailable(discord.controls.addGuild(), true);
    const line = await connect();
    identify(line);
    await event(line, 'GUILD_CREATE');
    expect(names(line)).toEqual(['READY', 'GUILD_CREATE']);
    expect(line.frames.map(({ s }) => s)).toEqual([null, 1, 2]);
    expect(line.frames[1]?.d).toMatchObject({ guilds: [{ id: guild, unavailable: true }, { unavailable: true }] });
    expect(discord.controls.gateway.intents()).toBe(GUILDS);
  });
  test('heartbeats are acknowledged, until the test withholds it', async () => {
    const line = await connect();
    line.send(1, null);
    await line.received(({ op }) => op === 11);
    discord.controls.gateway.withholdAcks(true);
    line.send(1, null);
    identify(line);
    await event(line, 'READY');
    expect(line.frames.filter(({ op }) => op === 11)).toHaveLength(1);
  });
  test('words without the content, unless it may read it or is addressed', async () => {
    await discord.close();
    await start({ privilegedIntents: CONTENT });
    const channel = discord.controls.addChannel({ guild });
    const user = discord.controls.addUser();
    const [plain, reader] = [await connect(), await connect()];
    identify(plain, GUILDS | MESSAGES);
    identify(reader, GUILDS | MESSAGES | CONTENT);
    await Promise.all([event(plain, 'GUILD_CREATE'), event(reader, 'GUILD_CREATE')]);
    discord.controls.say({ channel, user, content: 'hello' });
    expect([(await event(plain, 'MESSAGE_CREATE')).d, (await event(reader, 'MESSAGE_CREATE')).d]).toMatchObject([
      { content: '' },
      { content: 'hello' },
    ]);
    const addressed = `<@${discord.applicationId}> hello`;
    discord.controls.say({ channel, user, content: addressed });
    expect(await plain.received(({ d }) => (d as { content?: string } | null)?.content === addressed)).toBeDefined();
  });
});

describe('a session that was cut', () => {
  async function cut(): Promise<{ readonly session_id: string; readonly resume_gateway_url: string }> {
    const line = await connect();
    identify(line);
    await event(line, 'GUILD_CREATE');
    discord.controls.gateway.drop();
    expect(await line.closed).toBe(1006);
    return line.frames[1]?.d as { session_id: string; resume_gateway_url: string };
  }
  const resume = async (session_id: string, seq: number): Promise<Line> => {
    const line = await connect();
    line.send(6, { token: 'planted', session_id, seq });
    return line;
  };

  test('hears all that it missed from the number it names, then RESUMED', async () => {
    const { session_id: session } = await cut();
    discord.controls.addChannel({ guild });
    discord.controls.addRole({ guild });
    const line = await resume(session, 1);
    await event(line, 'RESUMED');
    expect(names(line)).toEqual(['GUILD_CREATE', 'CHANNEL_CREATE', 'GUILD_ROLE_CREATE', 'RESUMED']);
    expect(line.frames.map(({ s }) => s)).toEqual([null, 2, 3, 4, 5]);
  });
  test('begins again when it is refused, when it is unknown, and when it said goodbye', async () => {
    const { session_id: session } = await cut();
    discord.controls.gateway.refuseResumes(1);
    for (const id of [session, session, 'unknown']) {
      const line = await resume(id, 1);
      expect(await line.received(({ op }) => op === 9)).toMatchObject({ d: false });
    }
    expect(discord.controls.gateway.counts()).toMatchObject({ resumes: 0, refused: 3 });
  });
  test('is forgotten after a final close, and kept after one that is not', async () => {
    for (const [code, op] of [
      [4000, 0],
      [4009, 9],
    ] as const) {
      const line = await connect();
      identify(line);
      const { session_id: session } = (await event(line, 'READY')).d as { session_id: string };
      discord.controls.gateway.close(code);
      expect(await line.closed).toBe(code);
      const back = await resume(session, 1);
      await back.received((frame) => frame.op === op);
    }
  });
  test('may be ended in the very moment it is resumed', async () => {
    const { session_id: session } = await cut();
    const { gateway, waitFor } = discord.controls;
    const ended = waitFor(() => {
      if (gateway.counts().resumes === 0) return false;
      gateway.invalidate(false);
      return true;
    });
    const line = await resume(session, 2);
    await ended;
    await line.received(({ op }) => op === 9);
    expect(line.frames.map(({ op, t }) => t ?? op)).toEqual([10, 'RESUMED', 9]);
  });
  test('a new line takes over from the one that still stands', async () => {
    const line = await connect();
    identify(line);
    const { session_id: session } = (await event(line, 'READY')).d as { session_id: string };
    await event(await resume(session, 2), 'RESUMED');
    await line.closed;
    expect(discord.controls.gateway.connections()).toBe(1);
  });
});

test('a file that comes with a command is alerted, and fetched from its signed address only', async () => {
  const { controls, applicationId } = discord;
  const list = { type: 11, name: 'list', description: 'A file' };
  await ask(discord, `PUT /applications/${applicationId}/commands`, {
    body: [{ name: 'import', description: 'Reads it', options: [list] }],
  });
  const line = await connect();
  identify(line);
  await event(line, 'READY');
  const channel = controls.addChannel({ guild });
  const user = controls.addUser();
  const send = async (file: Parameters<typeof controls.addFile>[0]) => {
    const id = controls.addFile(file);
    controls.slash({ channel, user, command: 'import', options: { list: id } });
    const alerted = await line.received(({ t, d }) => t === 'INTERACTION_CREATE' && JSON.stringify(d).includes(id));
    return (alerted.d as { data: { resolved: { attachments: Record<string, { url: string }> } } }).data.resolved.attachments[id]!;
  };
  const alerted = await send({ name: 'list.txt', bytes: Buffer.from('0xabc'), size: 7, contentType: 'text/plain' });
  expect(alerted).toMatchObject({ filename: 'list.txt', size: 7, content_type: 'text/plain' });
  expect(await (await fetch(alerted.url)).text()).toBe('0xabc');
  expect((await fetch(alerted.url.replace(/\?.*$/u, ''))).status).toBe(404);
  const gone = await send({ name: 'a.txt', bytes: Buffer.from('a'), trouble: 'gone' });
  expect((await fetch(gone.url)).status).toBe(404);
  const cut = await send({ name: 'b.txt', bytes: Buffer.from('half and half'), trouble: 'cut' });
  await expect(fetch(cut.url).then(async (got) => got.text())).rejects.toThrow();
  expect(() => controls.slash({ channel, user, command: 'import', options: { list: '1' } })).toThrow('knows no attachment');
});
