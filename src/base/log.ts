/** Logs events with a name and fields, as JSON lines with secrets redacted. */
import { pino, type DestinationStream } from 'pino';
import type { Redact } from './redact.js';

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Write = (event: string, fields?: Readonly<Record<string, unknown>>) => void;
export type Log = Readonly<Record<Exclude<LogLevel, 'silent'>, Write>>;

/** Levels: `error` needs an operator, `warn` means that the bot recovered, `info` is a change of state, `debug` has every check and delivery. */
export function createLog({ level, redact, to }: { level: LogLevel; redact: Redact; to: DestinationStream }): Log {
  const out = pino({ level, base: null }, to);
  const write =
    (method: keyof Log): Write =>
    (event, fields = {}) =>
      out[method](redact({ ...fields, event }));
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
}

export const silentLog: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
