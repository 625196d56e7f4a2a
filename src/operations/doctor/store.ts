/** Examines the store, or asks the running bot that has it locked. */
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import type { Finding } from '../../base/finding.js';
import { brief } from '../../base/one-line.js';
import { openStore, storePlace } from '../../store/open.js';
import { StoreError, type SharedEngine, type Store } from '../../store/store.js';

export interface StoreExamination {
  readonly findings: readonly Finding[];
  /** The opened store, which the caller closes; undefined if it cannot be opened. */
  readonly store?: Store;
}

export interface StoreExaminationDeps {
  readonly url: string;
  /** Undefined if the bot's URL is unknown. */
  readonly bot: RunningBot | undefined;
}

export interface RunningBot {
  readonly url: string;
  /** Resolves with the body of `/healthz`. Rejects if nothing answers. */
  health(): Promise<unknown>;
  /** Resolves with the body of `/api/operator/watchlists`. Rejects if the bot does not return it. */
  refusedFiles(): Promise<unknown>;
}

const health = z.object({ ok: z.boolean(), store: z.boolean(), service: z.boolean().nullable(), waiting: z.int() });

/** Examines the store. If it is locked or its file is gone, the bot is asked. */
export async function examineStore({ url, bot }: StoreExaminationDeps): Promise<StoreExamination> {
  const torn = await withoutItsFile(url, bot);
  if (torn !== undefined) return { findings: [torn] };
  let store: Store;
  try {
    store = await openStore(url);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const finding = { about: 'store', says: error.message.replace(/^store: /u, '') };
    if (error.trouble !== 'locked') return { findings: [{ ...finding, mark: 'fail' }] };
    return { findings: await askBot(bot, { ...finding, mark: 'fail' }) };
  }
  try {
    if (store.shared !== undefined) return await examineShared(store, store.shared, url);
    await store.check();
  } catch (error) {
    await store.close();
    if (!(error instanceof StoreError)) throw error;
    return { findings: [{ mark: 'fail', about: 'store', says: error.message.replace(/^store: /u, '') }] };
  }
  return { store, findings: [{ mark: 'ok', about: 'store', says: `${url} takes a write and gives it back; no bot is running on it` }] };
}

/** The value is in milliseconds. A bot that starts meanwhile stands by at most this long. */
const LEASE_MS = 60_000;

/** Takes the lease until the store is closed, so that calls can be recorded. */
async function examineShared(store: Store, shared: SharedEngine, url: string): Promise<StoreExamination> {
  const began = performance.now();
  await store.check();
  const latency = `${Math.ceil(performance.now() - began)} ms`;
  const facts = await store.inspect?.();
  const mark = 'ok';
  const findings: Finding[] = [
    { mark, about: 'store', says: `${storePlace(url)} takes a write and gives it back in ${latency}` },
    ...(facts === undefined ? [] : [{ mark, about: 'database', says: `${facts.version}; ${facts.durability}` } as const]),
  ];
  const lease = await shared.acquire('doctor', LEASE_MS);
  if (lease !== undefined) {
    const close = async (): Promise<void> => {
      await shared.release();
      await store.close();
    };
    return {
      store: { ...store, close },
      findings: [...findings, { mark: 'none', about: 'running bot', says: 'no process holds the lease' }],
    };
  }
  const held = await shared.holder();
  await store.close();
  const says =
    held === undefined
      ? 'another process holds the lease'
      : `${held.holder} is active, with epoch ${held.epoch}; its lease lasts ${Math.ceil(held.remainingMs / 1_000)} s yet`;
  return { findings: [...findings, { mark, about: 'running bot', says }] };
}

/**
 * Returns a finding if a bot runs although the database file is missing or empty. The store is not opened then: that would create a
 * file, and its advice for a missing file would cost what only the running bot still has.
 */
async function withoutItsFile(url: string, bot: RunningBot | undefined): Promise<Finding | undefined> {
  const path = /^sqlite:\/\/([^:].*)$/su.exec(url)?.[1];
  if (path === undefined || bot === undefined || ((await stat(path).catch(() => undefined))?.size ?? 0) > 0) return undefined;
  if ((await healthOf(bot)) === undefined) return undefined;
  return {
    mark: 'fail',
    about: 'store',
    says: `the bot at ${bot.url} runs, but its database ${path} is missing or empty, so it can save nothing more; leave the bot running and the -wal file in its place, move the database file back to that path or rescue its data ("Backup and upgrade" in docs/operations.md), and only then restart the bot`,
  };
}

async function askBot(bot: RunningBot | undefined, locked: Finding): Promise<readonly Finding[]> {
  const port = 'HTTP_PORT=0 leaves open where the bot answers; give its address with --url';
  if (bot === undefined) return [{ ...locked, says: `${locked.says}; if it is the bot, ${port}` }];
  const says = await healthOf(bot);
  if (says === undefined) return [{ ...locked, says: `${locked.says}; no Navwatch answers at ${bot.url}` }];
  const { store, service, waiting } = says;
  return [
    store
      ? { mark: 'ok', about: 'store', says: `the bot at ${bot.url} has it open and can write to it` }
      : { mark: 'fail', about: 'store', says: `the bot at ${bot.url} has it open and cannot write to it; its /status and its log say why` },
    {
      mark: service === false ? 'warn' : 'ok',
      about: 'running bot',
      says: `${service === null ? 'has not asked the service yet' : service ? 'is answered by the service' : 'gets no answer from the service'}; ${waiting} ${waiting === 1 ? 'alert waits' : 'alerts wait'} to be delivered`,
    },
  ];
}

const refusedSchema = z.object({ refused: z.array(z.object({ file: z.string(), says: z.string() })) });

/** Returns which files of WATCHLISTS the running bot refuses, and why. */
export async function refusedByBot(bot: RunningBot | undefined): Promise<readonly Finding[]> {
  const about = 'watchlists';
  const body = await bot?.refusedFiles().catch(() => undefined);
  const answer = refusedSchema.safeParse(body);
  if (!answer.success)
    return [{ mark: 'none', about, says: 'no running bot says which files it refuses; its log does, as watchlists.refused' }];
  const { refused } = answer.data;
  if (refused.length === 0) return [{ mark: 'ok', about, says: 'the running bot refuses none of the files' }];
  return refused.map(({ file, says }) => ({ mark: 'warn', about, says: file === '' ? says : `${brief(file)}: ${says}` }));
}

async function healthOf(bot: RunningBot): Promise<z.output<typeof health> | undefined> {
  try {
    return health.parse(await bot.health());
  } catch {
    return undefined; // Nothing answers, or another program does. The finding names the URL that was tried.
  }
}
