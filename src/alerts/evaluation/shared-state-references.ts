/** A chat's references to shared states, in its queue document. Chats that watch the same share one object. Pure. */
import { z } from 'zod';
import { boundedCache } from '../../base/bounded-cache.js';
import { instant } from '../../base/clock.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import { FOLLOWS, isPlain, seriesIn, type StoredState } from './shared-states.js';

const referencedRulesSchema = z.object({
  target: z.string(),
  series: z.record(z.string(), z.array(z.string()).readonly()),
});
export type ReferencedRules = z.infer<typeof referencedRulesSchema>;

export const referencesSchema = z.object({
  rules: z.array(referencedRulesSchema).readonly(),
  /** When the watch of each of them began. */
  since: z.array(instantSchema).readonly(),
});
export type References = z.infer<typeof referencesSchema>;

export type StoredStates = ReadonlyMap<string, StoredState>;

/** Of a queue document. A state is in one of both. */
export interface StateFields {
  readonly ruleStates?: Readonly<Record<string, StoredState>> | undefined;
  readonly references?: References | undefined;
}

const MAX_POOLED = 2_000;
const pool = boundedCache<ReferencedRules>(MAX_POOLED);
/** The last one of each target: most chats have the same, and comparing costs less than a text. */
const recent = new Map<string, ReferencedRules>();

function pooled(rules: ReferencedRules): ReferencedRules {
  const last = recent.get(rules.target);
  if (last !== undefined && isSameSeries(last.series, rules.series)) return last;
  const own = pool(JSON.stringify(rules), () => rules);
  if (recent.size >= MAX_POOLED) recent.clear();
  recent.set(rules.target, own);
  return own;
}

function isSameSeries(one: ReferencedRules['series'], other: ReferencedRules['series']): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSameList(one[name] ?? [], other[name] ?? []));
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

/** Lists of pooled objects, by the first of them: the last one. */
const lists = new WeakMap<ReferencedRules, References['rules']>();

/** One list for chats that follow the same. */
function pooledList(all: References['rules']): References['rules'] {
  const [first] = all;
  if (first === undefined) return all;
  const last = lists.get(first);
  if (last !== undefined && isSameList(last, all)) return last;
  lists.set(first, all);
  return all;
}

const NONE: References = { rules: [], since: [] };

interface Part {
  readonly target: string;
  readonly since: Instant;
  readonly name: string;
}

function partsOf(key: string, series: string): Part | undefined {
  const end = key.lastIndexOf('/');
  const at = key.lastIndexOf('@', end);
  const since = Number(key.slice(at + 1, end));
  const part = { target: key.slice(series.length + 1, at), since: instant(since), name: key.slice(end + 1) };
  return at > series.length && Number.isSafeInteger(since) && key === keyIn(series, part) ? part : undefined;
}

const keyIn = (series: string, { target, since, name }: Part): string => `${series}/${target}@${since}/${name}`;

export function statesIn({ ruleStates, references = NONE }: StateFields): readonly (readonly [key: string, state: StoredState])[] {
  const referring = references.rules.flatMap(({ target, series }, index) => {
    const since = references.since[index] ?? instant(0);
    return Object.entries(series).flatMap(([one, names]) =>
      names.map((name): [string, StoredState] => [keyIn(one, { target, since, name }), FOLLOWS]),
    );
  });
  return ruleStates === undefined ? referring : [...Object.entries(ruleStates), ...referring];
}

const EMPTY: NonNullable<StateFields['ruleStates']> = {};
const indexes = new WeakMap<object, ReadonlyMap<string, StoredStates>>();

/** Without `references`. Cached: most chats have none. */
export function ownStates({ ruleStates = EMPTY }: StateFields): ReadonlyMap<string, StoredStates> {
  const index = indexes.get(ruleStates) ?? indexOf(ruleStates);
  indexes.set(ruleStates, index);
  return index;
}

function indexOf(states: NonNullable<StateFields['ruleStates']>): ReadonlyMap<string, StoredStates> {
  const index = new Map<string, Map<string, StoredState>>();
  for (const [key, state] of Object.entries(states)) {
    const series = seriesIn(key);
    const own = index.get(series) ?? new Map<string, StoredState>();
    index.set(series, own.set(key, state));
  }
  return index;
}

export const hasOwnStates = (states: StateFields, series: string): boolean =>
  states.ruleStates !== undefined && ownStates(states).has(series);

export function statesOf(states: StateFields, series: string): StoredStates {
  const { rules, since } = states.references ?? NONE;
  const own = ownStates(states).get(series);
  const all = new Map(own);
  for (const [index, { target, series: named }] of rules.entries())
    for (const name of named[series] ?? []) all.set(keyIn(series, { target, since: since[index] ?? instant(0), name }), FOLLOWS);
  return all;
}

export interface OnlyReferences {
  readonly target: string;
  /** In `since`. */
  readonly index: number;
  readonly names: readonly string[];
}

