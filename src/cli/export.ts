/** `npm run --silent export` saves everything stored in a file. Without a running bot it opens the store itself. */
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { programLine } from '../base/program-line.js';
import { systemClock, type Clock } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { ConfigError, type Config } from '../config.js';
import { saveExport } from '../operations/backup/export-file.js';
import { exportHere } from '../operations/backup/owned-store.js';
import { BackupError, exportName } from '../operations/backup/export-format.js';
import { nearUrl, printable, runIfMain, withHelp } from './terminal.js';
import { parsedUrl } from '../base/parsed-url.js';

const USAGE = `Usage: ${programLine('export', '[--url http://127.0.0.1:8787] [file]')}`;

/** How long the export waits for the first byte, in milliseconds. */
const PATIENCE = 60_000;

const refusalSchema = z.object({ error: z.string() });

export interface BackupTerminal {
  readonly config: () => Pick<Config, 'http' | 'noToken' | 'storeUrl' | 'storePlace'>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly clock?: Clock;
}

/** Exits with 0 if the file is complete, otherwise with 1 and a sentence. */
export async function exportToFile(argv: readonly string[], { config, out, err, clock = systemClock }: BackupTerminal): Promise<number> {
  return refusedInASentence('export', err, async () => {
    const { values, positionals } = parse(argv);
    const { http, noToken, storeUrl, storePlace } = config();
    const file = positionals[0] ?? exportName(clock.now());
    const url = values.url ?? nearUrl(http);
    const running = await fromBot(url, http.consoleToken, noToken);
    // A given URL names one bot, so the export must not fall back to the local store.
    if (running === undefined && values.url !== undefined) throw new BackupError(`no bot is running at ${values.url}`);
    const saved = running === undefined ? await exportHere({ storeUrl, file, clock }) : await saveExport(running, file);
    const from = running === undefined ? storePlace : `the bot at ${url}`;
    const unreadable = saved.unreadable === 0 ? '' : ` (${saved.unreadable} of them cannot be read; they are in it as they are)`;
    out(
      `${file}: ${saved.documents} documents${unreadable} of ${from}, as they were at ${saved.header.at}. It holds private data and secrets of webhooks; keep it where only you can read it.`,
    );
  });
}

/** Runs `work` and returns the exit code. Errors without a sentence for people are rethrown. */
export async function refusedInASentence(name: string, err: BackupTerminal['err'], work: () => Promise<void>): Promise<0 | 1> {
  try {
    await work();
    return 0;
  } catch (error) {
    const isForPeople =
      error instanceof BackupError || error instanceof ConfigError || (error instanceof Error && error.name === 'StoreError');
    if (!isForPeople) throw error;
    err(`${name}: ${printable(error.message.replace(/^store: /u, ''))}`);
    return 1;
  }
}

function parse(argv: readonly string[]) {
  let given;
  try {
    given = parseArgs({ args: [...argv], allowPositionals: true, options: { url: { type: 'string' } } });
  } catch (cause) {
    throw new BackupError(`${cause instanceof Error ? cause.message : 'the options are not understood'}\n${USAGE}`, { cause });
  }
  if (given.positionals.length > 1) throw new BackupError(USAGE);
  return given;
}

/** Requests the export from a running bot. Resolves with undefined if nothing answers. */
async function fromBot(url: string | undefined, token: string | undefined, noToken: string | undefined): Promise<Readable | undefined> {
  if (url === undefined) throw new BackupError('HTTP_PORT=0 takes any free port; give the address that the bot printed, with --url');
  const target = `${url.replace(/\/+$/u, '')}/api/operator/export`;
  if (!/^https?:/u.test(target) || parsedUrl(target) === undefined)
    throw new BackupError(`${url} is no address; give one such as --url http://127.0.0.1:8787`);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE);
  let response: Response;
  try {
    const headers = omitUndefined({ authorization: token === undefined ? undefined : `Bearer ${token}` });
    response = await fetch(target, { headers, redirect: 'error', signal: late.signal });
  } catch (cause) {
    if (late.signal.aborted) throw new BackupError(`the bot at ${url} does not answer; see its log`, { cause });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
  if (response.ok && response.headers.get('content-type') === 'application/gzip' && response.body !== null)
    return Readable.from(response.body);
  const refusal = refusalSchema.safeParse(await response.json().catch(() => undefined)).data;
  if (response.status === 401 && noToken !== undefined)
    throw new BackupError(`the export needs the token, and there is none here: ${noToken}`);
  throw new BackupError(
    refusal?.error ?? `what answers at ${url} is not Navwatch, or an earlier version of it; check HTTP_PORT, or give --url`,
  );
}

await runIfMain(import.meta.url, withHelp(USAGE, exportToFile));
