/**
 * Starts the bot as a newcomer does, looks at its health and stops it as a terminal (Ctrl+C reaches npm and the bot both) and as a
 * service manager (SIGTERM to npm alone) do. Fails unless it comes up, is healthy and ends with exit code 0.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const PATIENCE = 30_000;
const folder = mkdtempSync(join(tmpdir(), 'navwatch-start-'));
const env = { ...process.env, HTTP_PORT: '0', STORE_URL: `sqlite://${join(folder, 'navwatch.sqlite')}`, LOG_LEVEL: 'warn' };

async function round(signal, toWhom) {
  const started = performance.now();
  // A process group of its own, as a terminal gives to what it starts.
  const child = spawn('npm', ['start'], { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => {
    child.on('exit', (code, by) => resolve(by ?? code));
  });
  const tooLong = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), PATIENCE);
  try {
    const address = await addressIn(child.stdout, ended);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const health = await fetch(new URL('/healthz', address));
    if (health.status !== 200) throw new Error(`/healthz answered ${health.status}: ${await health.text()}`);
    process.kill(toWhom === 'group' ? -child.pid : child.pid, signal);
    if (signal === 'SIGINT') await again(child);
    const code = await ended;
    if (code !== 0) throw new Error(`after ${signal} it ended with ${code} instead of 0`);
    console.log(`up in ${seconds} s at ${address}, healthy, ended with 0 after ${signal} to ${toWhom}`);
  } finally {
    clearTimeout(tooLong);
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
  }
}

/** npm passes Ctrl+C on: it may arrive when the bot has just stopped. */
async function again({ pid, stdout }) {
  for await (const chunk of stdout) if (String(chunk).includes('Stopped.')) break;
  process.kill(-pid, 'SIGINT');
}

/** The first address the bot prints. */
async function addressIn(stream, ended) {
  let said = '';
  const printed = (async () => {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      said += chunk;
      const found = /https?:\/\/[\w.:[\]]+/.exec(said);
      if (found) return found[0];
    }
    return undefined;
  })();
  const address = await Promise.race([printed, ended.then(() => undefined)]);
  if (address === undefined) throw new Error(`it ended before it printed an address:\n${said}`);
  // What it goes on to print must not fill the pipe.
  stream.resume();
  return address;
}

try {
  await round('SIGINT', 'group');
  await round('SIGTERM', 'npm');
  await round('SIGTERM', 'group');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
