/** `npm run bench`: measures the built bot from the outside and prints a table of its figures with goals and peers. See docs/performance.md. */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { median, table, verdict, type Figure } from './harness/figure.js';
import { crowd } from './rows/crowd.js';
import { discord } from './rows/discord.js';
import { fanOut } from './rows/fan-out.js';
import { idle } from './rows/idle.js';
import { idleChats } from './rows/idle-chats.js';
import { limits } from './rows/limits.js';
import { oneChat } from './rows/one-chat.js';
import { premium } from './rows/premium.js';
import type { Scale } from './rows/row.js';
import { starts } from './rows/starts.js';
import { status } from './rows/status.js';
import { stop } from './rows/stop.js';
import { writes } from './rows/writes.js';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
    repetitions: { type: 'string' },
    chats: { type: 'string' },
  },
});

const ROWS: Readonly<Record<string, (scale: Scale) => Promise<readonly Figure[]>>> = {
  'fan-out': fanOut,
  limits,
  discord,
  status,
  premium,
  crowd,
  'one-chat': oneChat,
  idle,
  'idle-chats': idleChats,
  writes,
  starts,
  stop,
};

const quick = options.quick;
const only = options.only?.split(',');
const chosen = Object.keys(ROWS).filter((name) => only?.includes(name) ?? true);
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const scale: Scale = {
  ...{ quick, say },
  repetitions: Number(options.repetitions ?? (quick ? 1 : 3)),
  chats: options.chats === undefined ? undefined : Number(options.chats),
};

/** One row; what goes wrong in it is said and does not end the others. */
async function measured(name: string): Promise<readonly Figure[]> {
  const begun = performance.now();
  try {
    return await ROWS[name]!(scale);
  } catch (error) {
    process.exitCode = 1;
    return [{ figure: name, unit: '', values: [], note: error instanceof Error ? error.message : String(error) }];
  } finally {
    say(`${name}: ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  }
}

/** A full run measures one row after another. A quick one measures the rows of these lanes side by side; most of them mostly wait. */
const LANES: readonly (readonly string[])[] = quick
  ? [
      ['premium', 'crowd', 'fan-out', 'limits'],
      ['one-chat', 'idle', 'idle-chats', 'starts'],
      ['writes', 'discord'],
      ['stop', 'status'],
    ]
  : [Object.keys(ROWS)];

const results = new Map<string, readonly Figure[]>();
await Promise.all(
  LANES.map(async (lane) => {
    for (const name of lane) if (chosen.includes(name)) results.set(name, await measured(name));
  }),
);
const figures = chosen.flatMap((name) => results.get(name) ?? []);

process.stdout.write(`\n${table(figures)}\n`);
if (options.json !== undefined) {
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version };
  const rows = figures.map((figure) => ({ ...figure, median: median(figure.values), verdict: verdict(figure) }));
  await writeFile(options.json, `${JSON.stringify({ at: new Date().toISOString(), quick, machine, figures: rows }, null, 2)}\n`);
}
