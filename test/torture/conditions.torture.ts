/** What befalls a machine and its platforms, one after the other on one bot: a sentence with the remedy while it lasts, and nothing lost after it. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, copyFileSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../../src/base/clock.js';
import { openStore } from '../../src/store/open.js';
import { asked } from '../journeys/surfaces.js';
import { freePort } from '../support/free-port.js';
import { NotStartedError } from './bot.js';
import { mountDisk, withoutDisk, type Disk } from './disk.js';
import { SQLITE } from './engines.js';
import { openTortureScene, type TortureScene } from './scene.js';
import { tableOf, type TortureRow } from './table.js';

const ROUNDS = Number(process.env['TORTURE_ROUNDS'] ?? 1);
const EVENTS = 4;

interface Place {
  readonly scene: TortureScene;
  readonly disk: Disk | undefined;
  /** The database file. */
  readonly file: string;
}

interface Endured {
  /** What the operator was told, where anybody looks. */
  readonly said: string;
  /** Milliseconds from the end of the condition until all events had arrived. */
  readonly recovery: number;
}

interface Condition {
  readonly name: string;
  readonly says: RegExp;
  readonly needsDisk?: true;
  /** The database goes back to a backup: what was sent since is sent again. */
  readonly isRestored?: true;
  /** With a running bot. */
  readonly endure: (place: Place) => Promise<Endured>;
}

const CONDITIONS: readonly Condition[] = [
  {
    name: 'full disk',
    needsDisk: true,
    says: /disk of the database is full. Free some space/u,
    async endure({ scene, disk }) {
      const from = scene.planted();
      disk?.fill();
      const said = await problem(scene);
      disk?.free();
      return { said, recovery: await scene.delivered(from) };
    },
  },
  {
    name: 'read-only folder at a start',
    needsDisk: true,
    says: /cannot be (?:made or )?written; give this user write access/u,
    async endure({ scene, disk }) {
      const from = scene.planted();
      await scene.bot().stop();
      disk?.setReadOnly(true);
      const said = await refusal(scene);
      disk?.setReadOnly(false);
      return { said, recovery: await restarted(scene, from) };
    },
  },
  {
    name: 'database locked by another program',
    says: /another Navwatch \(or another program\) has .* open; stop it first/u,
    async endure({ scene }) {
      const from = scene.planted();
      await scene.bot().stop();
      const other = await openStore(scene.database.url);
      const said = await refusal(scene);
      await other.close();
      return { said, recovery: await restarted(scene, from) };
    },
  },
  {
    name: 'database file moved away while running, put back',
    says: /was deleted or replaced .* Put it back or restore a backup, then restart/u,
    async endure({ scene, file }) {
      const from = scene.planted();
      const names = ['', '-wal', '-shm'].map((tail) => `${file}${tail}`).filter(isThere);
      for (const name of names) renameSync(name, `${name}.away`);
      const said = await problem(scene);
      for (const name of names) renameSync(`${name}.away`, name);
      await scene.bot().stop();
      return { said, recovery: await restarted(scene, from) };
    },
  },
  {
    name: 'database file deleted while running, backup restored',
    says: /was deleted or replaced .* Put it back or restore a backup, then restart/u,
    isRestored: true,
    async endure({ scene, file }) {
      const from = scene.planted();
      await backedUp(scene, file);
      for (const tail of ['', '-wal', '-shm']) rmSync(`${file}${tail}`, { force: true });
      const said = await problem(scene);
      await scene.bot().stop();
      restore(file);
      return { said, recovery: await restarted(scene, from) };
    },
  },
  {
    name: 'database corrupted before a start, backup restored',
    says: /restore a backup/iu,
    async endure({ scene, file }) {
      const from = scene.planted();
      await scene.bot().stop();
      copyFileSync(file, `${file}.backup`);
      damage(file);
      const said = await refusal(scene);
      restore(file);
      return { said, recovery: await restarted(scene, from) };
    },
  },
  {
    name: 'database corrupted while running, backup restored',
    says: /restore a backup/iu,
    isRestored: true,
    async endure({ scene, file }) {
      const from = scene.planted();
      await backedUp(scene, file);
      damage(file);
      await scene.plant(EVENTS);
      // Its own pages may be in memory: then the next start finds it.
      const { problem: found = '' } = await scene.bot().health();
      await scene.bot().kill();
      const said = found === '' ? await refusal(scene) : found;
      restore(file);
      return { said, recovery: await restarted(scene, from) };
    },
  },
  {
    name: 'full log: every line refused with ENOSPC',
    says: /lines lost: (?:the disk is full, free some space|its reader is too slow or stuck)/u,
    endure: async ({ scene }) => {
      const full = openSync('/dev/full', 'w');
      return logged(scene, full).finally(() => closeSync(full));
    },
  },
  {
    name: 'full log: a pipe that nobody reads',
    says: /lines lost: (?:the disk is full, free some space|its reader is too slow or stuck)/u,
    async endure({ scene }) {
      const name = join(scene.folder, 'log.fifo');
      execFileSync('mkfifo', [name]);
      // Both ends, so that opening waits for nobody.
      const pipe = openSync(name, 'r+');
      choke(name);
      return logged(scene, pipe).finally(() => {
        closeSync(pipe);
        rmSync(name);
      });
    },
  },
  {
    name: 'platforms that store a message and cut the connection',
    says: /unclear: line-cut/u,
    async endure({ scene }) {
      const from = scene.planted();
      const { discord, telegram } = scene.platforms;
      discord.controls.faults.next({ kind: 'store-then-cut' }, { method: 'POST', path: '/messages', times: 3 });
      const lift = telegram.fail({ fault: { kind: 'cut-after' }, method: 'sendMessage', times: 2 });
      await scene.plant(EVENTS);
      const recovery = await scene.delivered(from);
      lift();
      discord.controls.faults.clear();
      return { said: scene.bot().said(), recovery };
    },
  },
  {
    name: 'gateway that drops and resumes, with a question meanwhile',
    says: /./u,
    async endure({ scene }) {
      const from = scene.planted();
      const { gateway } = scene.platforms.discord.controls;
      for (const cut of [() => gateway.drop(), () => gateway.reconnect(), () => gateway.close(4_000)]) {
        cut();
        const question = scene.platforms.slash(asked('watchlist', {}));
        await scene.plant(1);
        await question.reply();
      }
      return { said: `resumed ${gateway.counts().resumes} times`, recovery: await scene.delivered(from) };
    },
  },
];

