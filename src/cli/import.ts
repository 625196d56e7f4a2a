/** `npm run --silent import -- <file>`: imports an export into the store of a bot that is stopped. */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.js';
import { loadConfig } from '../config.js';
import { BackupError } from '../operations/backup/export-format.js';
import { importInto } from '../operations/backup/import.js';
import { sentenceOf, type BackupTerminal } from './export.js';

const USAGE = 'Usage: npm run --silent import -- [--replace] <file>';

/** Exits with 0 when everything is stored, else 1 with a sentence on standard error. */
export async function importFromFile(argv: readonly string[], { config, out, err, clock = systemClock }: BackupTerminal): Promise<number> {
  try {
    const { replace, file } = parse(argv);
    const { documents, unreadable, at, saved } = await importInto({ storeUrl: config().storeUrl, file, replace, clock });
    const odd = unreadable === 0 ? '' : ` (${unreadable} of them cannot be read; they are stored as they are)`;
    out(`${documents} documents${odd} of ${at} are stored.${saved === undefined ? '' : ` What was there before is in ${saved}.`}`);
    return 0;
  } catch (error) {
    const says = sentenceOf(error);
    if (says === undefined) throw error;
    err(`import: ${says}`);
    return 1;
  }
}

function parse(argv: readonly string[]): { readonly replace: boolean; readonly file: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { replace: { type: 'boolean', default: false } },
    });
    const [file, ...others] = positionals;
    if (file !== undefined && others.length === 0) return { replace: values.replace, file };
  } catch (cause) {
    throw new BackupError(`${cause instanceof Error ? cause.message : 'the options are not understood'}\n${USAGE}`, { cause });
  }
  throw new BackupError(USAGE);
}

/** Node was started with this file. */
const isMain = process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isMain) {
  const line = (stream: NodeJS.WriteStream) => (text: string) => stream.write(`${text}\n`);
  process.exitCode = await importFromFile(process.argv.slice(2), {
    config: loadConfig,
    out: line(process.stdout),
    err: line(process.stderr),
  });
}
