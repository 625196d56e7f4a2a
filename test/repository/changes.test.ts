/** A process without the lease forwards what a command declares as a change; a write that is not declared would fail there. */
import { beforeAll, expect, test } from 'vitest';
import { SECOND } from '../../src/base/clock.js';
import type { Store } from '../../src/store/store.js';
import { isChange } from '../../src/dispatch/registry.js';
import { CHAT, openAppHarness, type AppHarness } from '../support/app-harness.js';

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
/** So that each command has something to change. */
const PREPARED = ['/watch tide', '/watch all', '/watch launches', `/watch ${WALLET} fund-1`];
/** Beside the examples. */
const MORE = ['/watchlist import heron', '/watchlist replace heron', '/alerts test supply'];
/** Their buttons change what they show; those of the others ask again. */
const PRESSED = new Set(['watching', 'bot']);

const closing: (() => Promise<void>)[] = [];
let app: AppHarness;
let written: string[] = [];

/** Notes writes that a shared engine accepts only with the lease. */
const recording = (store: Store): Store => ({
  ...store,
  collection(spec) {
    const documents = store.collection(spec);
    const note = (): void => void (spec.writers === 'any' ? undefined : written.push(spec.prefix));
    return {
      ...documents,
      async set(key, document) {
        note();
        await documents.set(key, document);
      },
      async setIfAbsent(key, document) {
        note();
        return documents.setIfAbsent(key, document);
      },
      async delete(key) {
        note();
        await documents.delete(key);
      },
    };
  },
});

beforeAll(async () => {
  app = await openAppHarness({ store: recording, onClose: (close) => closing.push(close) });
  return async () => {
    for (const close of closing.toReversed()) await close();
  };
});

const isDeclared = async (line: string): Promise<boolean> => isChange({ ask: { line } }, app);

/** The buttons of the reply. */
async function run(line: string): Promise<{ readonly wrote: readonly string[]; readonly buttons: readonly string[] }> {
  written = [];
  const state = { isDone: false };
  const said = app.say(line).finally(() => (state.isDone = true));
  // A refresh waits for the service by the clock.
  while (/^\/(?:refresh|wallet)/u.test(line) && !state.isDone) await app.clock.advance(SECOND);
  const { reply } = await said;
  // The ledger is counted by the engine where several processes share it.
  return { wrote: written.filter((prefix) => prefix !== 'ledger'), buttons: reply.actions.map((action) => action.line) };
}

test('every line that writes what only the active process writes is declared as a change', async () => {
  const undeclared: string[] = [];
  const changing = new Set<string>();
  /** What a question leaves as it was need not be prepared again. */
  let isPrepared = false;
  const check = async (line: string): Promise<readonly string[]> => {
    const { wrote, buttons } = await run(line);
    if (wrote.length === 0) return buttons;
    isPrepared = false;
    changing.add(line.split(' ')[0] ?? '');
    if (!(await isDeclared(line))) undeclared.push(`${line} writes ${[...new Set(wrote)].join(', ')}`);
    return buttons;
  };
  for (const line of PREPARED) await check(line);
  const prepared = app.watchlists.read(CHAT);
  for (const line of MORE) await check(line);
  for (const { command } of app.registry.commands.values())
    for (const example of command.examples) {
      if (!isPrepared) await app.watchlists.change(CHAT, () => prepared);
      isPrepared = true;
      const buttons = await check(example);
      if (PRESSED.has(command.group ?? 'asking')) for (const button of buttons) await check(button);
    }
  expect(undeclared).toEqual([]);
  // Otherwise it would hold of commands that do nothing here.
  expect([...changing]).toEqual(
    expect.arrayContaining(['/watch', '/unwatch', '/alerts', '/digest', '/mute', '/settings', '/watchlist', '/privacy', '/refresh']),
  );
});

test('what only shows a page is no change', async () => {
  const lines = [
    '/premium tide',
    '/watchlist',
    '/alerts',
    '/alerts tide',
    '/settings',
    '/digest',
    '/digest now',
    '/mute',
    '/watch',
    '/unwatch',
    '/privacy',
    '/start',
  ];
  expect(await Promise.all(lines.map(isDeclared))).toEqual(lines.map(() => false));
});
