/** This module lists what each alert kind offers, as read from its feed. */
import { UNLISTED_STAGE, type AlertKind } from '../../feeds/alert-kind.js';
import { FEEDS } from '../../feeds/index.js';
import { measuresIn, type ThresholdRule } from '../../domain/threshold-rule.js';

export const KINDS: readonly string[] = FEEDS.map(({ id }) => id);

/** Metrics that a rule can name without the word "metrics". A word matches longer names: "fees" matches "fees-usd". */
export const COMMON_METRICS = ['fees', 'revenue', 'volume', 'daily-traders', 'users'] as const;

const SPECS = new Map(FEEDS.map(({ id, alerts }) => [id, alerts] as const));

export const alertKind = (kind: string): AlertKind<unknown> | undefined => SPECS.get(kind);

const HISTORIES = new Map(FEEDS.flatMap(({ id, history }) => ('read' in history ? [[id, history] as const] : [])));

export const hasHistory = (kind: string): boolean => HISTORIES.has(kind);

/** Tells whether a backtest can try a rule: the service gives past values of all its measures. */
export const hasHistoryOf = (kind: string, rule: ThresholdRule): boolean =>
  measuresIn(rule).every((measure) => HISTORIES.get(kind)?.measures.includes(measure) === true);

/** Kinds with dates of which chats can be reminded. */
export const REMINDED_KINDS: readonly string[] = FEEDS.filter(({ alerts: { filters } }) => filters.includes('remind')).map(({ id }) => id);

/** The key under which an entry stores when a reminder was set. */
export const reminderName = (before: number): string => `remind ${before}`;

type StageWords = ReadonlyMap<string, readonly string[]>;
const NO_WORDS: StageWords = new Map();

const STAGE_WORDS = new Map(
  FEEDS.map(({ id, alerts: { stages, stageGroups } }): readonly [string, StageWords] => {
    const single = Object.entries(stages).flatMap(([stage, { offered }]) => (offered ? [[stage, [stage]] as const] : []));
    return [id, new Map([...single, ...Object.entries(stageGroups)])];
  }),
);

export const stageWords = (kind: string): StageWords => STAGE_WORDS.get(kind) ?? NO_WORDS;

/** Returns the words for stages that people can choose. A group of one stage replaces that stage. */
export function stageChoices(kind: string): readonly string[] {
  const alone = new Set([...stageWords(kind)].flatMap(([word, stages]) => (stages.length === 1 && stages[0] !== word ? stages : [])));
  return [...stageWords(kind).keys()].filter((word) => !alone.has(word));
}

/** In the place of stages: no event of the kind alerts, only its threshold rules and reminders. */
export const NO_STAGE = 'none';

/** Tells whether `words`, which may name groups, include the stage. */
export function includesStage(kind: string, words: readonly string[], stage: string): boolean {
  const stages = words.flatMap((word) => stageWords(kind).get(word) ?? [word]);
  return stages.includes(stage) || (stages.includes(UNLISTED_STAGE) && SPECS.get(kind)?.stages[stage] === undefined);
}

/** Tells whether this stage is the result of a proposal or launch. */
export const isResult = (kind: string, stage: string): boolean => includesStage(kind, alertKind(kind)?.live?.results ?? [], stage);

export function hasOnlyMeasures(kind: string): boolean {
  const { filters = [], measures = [] } = alertKind(kind) ?? {};
  return filters.every((name) => name === 'back') && measures.length > 0;
}
