/** What each alert kind offers, read from its feed. */
import type { AlertKind } from '../../feeds/alert-kind.js';
import { FEEDS, feedOf } from '../../feeds/index.js';

/** The ids of all kinds, in the order they are shown. */
export const KINDS: readonly string[] = FEEDS.map(({ id }) => id);

/** What most projects publish. A word stands for every metric that begins with it: "fees" for "fees-usd". */
export const COMMON_METRICS = ['fees', 'revenue', 'volume', 'daily-traders', 'users'] as const;

/** Undefined for a kind that no longer exists. */
export const alertKind = (kind: string): AlertKind<unknown> | undefined => feedOf(kind)?.alerts;

/** The words that a stage filter of a kind takes, each with the stages it stands for. */
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
