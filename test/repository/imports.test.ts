import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from './repository.js';

/** An import and whether it should be allowed; the file it leads to is written too. */
const ALLOWED = [
  ['src/main.ts', './app.js'],
  ['src/main.ts', './config.js'],
  ['src/app.ts', './simulator/start.js'],
  ['src/config.ts', './base/log.js'],
  ['src/config.ts', './platforms/index.js'],
  ['src/config.ts', './store/open.js'],
  ['src/platforms/index.ts', './discord/descriptor.js'],
  ['src/cli/ask.ts', '../config.js'],
  ['src/domain/scalars.ts', '../base/clock.js'],
  ['src/alerts/match.ts', '../feeds/index.js'],
  ['src/simulator/server.ts', '../analytics/endpoints/index.js'],
  ['src/platforms/console/page.ts', './render.js'],
  ['src/platforms/console/page.ts', '../actions.js'],
  ['src/platforms/console/page.ts', '../../chat/reply.js'],
  ['src/store/sqlite.ts', 'keyv'],
  ['src/base/http-client.ts', 'undici'],
  ['src/platforms/telegram/api.ts', 'grammy/web'],
  ['src/jobs/schedule.ts', 'node-cron'],
  ['src/chat/reply.ts', 'zod'],
  ['src/chat/reply.ts', 'node:path'],
  ['commands/help.ts', '../src/dispatch/command.js'],
  ['commands/treasury/index.ts', './nav.js'],
  ['commands/treasury/nav.ts', '../../src/reply/index.js'],
  ['src/dispatch/parse.ts', '../reply/index.js'],
] as const;

const REFUSED = [
  ['src/base/clock.ts', '../domain/day.js', 'base knows nothing of coins'],
  ['src/store/sqlite.ts', '../chat/address.js', 'the store knows no conversation'],
  ['src/alerts/match.ts', '../feeds/supply.js', 'alerts see the port and the list of feeds only'],
  ['src/feeds/feed.ts', '../alerts/queue.js', 'a feed does not know who is alerted'],
  ['src/simulator/server.ts', '../analytics/client.js', 'the simulator sees the rows only'],
  ['src/reply/lists.ts', '../dispatch/context.js', 'what builds a reply does not know who asked'],
  ['src/reply/lists.ts', '../alerts/queue/queue.js', 'a part of the reply kit does not know the alerts'],
  ['src/dispatch/parse.ts', '../store/store.js', 'a command never reaches the store'],
  ['src/platforms/console/page.ts', '../discord/render.js', 'one platform never imports another'],
  ['src/platforms/index.ts', './discord/render.js', 'the list of platforms sees their descriptors only'],
  ['src/platforms/console/page.ts', '../../dispatch/registry.js', 'platforms see the catalogue, not the commands'],
  ['src/jobs/poll.ts', '../app.js', 'only main and cli know the application'],
  ['src/jobs/poll.ts', '../app/state.js', 'nor its parts'],
  ['src/main.ts', './app/state.js', 'main knows the application as a whole'],
  ['src/app.ts', '../commands/help.js', 'commands are found by scanning their folder'],
  ['src/main.ts', './chat/reply.js', 'main starts and stops, no more'],
  ['commands/help.ts', '../src/jobs/poll.js', 'a command reaches a job through its context only'],
  ['commands/help.ts', './other.js', 'commands do not know one another'],
  ['commands/help.ts', './treasury/runway.js', 'a command does not know the views of another'],
  ['commands/treasury/nav.ts', '../accounts/list.js', 'what two commands share is in src'],
  ['src/unlisted/one.ts', '../base/never.js', 'a module without a line may import nothing'],
  ['src/alerts/route.ts', '../unlisted/other.js', 'a module without a line may not be imported'],
  ['src/alerts/route.ts', '../../test/support/clock.js', 'the bot does not import its tests'],
  ['src/jobs/drain.ts', 'keyv', 'keyv belongs to the store'],
  ['src/analytics/transport.ts', 'undici', 'one file loads the parts of undici that are used'],
  ['src/platforms/telegram/api.ts', 'grammy', 'all of grammY takes more memory than the part that is used'],
  ['src/reading/times.ts', 'chrono-node', 'only English is read'],
  ['src/analytics/client.ts', 'node-cron', 'node-cron belongs to the jobs'],
  ['src/jobs/drain.ts', 'vitest', 'the bot does not run on tools'],
  ['src/domain/first.ts', './second.js', 'a cycle has no first file to read'],
] as const;

/** Closes the cycle above; a cycle is reported once. */
const CLOSING = ['src/domain/second.ts', './first.js'] as const;

const report = z.object({
  summary: z.object({ violations: z.array(z.object({ from: z.string(), to: z.string() })) }),
});

/** Runs the import checker of `npm run check` with its own rules inside `folder`; gives the refused imports as `from -> to`. */
async function refusals(folder: string): Promise<ReadonlySet<string>> {
  const tool = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const rules = join(ROOT, '.dependency-cruiser.cjs');
  const { stdout } = await promisify(execFile)(process.execPath, [tool, 'src', 'commands', '--config', rules, '--output-type', 'json'], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  });
  return new Set(report.parse(JSON.parse(stdout)).summary.violations.map(({ from, to }) => `${from} -> ${to}`));
}

describe('the import checker', () => {
  let folder = '';
  let refused: ReadonlySet<string> = new Set();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'imports-'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'));
    const contents = new Map<string, string>();
    for (const [from, to] of [...ALLOWED, ...REFUSED, CLOSING] as const) {
      // A type import counts too.
      contents.set(from, `${contents.get(from) ?? ''}import type * as x${contents.size} from '${to}';\n`);
      if (to.startsWith('.')) contents.set(target(from, to), contents.get(target(from, to)) ?? '');
    }
    for (const [file, content] of contents) {
      await mkdir(join(folder, dirname(file)), { recursive: true });
      await writeFile(join(folder, file), `${content}export const something = 1;\n`);
    }
    refused = await refusals(folder);
  });

  afterAll(async () => rm(folder, { recursive: true, force: true }));

  const names = (from: string, to: string): boolean =>
    to.startsWith('.')
      ? refused.has(`${from} -> ${target(from, to)}`)
      : [...refused].some((line) => line.startsWith(`${from} -> `) && line.includes(to));

  test.each(ALLOWED)('lets %s import %s', (from, to) => {
    expect(names(from, to)).toBe(false);
  });

  test.each(REFUSED)('refuses %s importing %s: %s', (from, to) => {
    expect(names(from, to)).toBe(true);
  });
});

test('every module of the source has its line in the rules', async () => {
  const entries = await readdir(join(ROOT, 'src'), { withFileTypes: true });
  const rules = await readFile(join(ROOT, '.dependency-cruiser.cjs'), 'utf8');
  // The parts of `app.ts` and `config.ts`, beside the modules as these are, have rules of their own.
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const parts = folders.filter((name) => ['app', 'config'].includes(name));
  const modules = folders.filter((name) => !parts.includes(name));
  expect(parts.filter((name) => !rules.includes(`{ from: '^src/${name}`))).toEqual([]);
  expect(modules.filter((name) => !new RegExp(`^  ${name}: \\[`, 'm').test(rules))).toEqual([]);
});

const target = (from: string, to: string): string => join(dirname(from), to).replace(/\.js$/, '.ts');
