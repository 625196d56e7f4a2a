/** Figures with unknown names. */
import type { Labelled } from '../analytics/labelled-numbers.js';
import type { BlockDraft } from '../chat/reply.js';
import { amount } from '../domain/format.js';

export const labelledFigures = (all: readonly Labelled[]): BlockDraft =>
  all.length === 0
    ? { kind: 'line', line: ['No figures published.'] }
    : { kind: 'figures', items: all.map(({ label, value }) => ({ label, value: amount(value) })) };
