/** What is asked of a backtest, and what it answers. */
import type { Address } from '../../chat/address.js';
import type { Project } from '../../domain/project.js';
import type { Measure } from '../../domain/measures.js';
import type { KindRules } from '../rules/rule.js';
import type { BacktestReport } from './backtest.js';

export interface BacktestOrder {
  readonly chat: Address;
  /** Undefined for an entry of several. */
  readonly project: Project | undefined;
  readonly rules: KindRules;
  readonly confirmed: boolean;
  readonly signal?: AbortSignal | undefined;
}

export type BacktestAnswer =
  /** No rule could be tried; sentences that say why. */
  | { readonly kind: 'no-history'; readonly because: readonly string[] }
  | { readonly kind: 'which-project' }
  | { readonly kind: 'busy' }
  /** In requests; nothing was asked yet. */
  | { readonly kind: 'costly'; readonly calls: number; readonly left: number }
  | {
      readonly kind: 'report';
      readonly report: BacktestReport;
      readonly calls: number;
      readonly resolution: 'day' | 'event';
      readonly without: readonly Measure[];
      /** Missing from the history; sentences. */
      readonly lacks: readonly string[];
    };
