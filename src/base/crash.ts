/** What is printed when something fails that nobody foresaw: where it broke, without secrets. */
import { inspect } from 'node:util';
import type { Redact } from './redact.js';

/** Levels of causes and own fields. */
const DEPTH = 4;

/** The text is as Node prints it. */
export const crashText = (cause: unknown, redact: Redact): string => redact(inspect(cause, { depth: DEPTH }));

/** An error that escapes ends the process with code 1, as without this, but its text is redacted. `redact` is asked at that time. */
export function redactCrashes(redact: () => Redact, print: (text: string) => void): void {
  process.on('uncaughtException', (cause) => {
    print(crashText(cause, redact()));
    process.exit(1);
  });
}
