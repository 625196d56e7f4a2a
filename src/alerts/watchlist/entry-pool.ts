/** Shares equal parts of entries on loading: copies would be most of the memory. */
import { targetName, type Entry, type Target } from './entry.js';

export function createEntryPool(): (entry: Entry) => Entry {
  const targets = new Map<string, Target>();
  const texts = new Map<string, string>();
  const modes = new Map<string, NonNullable<Entry['modes']>>();
  const rules = new Map<string, NonNullable<Entry['rules']>>();
  const one = <T>(pool: Map<string, T>, key: string, value: T): T => {
    const known = pool.get(key);
    if (known !== undefined) return known;
    pool.set(key, value);
    return value;
  };
  return (entry) => ({
    ...entry,
    target: one(targets, keyOf(entry.target), entry.target),
    by: one(texts, entry.by, entry.by),
    ...(entry.byId === undefined ? {} : { byId: one(texts, entry.byId, entry.byId) }),
    ...(entry.modes === undefined ? {} : { modes: one(modes, JSON.stringify(entry.modes), entry.modes) }),
    ...(entry.rules === undefined ? {} : { rules: one(rules, JSON.stringify(entry.rules), entry.rules) }),
  });
}

const keyOf = (target: Target): string =>
  `${target.kind}/${targetName(target)}${target.kind === 'wallet' && target.label !== undefined ? `/${target.label}` : ''}`;