const isThere = (name: string): boolean => statSync(name, { throwIfNoEntry: false }) !== undefined;

/** Plants until `/healthz` names a problem. */
async function problem(scene: TortureScene): Promise<string> {
  await scene.plant(EVENTS);
  const end = performance.now() + 3 * MINUTE;
  while (performance.now() < end) {
    const { problem: found } = await scene.bot().health();
    if (found !== undefined) return found;
    await scene.plant(1);
  }
  throw new Error(`no problem was named:\n${scene.bot().said().slice(-2_000)}`);
}

/** Events happen meanwhile. */
async function refusal(scene: TortureScene): Promise<string> {
  await scene.plant(EVENTS);
  try {
    await scene.start();
  } catch (error) {
    if (error instanceof NotStartedError && error.code === 1) return error.said;
    throw error;
  }
  throw new Error('it started');
}

async function restarted(scene: TortureScene, from: number): Promise<number> {
  const begun = performance.now();
  await scene.start();
  await scene.delivered(from);
  return performance.now() - begun;
}

/** Of a bot that was stopped for it and runs again. */
async function backedUp(scene: TortureScene, file: string): Promise<void> {
  await scene.bot().stop();
  copyFileSync(file, `${file}.backup`);
  await scene.start();
}

function restore(file: string): void {
  for (const tail of ['-wal', '-shm']) rmSync(`${file}${tail}`, { force: true });
  copyFileSync(`${file}.backup`, file);
}

/** Every other page of the first megabyte. */
function damage(file: string): void {
  const page = 4_096;
  const handle = openSync(file, 'r+');
  const size = Math.min(statSync(file).size, 256 * page);
  for (let at = page; at + page <= size; at += 2 * page) writeSync(handle, Buffer.alloc(page, 0x5a), 0, page, at);
  closeSync(handle);
}

/** Fills the pipe. */
function choke(name: string): void {
  const handle = openSync(name, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    for (;;) writeSync(handle, Buffer.alloc(4_096, 0x20));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
  } finally {
    closeSync(handle);
  }
}

/** A life whose log goes there, in debug, so that it is full at once. */
async function logged(scene: TortureScene, log: number): Promise<Endured> {
  const from = scene.planted();
  await scene.bot().stop();
  const bot = await scene.start({ HTTP_PORT: String(await freePort()), LOG_LEVEL: 'debug' }, { log });
  await scene.plant(EVENTS);
  await scene.delivered(from);
  const { droppedLogLines = 0 } = await bot.health();
  const said = droppedLogLines > 0 ? await bot.ask('/status', 'main') : 'no line was dropped';
  await bot.stop();
  return { said, recovery: await restarted(scene, from) };
}

let place: Place;
const rows: TortureRow[] = [];

beforeAll(async () => {
  let disk: Disk | undefined;
  const scene = await openTortureScene(SQLITE, (folder) => {
    mkdirSync(join(folder, 'data'));
    if (withoutDisk === undefined) disk = mountDisk(join(folder, 'data'));
  });
  place = { scene, disk, file: join(scene.folder, 'data', 'navwatch.sqlite') };
  await scene.bot().stop();
}, 10 * MINUTE);

afterAll(async () => {
  console.log(`\n${tableOf(rows)}\n`);
  await place.scene.bot().kill();
  place.disk?.remove();
  await place.scene.close();
});

test.each(CONDITIONS)('$name: a sentence with the remedy, and nothing is lost', async ({ name, says, needsDisk, isRestored, endure }) => {
  if (needsDisk !== undefined && place.disk === undefined) return console.log(`${name}: skipped, ${withoutDisk}`);
  const { scene } = place;
  const from = scene.planted();
  const endured: Endured[] = [];
  await scene.start();
  try {
    for (let round = 0; round < ROUNDS; round += 1) endured.push(await endure(place));
    const row = await scene.row(from, { name, recovery: endured.map(({ recovery }) => recovery) });
    rows.push(row);
    console.log(`${name}: ${endured[0]?.said.match(says)?.[0]}`);
    for (const { said } of endured) expect(said).toMatch(says);
    expect(row.lost).toBe(0);
    expect(isRestored === true || row.duplicated <= row.maybeSent).toBe(true);
  } finally {
    await scene.bot().kill();
    await wait(100);
  }
  return undefined;
});
