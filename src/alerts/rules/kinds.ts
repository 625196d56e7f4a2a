/** What each alert kind offers, read from its feed. */
import type { AlertKind } from '../../feeds/alert-kind.js';
import { FEEDS, feedOf } from '../../feeds/index.js';

export const KINDS: readonly string[] = FEEDS.map(({ id }) => id);

/** A word matches metrics that begin with it: "fees" matches "fees-usd". */
export const COMMON_METRICS = ['fees', 'revenue', 'volume', 'daily-traders', 'users'] as const;

/** Undefined for a kind that no longer exists. */
export const alertKind = (kind: string): AlertKind<unknown> | undefined => feedOf(kind)?.alerts;

export function stageWords(kind: string): ReadonlyMap<string, readonly string[]> {
  const { stages = {}, stageGroups = {} } = alertKind(kind) ?? {};
  const single = Object.entries(stages).flatMap(([stage, { offered }]) => (offered ? [[stage, [stage]] as const] : []));
  return new Map([...single, ...Object.entries(stageGroups)]);
}

export function hasOnlyMeasures(kind: string): boolean {
  const { filters = [], measures = [] } = alertKind(kind) ?? {};
  return filters.length === 0 && measures.length > 0;
}
