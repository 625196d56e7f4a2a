/** Corrections of a ledger's events. */
import type { FoundCorrection } from './feed.js';
import type { LedgerCorrection } from './seen-ids.js';

export const ledgerCorrections = (prefix: string, corrections: readonly LedgerCorrection[]): readonly FoundCorrection[] =>
  corrections.map(({ id, version, dates }) => ({
    event: `${prefix}/${id}`,
    version,
    ...(dates === undefined ? {} : { dates, occurredAt: dates.now }),
  }));
