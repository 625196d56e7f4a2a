/** Shared by the terminal commands. */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { redactCrashes, redactor, type Redact } from '../base/redact.js';
import { loadConfig, secretsOf, type Config } from '../config.js';

/** Where a command reads its settings and writes its lines. */
export interface Streams {
  readonly config: () => Config;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs `command` and sets the exit code if Node was started with the file at `url`. An import of the file runs nothing. */
export async function runIfMain(url: string, command: (argv: readonly string[], streams: Streams) => Promise<number>): Promise<void> {
  if (process.argv[1] === undefined || realpathSync(process.argv[1]) !== fileURLToPath(url)) return;
  const line = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`);
  redactCrashes(configuredRedactor, line(process.stderr));
  process.exitCode = await command(process.argv.slice(2), { config: loadConfig, out: line(process.stdout), err: line(process.stderr) });
}

/** Wraps a command so that `--help` alone prints its usage. */
export const withHelp =
  <S extends Pick<Streams, 'out'>>(usage: string, command: (argv: readonly string[], streams: S) => Promise<number>) =>
  async (argv: readonly string[], streams: S): Promise<number> => {
    const [first, ...others] = argv;
    if (others.length > 0 || (first !== '--help' && first !== '-h')) return command(argv, streams);
    streams.out(usage);
    return 0;
  };

function configuredRedactor(): Redact {
  try {
    return redactor(secretsOf(loadConfig()));
  } catch {
    return redactor([]); // A setting is invalid, so no secret was read.
  }
}

/** Returns the local URL of the bot; undefined if it takes any free port. */
export function nearUrl({ host, port }: Config['http']): string | undefined {
  if (port === 0) return undefined;
  const near = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? host;
  return `http://${near.includes(':') && !near.startsWith('[') ? `[${near}]` : near}:${port}`;
}

/** Removes control and direction characters. */
export const printable = (text: string): string => text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');
