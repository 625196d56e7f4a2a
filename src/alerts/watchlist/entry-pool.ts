/** Shares equal parts of entries on loading: copies would be most of the memory. */
import type { Entry, Target } from './entry.js';

export function createEntryPool(): (entry: Entry) => Entry {
  const targets = createTargetPool();
  const texts = new Map<string, string>();
  const modes = new Map<string, NonNullable<Entry['modes']>>();
  const rules = new Map<string, NonNullable<Entry['rules']>>();
  return (entry) => {
    const shared = { ...entry, target: targets(entry.target), by: one(texts, entry.by, entry.by) };
    // Most entries have none of them, and there are many.
    if (entry.byId === undefined && entry.modes === undefined && entry.rules === undefined) return shared;
    return {
      ...shared,
      ...(entry.byId === undefined ? {} : { byId: one(texts, entry.byId, entry.byId) }),
      ...(entry.modes === undefined ? {} : { modes: one(modes, JSON.stringify(entry.modes), entry.modes) }),
      ...(entry.rules === undefined ? {} : { rules: one(rules, JSON.stringify(entry.rules), entry.rules) }),
    };
  };
}

function one<T>(pool: Map<string, T>, key: string, value: T): T {
  const known = pool.get(key);
  if (known !== undefined) return known;
  pool.set(key, value);
  return value;
}

/** Without a key of several parts for each entry. */
function createTargetPool(): (target: Target) => Target {
  const projects = new Map<string, Target>();
  const others = new Map<string, Target>();
  return (target) => {
    if (target.kind === 'project') return one(projects, target.slug, target);
    if (target.kind !== 'wallet') return one(others, target.kind, target);
    return one(others, target.label === undefined ? target.address : `${target.address}/${target.label}`, target);
  };
}
