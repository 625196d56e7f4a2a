/** This module removes rules that have ended (`once`, `until`), and records the removed ones if the list is from a file. It is pure. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { omitUndefined } from '../../base/omit-undefined.js';
import { thresholdRuleSchema, type ThresholdRule } from '../../domain/threshold-rule.js';
import { targetName, type Entry } from './entry.js';

const endedRuleSchema = z.object({
  /** The name of the entry's target. */
  entry: z.string(),
  /** Set for a rule of the entry's exception for this project. */
  project: z.string().optional(),
  kind: z.string(),
  rule: thresholdRuleSchema,
});
export type EndedRule = z.infer<typeof endedRuleSchema>;

/** An ended rule of a list from a file. `place` is its index if the list's hash still includes it. */
export const fileEndingSchema = endedRuleSchema.extend({ place: z.int().min(0).optional() });
export type FileEnding = z.infer<typeof fileEndingSchema>;

/** The newest endings are recorded. Without a limit, somebody who keeps setting rules would fill the document. */
export const MAX_FILE_ENDINGS = 500;

export const endedRule = (entry: Entry, kind: string, rule: ThresholdRule): EndedRule => ({
  entry: targetName(entry.target),
  kind,
  rule,
  ...(entry.exception?.rules?.[kind] === undefined ? {} : { project: entry.exception.project }),
});

type WithRules = Pick<Entry, 'rules' | 'exceptions'>;
type RuleChange = (thresholds: readonly ThresholdRule[], where: Pick<EndedRule, 'project' | 'kind'>) => readonly ThresholdRule[];

/** Changes the lists of rules. Returns the same object if none changed. */
function mapRules<T extends WithRules>(of: T, change: RuleChange): T {
  const map = <R extends Pick<Entry, 'rules'>>(one: R, project?: string): R => {
    const kinds = Object.entries(one.rules ?? {}).map(([kind, rules]) => {
      const thresholds = change(rules.thresholds, { project, kind });
      return [kind, thresholds === rules.thresholds ? rules : { ...rules, thresholds }] as const;
    });
    return kinds.every(([kind, rules]) => rules === one.rules?.[kind]) ? one : { ...one, rules: Object.fromEntries(kinds) };
  };
  const own = map(of);
  const exceptions = Object.entries(own.exceptions ?? {}).map(([name, one]) => [name, map(one, name)] as const);
  return exceptions.every(([name, one]) => one === own.exceptions?.[name]) ? own : { ...own, exceptions: Object.fromEntries(exceptions) };
}

const without = (thresholds: readonly ThresholdRule[], isGone: (rule: ThresholdRule) => boolean): readonly ThresholdRule[] =>
  thresholds.some(isGone) ? thresholds.filter((rule) => !isGone(rule)) : thresholds;

/** Removes the rules for which `isGone` is true. Returns the same object if there are none. */
export const withoutRules = <T extends WithRules>(of: T, isGone: (ended: Omit<EndedRule, 'entry'>) => boolean): T =>
  mapRules(of, (thresholds, where) => without(thresholds, (rule) => isGone({ ...where, rule })));

export const isSameRule = (one: Omit<EndedRule, 'entry'>, { project, kind, rule }: Omit<EndedRule, 'entry'>): boolean =>
  one.project === project && one.kind === kind && isDeepStrictEqual(omitUndefined(one.rule), omitUndefined(rule));

interface List {
  readonly entries: readonly Entry[];
  readonly fromFile?:
    { readonly name: string; readonly text: string; readonly list: string; readonly ended?: readonly FileEnding[] | undefined } | undefined;
}

/** Removes ended rules. Returns the same object if it has none of them. */
export function withoutEnded<T extends List>(chat: T, ended: readonly EndedRule[]): T {
  const places: FileEnding[] = [];
  const entries = chat.entries.map((entry) => {
    const name = targetName(entry.target);
    return mapRules(entry, (thresholds, where) => {
      const isEnded = (rule: ThresholdRule): boolean => ended.some((one) => one.entry === name && isSameRule(one, { ...where, rule }));
      for (const [place, rule] of thresholds.entries())
        if (isEnded(rule)) places.push(omitUndefined({ entry: name, ...where, rule, place }));
      return without(thresholds, isEnded);
    });
  });
  if (entries.every((entry, index) => entry === chat.entries[index])) return chat;
  const { fromFile } = chat;
  if (fromFile === undefined) return { ...chat, entries };
  const earlier = (fromFile.ended ?? []).filter((one) => !places.some((place) => place.entry === one.entry && isSameRule(place, one)));
  return { ...chat, entries, fromFile: { ...fromFile, ended: [...places, ...earlier].slice(0, MAX_FILE_ENDINGS) } };
}

/** Adds the rules back that ended since the file was applied, because an ending is not an edit. The latest ending comes first. */
export function withFileEndings<T extends List>(chat: T): T {
  let { entries }: List = chat;
  for (const { entry: name, place, ...ended } of chat.fromFile?.ended ?? []) {
    if (place === undefined) continue;
    entries = entries.map((entry) =>
      targetName(entry.target) === name
        ? mapRules(entry, (thresholds, { project, kind }) =>
            project === ended.project && kind === ended.kind ? thresholds.toSpliced(place, 0, ended.rule) : thresholds,
          )
        : entry,
    );
  }
  return { ...chat, entries };
}
