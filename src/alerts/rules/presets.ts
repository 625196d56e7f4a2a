/** This module defines an entry's presets from the defaults of each alert kind. It is pure. */
import { z } from 'zod';
import { thresholdKey, type ThresholdRule } from '../../domain/threshold-rule.js';
import type { PresetPart } from '../../feeds/alert-kind.js';
import { alertKind, hasOnlyMeasures, KINDS } from './kinds.js';
import { choosesAlerts, type Rules } from './rule.js';

/** With `digest`, events are reported in the digest only. */
export const PRESETS = ['important', 'most', 'everything', 'digest'] as const;
export const presetSchema = z.enum(PRESETS);
export type Preset = z.infer<typeof presetSchema>;

export const DEFAULT_PRESET: Preset = 'important';

export const PRESET_TITLES: Readonly<Record<Preset, string>> = {
  important: 'Important',
  most: 'Most',
  everything: 'Everything',
  digest: 'Digest only',
};

/** With `silent`, messages make no sound and mention nobody. */
export const KIND_MODES = ['on', 'silent', 'off'] as const;
export const kindModeSchema = z.enum(KIND_MODES);
export type KindMode = z.infer<typeof kindModeSchema>;

export interface Subscription {
  readonly preset: Preset;
  readonly rules?: Readonly<Record<string, Rules>> | undefined;
  readonly modes?: Readonly<Record<string, KindMode>> | undefined;
}

interface PresetKind {
  readonly isOff: boolean;
  readonly rules: Rules;
  readonly says: string | undefined;
}

const NO_ALERTS: Rules = { filters: {}, thresholds: [] };

function presetKindOf(preset: Preset, kind: string): PresetKind {
  const spec = alertKind(kind);
  const everything = { isOff: false, rules: { filters: {}, thresholds: spec?.defaultRules ?? [] }, says: undefined };
  if (preset === 'digest') return { isOff: false, rules: NO_ALERTS, says: undefined };
  const part: PresetPart | undefined = preset === 'everything' ? undefined : spec?.[preset];
  if (part === undefined) return everything;
  if (part === 'off') return { ...everything, isOff: true };
  return { isOff: false, rules: { filters: part.filters, thresholds: part.thresholds }, says: part.says };
}

const TABLE = new Map(PRESETS.map((preset) => [preset, new Map(KINDS.map((kind) => [kind, presetKindOf(preset, kind)]))]));

const presetKind = (preset: Preset, kind: string): PresetKind => TABLE.get(preset)?.get(kind) ?? presetKindOf(preset, kind);

export const presetRules = (preset: Preset, kind: string): Rules => presetKind(preset, kind).rules;

/** Returns text such as "mints and burns from $10K", or undefined if the kind is off or the preset is `everything`. */
export const presetPhrase = (preset: Preset, kind: string): string | undefined => presetKind(preset, kind).says;

const names = new WeakMap<ThresholdRule, string>();

/** Names a rule by all that affects its evaluation and its end, so that equal rules share a name. */
export function ruleName(rule: ThresholdRule): string {
  const { once, until, only } = rule;
  const name =
    names.get(rule) ??
    `${thresholdKey(rule)}${only === undefined ? '' : ` on ${only}`}${once === true ? ' once' : ''}${until === undefined ? '' : ' until'}`;
  names.set(rule, name);
  return name;
}

const SHARED = new Map(
  KINDS.map((kind) => [
    kind,
    new Map(PRESETS.flatMap((preset) => presetRules(preset, kind).thresholds).map((rule) => [ruleName(rule), rule])),
  ]),
);

/** Kinds for which a preset has a threshold rule. */
export const SHARED_KINDS: readonly string[] = KINDS.filter((kind) => (SHARED.get(kind)?.size ?? 0) > 0);

const NO_RULES: ReadonlyMap<string, ThresholdRule> = new Map();

/** Returns the presets' threshold rules by name. Chats with the same rule share its state. */
export const sharedRules = (kind: string): ReadonlyMap<string, ThresholdRule> => SHARED.get(kind) ?? NO_RULES;

/** Returns the rules of a kind. A kind that is switched on under the preset `digest` has the default preset's rules. */
export const rulesFor = ({ preset, rules, modes }: Subscription, kind: string): Rules =>
  rules?.[kind] ?? presetRules(preset === 'digest' && modes?.[kind] !== undefined ? DEFAULT_PRESET : preset, kind);

/** Returns the chosen mode of a kind, or else its mode in the preset. Small events may still be silent. */
export function modeOf({ preset, modes }: Omit<Subscription, 'rules'>, kind: string): KindMode {
  const chosen = modes?.[kind];
  if (chosen !== undefined) return chosen;
  if (presetKind(preset, kind).isOff) return 'off';
  return alertKind(kind)?.sound === 'silent' ? 'silent' : 'on';
}

/** Tells whether all of a kind is reported in the digest only. Chosen rules or a chosen mode make it alert. */
export const isDigestOnly = ({ preset, rules, modes }: Subscription, kind: string): boolean =>
  preset === 'digest' && rules?.[kind] === undefined && modes?.[kind] === undefined;

/** Tells whether the events of a kind are only in the digest. Thresholds and reminders that were chosen alert all the same. A chosen filter or mode lets events alert. */
export function areEventsInDigest(entry: Subscription, kind: string): boolean {
  if (entry.preset !== 'digest' || entry.modes?.[kind] !== undefined) return false;
  const chosen = entry.rules?.[kind];
  if (chosen === undefined) return true;
  const isRuleAlone = chosen.thresholds.length > 0 || chosen.filters.remind !== undefined;
  return isRuleAlone && !hasOnlyMeasures(kind) && !choosesAlerts({ ...chosen, thresholds: [] });
}

export const isOff = (entry: Omit<Subscription, 'rules'>, kind: string): boolean => modeOf(entry, kind) === 'off';

const OFF_OF_PRESET = new Map(PRESETS.map((preset) => [preset, KINDS.filter((kind) => presetKind(preset, kind).isOff)]));

export function kindsOff(entry: Omit<Subscription, 'rules'>): readonly string[] {
  const usual = OFF_OF_PRESET.get(entry.preset) ?? [];
  if (entry.modes === undefined) return usual;
  return [...new Set([...usual, ...Object.keys(entry.modes)])].filter((kind) => isOff(entry, kind));
}