/** Where all references of the series are for one target. */
export function onlyReferences(rules: References['rules'], series: string): OnlyReferences | undefined {
  let only: OnlyReferences | undefined;
  for (const [index, { target, series: named }] of rules.entries()) {
    const names = named[series];
    if (names === undefined) continue;
    if (only !== undefined) return undefined;
    only = { target, index, names };
  }
  return only;
}

/** Replaces all states of these series. */
export function withStates<S extends StateFields>(states: S, bySeries: ReadonlyMap<string, StoredStates>): S {
  const own = new Map<string, StoredState>();
  const referring: [series: string, part: Part][] = [];
  for (const [series, all] of bySeries)
    for (const [key, state] of all) {
      const part = isPlain(state) ? partsOf(key, series) : undefined;
      if (part === undefined) own.set(key, state);
      else referring.push([series, part]);
    }
  const { ruleStates: before, references: had = NONE } = states;
  const isReplaced = (series: string): boolean => bySeries.has(series);
  const others = Object.entries(before ?? {}).filter(([key]) => !isReplaced(seriesIn(key)));
  const references = replaced(had, [...bySeries.keys()], referring);
  const ruleStates = others.length + own.size === 0 ? undefined : { ...Object.fromEntries(others), ...Object.fromEntries(own) };
  return { ...states, ruleStates, references: references.rules.length === 0 ? undefined : references };
}

/** With those of `from` for keys that it lacks. */
export function joined<S extends StateFields>(states: S, from: StateFields): S {
  const all = new Map<string, Map<string, StoredState>>();
  for (const [key, state] of [...statesIn(from), ...statesIn(states)]) {
    const series = seriesIn(key);
    all.set(series, (all.get(series) ?? new Map<string, StoredState>()).set(key, state));
  }
  return all.size === 0 ? states : withStates(states, all);
}

/** Moves references out of `ruleStates`, and shares equal rules. */
export function compacted<S extends StateFields>(states: S): S {
  const { references } = states;
  const shared =
    references === undefined ? states : { ...states, references: { ...references, rules: pooledList(references.rules.map(pooled)) } };
  const own = ownStates(states);
  const series = [...own].flatMap(([one, all]) => ([...all.values()].some(isPlain) ? [one] : []));
  return series.length === 0 ? shared : withStates(shared, new Map(series.map((one) => [one, statesOf(shared, one)])));
}

interface Wanted extends Pick<Part, 'target' | 'since'> {
  readonly names: Map<string, string[]>;
}

function wantedIn(parts: readonly (readonly [string, Part])[]): Wanted[] {
  const wanted: Wanted[] = [];
  for (const [series, { target, since, name }] of parts) {
    let one = wanted.find((known) => known.target === target && known.since === since);
    if (one === undefined) wanted.push((one = { target, since, names: new Map() }));
    const names = one.names.get(series);
    if (names === undefined) one.names.set(series, [name]);
    else names.push(name);
  }
  return wanted;
}

function replaced({ rules, since }: References, series: readonly string[], parts: readonly (readonly [string, Part])[]): References {
  const wanted = wantedIn(parts);
  const all: ReferencedRules[] = [];
  const began: Instant[] = [];
  for (const [index, one] of rules.entries()) {
    const at = since[index] ?? instant(0);
    const place = wanted.findIndex((other) => other.target === one.target && other.since === at);
    const names = place === -1 ? undefined : wanted.splice(place, 1)[0]?.names;
    const after = series.reduce((known, each) => withNames(known, each, names?.get(each)), one);
    // Few have lost all.
    if (after !== one && Object.keys(after.series).length === 0) continue;
    all.push(after);
    began.push(at);
  }
  for (const { target, since: at, names } of wanted) {
    all.push([...names].reduce<ReferencedRules>((known, [one, those]) => withNames(known, one, those), pooled({ target, series: {} })));
    began.push(at);
  }
  const isSame = all.length === rules.length && all.every((one, index) => one === rules[index] && began[index] === since[index]);
  return isSame ? { rules, since } : { rules: pooledList(all), since: began };
}

/** Chats with the same rules before have the same object afterwards. */
const transitions = new WeakMap<ReferencedRules, Map<string, ReferencedRules>>();

function withNames(rules: ReferencedRules, series: string, names: readonly string[] | undefined): ReferencedRules {
  const before = rules.series[series];
  if (before === names || (before !== undefined && before.join('\n') === names?.join('\n'))) return rules;
  const known = transitions.get(rules) ?? new Map<string, ReferencedRules>();
  transitions.set(rules, known);
  const change = `${series}\n${names?.join('\n') ?? ''}`;
  const { [series]: _, ...others } = rules.series;
  const all = Object.entries(names === undefined ? others : { ...others, [series]: names }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const after = known.get(change) ?? pooled({ target: rules.target, series: Object.fromEntries(all) });
  known.set(change, after);
  return after;
}
