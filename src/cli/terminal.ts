/** Holds what the terminal commands share. */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { redactCrashes, redactor, type Redact } from '../base/redact.js';
import { loadConfig, secretsOf, type Config } from '../config.js';

/** A command reads its settings and writes its lines there. */
export interface Streams {
  readonly config: () => Config;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs `command` where Node was started with the file at `url`; a test that imports the file runs nothing. Sets the exit code. */
export async function runIfMain(url: string, command: (argv: readonly string[], streams: Streams) => Promise<number>): Promise<void> {
  if (process.argv[1] === undefined || realpathSync(process.argv[1]) !== fileURLToPath(url)) return;
  const line = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`);
  redactCrashes(configuredRedactor, line(process.stderr));
  process.exitCode = await command(process.argv.slice(2), { config: loadConfig, out: line(process.stdout), err: line(process.stderr) });
}

function configuredRedactor(): Redact {
  try {
    return redactor(secretsOf(loadConfig()));
  } catch {
    return redactor([]); // A setting is wrong: nothing was read, so nothing is known.
  }
}

/** It is undefined where it takes any port. */
export function nearUrl({ host, port }: Config['http']): string | undefined {
  if (port === 0) return undefined;
  const near = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? host;
  return `http://${near.includes(':') && !near.startsWith('[') ? `[${near}]` : near}:${port}`;
}

/** The text without control characters. */
export const printable = (text: string): string => text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');
