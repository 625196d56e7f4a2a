/** One result of a diagnosis, with its remedy. */
export interface Finding {
  /** `none`: not examined, or nothing to report. */
  readonly mark: 'ok' | 'warn' | 'fail' | 'none';
  readonly about: string;
  /** A sentence without a full stop; the remedy follows a semicolon. */
  readonly says: string;
}

/** Returns 2 for a failure, 1 for a warning, and else 0. */
export const gravity = (findings: readonly Pick<Finding, 'mark'>[]): 0 | 1 | 2 => {
  if (findings.some(({ mark }) => mark === 'fail')) return 2;
  return findings.some(({ mark }) => mark === 'warn') ? 1 : 0;
};
