/** What an examination of the bot found: one line each, with the remedy where something is wrong. */
export interface Finding {
  /** `none`: not examined, or nothing to say; the line says why. */
  readonly mark: 'ok' | 'warn' | 'fail' | 'none';
  /** What was looked at: `store`, `discord token`. */
  readonly about: string;
  /** One sentence without a full stop, the remedy after a semicolon. */
  readonly says: string;
}

/** Whether anything is wrong: 2 where something does not work, 1 where something deserves a look, else 0. An exit code. */
export const gravity = (findings: readonly Pick<Finding, 'mark'>[]): 0 | 1 | 2 => {
  if (findings.some(({ mark }) => mark === 'fail')) return 2;
  return findings.some(({ mark }) => mark === 'warn') ? 1 : 0;
};
