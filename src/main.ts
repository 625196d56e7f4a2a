#!/usr/bin/env node
/** Starts the bot from the environment and stops it on a signal. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { z } from 'zod';
import { EXIT_LEASE_LOST, startApp, type RunningApp } from './app.js';
import { crashText, redactCrashes, redactor } from './base/redact.js';
import { lines } from './base/line-writer.js';
import { nameSourcesInStacks } from './base/source-maps.js';
import { ConfigError, loadOwnConfig, misspeltText, secretsOf } from './config.js';

/** A hanging stop ends by itself. */
const PATIENCE = 15_000;
/** npm passes on the signal that its whole group got. The second one would kill a process that is about to end and listens no more. */
const SECOND_SIGNAL = 250;

/** Milliseconds after the start. What a function was compiled to is given back by the second collection that finds it unused. */
const GARBAGE = [20_000, 40_000];
/** Collecting a larger heap would keep answers waiting for more than 0.1 s. */
const MAX_COLLECTED = 100_000_000;

/** Gives back what only the start needed, about 15 MB. While little happens, V8 does so minutes later or never. */
function collectGarbage(): void {
  if (process.memoryUsage().heapUsed < MAX_COLLECTED) globalThis.gc?.();
}

const out = lines(1);
const say = (text: string): void => out.write(`${text}\n`);

let redact = redactor([]);

async function main(): Promise<void> {
  const config = loadOwnConfig();
  redact = redactor(secretsOf(config));
  for (const one of config.misspelt) say(`⚠ ${misspeltText(one)}`);
  const { signal, signalled } = listen();
  let app: RunningApp;
  try {
    app = await startApp(config, { signal });
  } catch (cause) {
    if (!signal.aborted) throw cause;
    say('Stopped.');
    return;
  }
  const { sharing } = app;
  const announce = (title: string, details: readonly string[]): void => say([title, ...details.map((line) => `  ${line}`)].join('\n'));
  announce(sharing?.isStandby === true ? 'Navwatch stands by.' : 'Navwatch is running.', app.lines);
  say('Press Ctrl+C to stop.');
  app.warm();
  for (const after of GARBAGE) setTimeout(collectGarbage, after).unref();
  sharing?.tookOver.then(
    (details) => announce('Navwatch is active now.', details),
    (cause: unknown) => {
      complain(cause);
      // Stopping frees the lease for the next process.
      limitStop();
      void app.stop().finally(() => process.exit(1));
    },
  );
  // At once: what is on the wire is counted by the next active process, and nothing may be written any more.
  void sharing?.lost.then((sentence) => {
    console.error(sentence);
    process.exit(EXIT_LEASE_LOST);
  });
  await signalled;
  await app.stop();
  say('Stopped.');
  await sleep(SECOND_SIGNAL);
}

/** Signals are heard from the beginning, because a start with many chats takes seconds. */
function listen(): { readonly signal: AbortSignal; readonly signalled: Promise<void> } {
  const stopping = new AbortController();
  const signalled = new Promise<void>((resolve) => {
    const stop = (name: NodeJS.Signals): void => {
      // Listens on after the first: Ctrl+C in `npm start` arrives twice, from the terminal and from npm, and the second must not kill.
      if (stopping.signal.aborted) return;
      say(`Stopping (${name}): finishing what is in hand.`);
      limitStop();
      stopping.abort(new Error('stopping'));
      resolve();
    };
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop);
  });
  return { signal: stopping.signal, signalled };
}

const limitStop = (): void => void setTimeout(() => process.exit(1), PATIENCE).unref();

/** A problem that people can repair is a sentence, without a stack. */
function complain(cause: unknown): void {
  const mendable = cause instanceof ConfigError || (cause instanceof Error && cause.name === 'StoreError');
  console.error(mendable ? cause.message : crashText(cause, redact));
}

// Libraries print in the usual way. A stream that nobody reads, or on a full disk, must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

// A bot does much once, so what is compiled early does not pay (docs/performance.md). V8 12, in Node 22, has no such flag, and Node would refuse it.
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=1000000');
nameSourcesInStacks();
redactCrashes(
  () => redact,
  (text) => console.error(text),
);

/** The exit code where the command line asks for no bot. */
function answerArguments(args: readonly string[]): 0 | 2 | undefined {
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (second === undefined && ['--help', '-h'].includes(first)) say(USAGE);
  else if (second === undefined && ['--version', '-v'].includes(first)) say(ownVersion());
  else {
    console.error(`navwatch: there is no argument ${JSON.stringify(first)}.\n${USAGE}`);
    return 2;
  }
  return 0;
}

const USAGE = `Usage: navwatch             starts the bot
       navwatch --help      shows this
       navwatch --version   shows the version
Settings are environment variables, or lines of a file .env in this folder; .env.example lists them.`;

/** The package is one folder up in a checkout, and two from the built file. */
function ownVersion(): string {
  for (const up of ['../package.json', '../../package.json']) {
    const file = new URL(up, import.meta.url);
    if (existsSync(file)) return packageSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
  }
  return 'unknown';
}
const packageSchema = z.object({ version: z.string() });

const answered = answerArguments(process.argv.slice(2));
if (answered !== undefined) process.exitCode = answered;
else await run();

async function run(): Promise<void> {
  try {
    await main();
  } catch (cause) {
    complain(cause);
    process.exitCode = 1;
  }
}
