/** Corrections of a ledger's events. */
import { utcText } from './date-phrases.js';
import type { FoundCorrection } from './feed.js';
import type { LedgerCorrection } from './seen-ids.js';

export const ledgerCorrections = (prefix: string, corrections: readonly LedgerCorrection[]): readonly FoundCorrection[] =>
  corrections.map(({ id, version, dates }) => ({
    event: `${prefix}/${id}`,
    version,
    ...(dates === undefined ? {} : { was: utcText(dates.was), now: utcText(dates.now), occurredAt: dates.now }),
  }));
