/**
 * `npm run long-run -- [--days 90] [--chats 1000] [--wallets 200] [--seed 1] [--save]`: the bot for simulated days; prints a line a day and what grows, and
 * ends with 1 if something does. `--save` writes docs/long-run.json and docs/long-run.svg; `--again` judges and draws what was saved.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seeded } from '../simulation/machine/random.js';
import { draw } from './draw.js';
import type { DayMeasured } from './measure.js';
import { play } from './play.js';
import { lineOf, report } from './report.js';
import { save, saved } from './saved.js';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '90' },
    chats: { type: 'string', default: '1000' },
    wallets: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    save: { type: 'boolean', default: false },
    /** Judges and draws what was saved. */
    again: { type: 'boolean', default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const START = Date.UTC(2026, 10, 1);

async function run(): Promise<readonly DayMeasured[]> {
  const folder = await mkdtemp(join(tmpdir(), 'navwatch-long-run-'));
  try {
    const [days, chats, wallets] = [Number(values.days), Number(values.chats), Number(values.wallets)];
    const measured: DayMeasured[] = [];
    const { errors, lines: logged } = await play({
      ...{ folder, days, chats, wallets, start: START },
      random: seeded(Number(values.seed)),
      async report(day, lines) {
        measured.push(day);
        say(lineOf(day));
        if (values.save) await save({ chats, wallets, lines: Object.fromEntries(lines), days: measured });
      },
    });
    say(`log lines: ${[...logged].map(([event, count]) => `${event} ${count}`).join(', ')}`);
    for (const error of errors) say(error);
    return measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const measured = values.again ? (await saved()).days : await run();
const { lines, growing } = report(measured);
for (const line of lines) say(line);
if (values.save || values.again) await draw(measured);
process.exitCode = growing.length === 0 ? 0 : 1;
