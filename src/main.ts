/** Starts the bot from the environment and stops it on a signal. */
import { EXIT_LEASE_LOST, startApp, type RunningApp } from './app.js';
import { crashText, redactCrashes } from './base/crash.js';
import { lines } from './base/line-writer.js';
import { redactor } from './base/redact.js';
import { ConfigError, loadConfig, secretsOf } from './config.js';

/** A hanging stop ends by itself. */
const PATIENCE = 15_000;

const out = lines(1);
const say = (text: string): void => out.write(`${text}\n`);

let redact = redactor([]);

async function main(): Promise<void> {
  const config = loadConfig();
  redact = redactor(secretsOf(config));
  const app = await startApp(config);
  const { sharing } = app;
  const announce = (title: string, details: readonly string[]): void => say([title, ...details.map((line) => `  ${line}`)].join('\n'));
  announce(sharing?.isStandby === true ? 'Navwatch stands by.' : 'Navwatch is running.', app.lines);
  say('Press Ctrl+C to stop.');
  app.warm();
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    // Listens on after the first: Ctrl+C in `npm start` arrives twice, from the terminal and from npm, and the second must not kill.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, resolve);
  });
  sharing?.tookOver.then(
    (details) => announce('Navwatch is active now.', details),
    (cause: unknown) => {
      complain(cause);
      // Frees the lease for the next process.
      void end(app).finally(() => process.exit(1));
    },
  );
  // At once: what is on the wire is counted by the next active process, and nothing may be written any more.
  void sharing?.lost.then((sentence) => {
    console.error(sentence);
    process.exit(EXIT_LEASE_LOST);
  });
  const signal = await signalled;
  say(`Stopping (${signal}): finishing what is in hand.`);
  await end(app);
  say('Stopped.');
}

async function end(app: RunningApp): Promise<void> {
  setTimeout(() => process.exit(1), PATIENCE).unref();
  await app.stop();
}

/** What people can repair is a sentence. */
function complain(cause: unknown): void {
  const mendable = cause instanceof ConfigError || (cause instanceof Error && cause.name === 'StoreError');
  console.error(mendable ? cause.message : crashText(cause, redact));
}

// What libraries print goes the usual way. A stream that nobody reads, or on a full disk, must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

redactCrashes(
  () => redact,
  (text) => console.error(text),
);

try {
  await main();
} catch (cause) {
  complain(cause);
  process.exitCode = 1;
}
