/** Prometheus Alertmanager as a peer: one alert to so many Telegram receivers, each a route of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuSeconds, memory } from './proc.js';
import { TELEGRAM_TOKEN, type Telegram } from './scene.js';

const PROGRAM = 'prometheus-alertmanager';
const PATIENCE = 120_000;

export interface Cost {
  /** Seconds of CPU time and of the clock, from the alert to a second after the last message. */
  readonly cpu: number;
  readonly wall: number;
  /** Megabytes. */
  readonly peak: number;
}

/** Its version, or undefined where it is not installed. */
export function alertmanagerVersion(): string | undefined {
  const { status, stdout, stderr } = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' });
  return status === 0 ? /version (\d+\.\d+)/u.exec(`${stdout}${stderr}`)?.[1] : undefined;
}

export async function alertmanagerCost(telegram: Telegram, chats: number): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-bench-peer-'));
  const port = await freePort();
  await writeFile(join(folder, 'config.yml'), configuration(telegram.url, chats));
  const child = spawn(
    PROGRAM,
    [
      ...[`--config.file=${join(folder, 'config.yml')}`, `--storage.path=${join(folder, 'data')}`, '--log.level=error'],
      ...[`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
    ],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  try {
    const api = `http://127.0.0.1:${port}`;
    await answering(`${api}/-/ready`);
    await wait(1_000);
    await telegram.reset();
    const pid = child.pid!;
    const before = await cpuSeconds(pid);
    const begun = Date.now();
    await fetch(`${api}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ labels: { alertname: 'mint', project: 'tide' }, annotations: { summary: '1,234.5 TIDE minted' } }]),
    });
    if (!(await telegram.reached(chats, PATIENCE))) throw new Error('bench: Alertmanager did not reach every chat');
    const { last } = await telegram.taken();
    await wait(1_000);
    return { cpu: (await cpuSeconds(pid)) - before, wall: (last - begun) / 1_000, peak: (await memory(pid)).peak };
  } finally {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  }
}

function configuration(url: string, chats: number): string {
  const names = Array.from({ length: chats }, (_, index) => index);
  return JSON.stringify({
    route: {
      ...{ receiver: 'none', group_by: ['alertname'], group_wait: '0s', group_interval: '1h', repeat_interval: '24h' },
      routes: names.map((index) => ({ receiver: `chat${index}`, continue: true })),
    },
    receivers: [
      { name: 'none' },
      ...names.map((index) => ({
        name: `chat${index}`,
        telegram_configs: [
          {
            ...{ api_url: url, bot_token: TELEGRAM_TOKEN, chat_id: 300_001 + index, parse_mode: 'HTML', send_resolved: false },
            message: '<b>{{ .CommonLabels.project }}</b>: {{ .CommonAnnotations.summary }}',
          },
        ],
      })),
    ],
  });
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    await wait(100);
  }
  throw new Error('bench: Alertmanager did not start');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
