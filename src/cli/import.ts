/** `npm run --silent import -- <file>` imports an export while the bot is stopped. */
import { parseArgs } from 'node:util';
import { programLine } from '../base/program-line.js';
import { systemClock } from '../base/clock.js';
import { BackupError } from '../operations/backup/export-format.js';
import { importInto } from '../operations/backup/import.js';
import { refusedInASentence, type BackupTerminal } from './export.js';
import { runIfMain, withHelp } from './terminal.js';

const USAGE = `Usage: ${programLine('import', '[--replace] <file>')}`;

/** Exits with 0 if everything is stored, otherwise with 1 and a sentence. */
export async function importFromFile(argv: readonly string[], { config, out, err, clock = systemClock }: BackupTerminal): Promise<number> {
  return refusedInASentence('import', err, async () => {
    const { replace, file } = parse(argv);
    const { documents, unreadable, at, saved } = await importInto({ storeUrl: config().storeUrl, file, replace, clock });
    const odd = unreadable === 0 ? '' : ` (${unreadable} of them cannot be read; they are stored as they are)`;
    out(`${documents} documents${odd} of ${at} are stored.${saved === undefined ? '' : ` What was there before is in ${saved}.`}`);
  });
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

await runIfMain(import.meta.url, withHelp(USAGE, importFromFile));
