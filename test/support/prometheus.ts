/** A Prometheus from Debian on loopback, with its data in a temporary folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from './free-port.js';

const PROMETHEUS = '/usr/bin/prometheus';
export const PROMTOOL = '/usr/bin/promtool';

/** Why tests that need it are skipped; undefined: they run. */
export const withoutPrometheus = existsSync(PROMETHEUS) && existsSync(PROMTOOL) ? undefined : 'Prometheus is not installed';

const MAX_START_MS = 120_000;
const answer = z.object({ status: z.string(), data: z.unknown() });

export interface RunningPrometheus {
  /** Of its HTTP API; rejects unless it says success. */
  get(path: string, parameters?: Readonly<Record<string, string>>): Promise<unknown>;
  stop(): Promise<void>;
}

interface Scraped {
  readonly target: string;
  readonly rules: string;
  readonly every: string;
  /** `Bearer` and a token. */
  readonly authorization: string;
}

/** Resolves once `isUp` says so of its API. */
export async function startPrometheus(
  { target, rules, every, authorization }: Scraped,
  isUp: (server: RunningPrometheus) => Promise<boolean>,
): Promise<RunningPrometheus> {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'navwatch-prometheus-'))];
  const config = {
    global: { scrape_interval: every, scrape_timeout: every, evaluation_interval: every },
    rule_files: [rules],
    scrape_configs: [
      {
        job_name: 'navwatch',
        authorization: { credentials_file: join(folder, 'token') },
        static_configs: [{ targets: [target] }],
      },
    ],
  };
  // As `console-token` is, with a line end.
  await writeFile(join(folder, 'token'), `${authorization.replace('Bearer ', '')}\n`);
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const options = [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn(PROMETHEUS, options, { cwd: folder, stdio: 'ignore' });
  const gone = once(child, 'exit');
  const atExit = (): void => void child.kill('SIGKILL');
  process.on('exit', atExit);
  const server: RunningPrometheus = {
    async get(path, parameters = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
      const { status, data } = answer.parse(await response.json());
      if (status !== 'success') throw new Error(`${path} ${JSON.stringify(parameters)} answered ${status}`);
      return data;
    },
    async stop() {
      process.off('exit', atExit);
      child.kill('SIGKILL');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
  const end = Date.now() + MAX_START_MS;
  while (!(await isUp(server).catch(() => false))) {
    if (child.exitCode !== null || Date.now() > end) {
      await server.stop();
      throw new Error('Prometheus did not start, or did not find its target');
    }
    await sleep(50);
  }
  return server;
}
