/** Starts the bot from the environment and stops it on a signal. */
import { startApp } from './app.js';
import { lines } from './base/lines.js';
import { ConfigError, loadConfig } from './config.js';

/** A stop that hangs must not need a second person to end it. */
const PATIENCE = 15_000;

const out = lines(1);
const say = (text: string): void => out.write(`${text}\n`);

async function main(): Promise<void> {
  const app = await startApp(loadConfig());
  say(['Navwatch is running.', ...app.lines.map((line) => `  ${line}`), 'Press Ctrl+C to stop.'].join('\n'));
  app.warm();
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    // Listens on after the first: Ctrl+C in `npm start` arrives twice, from the terminal and from npm, and the second must not kill.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, resolve);
  });
  say(`Stopping (${signal}): finishing what is in hand.`);
  setTimeout(() => process.exit(1), PATIENCE).unref();
  await app.stop();
  say('Stopped.');
}

// What libraries print goes the usual way. A stream that nobody reads, or on a full disk, must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await main();
} catch (cause) {
  // What people can mend is a sentence; anything else shows where it broke.
  const mendable = cause instanceof ConfigError || (cause instanceof Error && cause.name === 'StoreError');
  console.error(mendable ? cause.message : cause);
  process.exitCode = 1;
}
