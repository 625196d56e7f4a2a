/** What each alert kind offers, read from its feed. */
import type { AlertKind } from '../../feeds/alert-kind.js';
import { FEEDS, feedOf } from '../../feeds/index.js';

/** In display order. */
export const KINDS: readonly string[] = FEEDS.map(({ id }) => id);

/** Common metrics. A word matches every metric that begins with it: "fees" matches "fees-usd". */
export const COMMON_METRICS = ['fees', 'revenue', 'volume', 'daily-traders', 'users'] as const;

/** Undefined for a kind that no longer exists. */
export const alertKind = (kind: string): AlertKind<unknown> | undefined => feedOf(kind)?.alerts;

/** The words that a kind's stage filter takes, each with its stages. */
export function stageWords(kind: string): ReadonlyMap<string, readonly string[]> {
  const { stages = {}, stageGroups = {} } = alertKind(kind) ?? {};
  const single = Object.entries(stages).flatMap(([stage, { offered }]) => (offered ? [[stage, [stage]] as const] : []));
  return new Map([...single, ...Object.entries(stageGroups)]);
}

/** Whether a kind alerts by threshold rules alone. */
export function hasOnlyMeasures(kind: string): boolean {
  const { filters = [], measures = [] } = alertKind(kind) ?? {};
  return filters.length === 0 && measures.length > 0;
}
