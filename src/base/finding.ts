/** One result of a diagnosis, with its remedy. */
export interface Finding {
  /** It is `none` if the thing was not examined, or there is nothing to report. */
  readonly mark: 'ok' | 'warn' | 'fail' | 'none';
  readonly about: string;
  /** The sentence has no full stop, and the remedy follows a semicolon. */
  readonly says: string;
}

/** It is 2 for a failure, 1 for a warning, and else 0. */
export const gravity = (findings: readonly Pick<Finding, 'mark'>[]): 0 | 1 | 2 => {
  if (findings.some(({ mark }) => mark === 'fail')) return 2;
  return findings.some(({ mark }) => mark === 'warn') ? 1 : 0;
};
