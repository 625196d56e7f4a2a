/** What an answer may look like and still mean the same: pure changes to JSON, each driven by a stream of chances between 0 and 1. */
export type Chance = () => number;
type Tree = Readonly<Record<string, unknown>>;

export const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Chances that a seed stands for: the same seed, the same disorder. */
export function chances(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const shuffled = <T>(all: readonly T[], chance: Chance): readonly T[] =>
  all
    .map((one) => ({ one, at: chance() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);

/** Rebuilds a value from its leaves and objects up. */
function rebuilt(
  value: unknown,
  change: {
    readonly leaf?: (leaf: unknown, name: string) => unknown;
    readonly tree?: (tree: Tree) => Tree;
    readonly list?: (list: readonly unknown[]) => readonly unknown[];
  },
  name = '',
): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => rebuilt(item, change, name));
    return change.list ? change.list(items) : items;
  }
  if (isTree(value)) {
    const fields = Object.fromEntries(Object.entries(value).map(([key, field]) => [key, rebuilt(field, change, key)]));
    return change.tree ? change.tree(fields) : fields;
  }
  return change.leaf ? change.leaf(value, name) : value;
}

/** Fields and rows in another order. */
export const reordered = (value: unknown, chance: Chance): unknown =>
  rebuilt(value, { tree: (tree) => Object.fromEntries(shuffled(Object.entries(tree), chance)), list: (list) => shuffled(list, chance) });

/** Text that is a number and that a JavaScript number holds exactly. */
const isPlain = (text: string): boolean => /^-?\d+(\.\d+)?$/u.test(text) && String(Number(text)) === text;

/** Some numbers as text, some numeric text as numbers. `words` are the names of fields whose text is no amount although it looks like one. */
export const respelled = (value: unknown, chance: Chance, words: ReadonlySet<string>): unknown =>
  rebuilt(value, {
    leaf(leaf, name) {
      if (words.has(name) || chance() < 0.5) return leaf;
      if (typeof leaf === 'number') return String(leaf);
      return typeof leaf === 'string' && isPlain(leaf) ? Number(leaf) : leaf;
    },
  });

const RECORDS: readonly unknown[] = [
  { zzId: 1, zzNote: 'a word', zzAt: '2026-01-05T00:00:00Z' },
  { zzId: 2, zzAmount: '12.5', zzMore: [{ zzId: 3 }], zzNone: null },
];
const WORDS: readonly unknown[] = ['a word', '', true, null, { zzNote: 'inside' }, { zzDeep: { zzDeeper: 'text' } }];
const NUMBERS: readonly unknown[] = [7, '12.5', { zzDeep: { zzNumber: -3 } }];
const LISTS: readonly unknown[] = [RECORDS, [], [null], { zzDeep: { zzRecords: RECORDS } }];

/** Fields that the interface does not state, in every object, in front or behind. */
export const crowded = (value: unknown, chance: Chance, withNumbers = true): unknown =>
  rebuilt(value, {
    tree(tree) {
      const values = [...WORDS, ...LISTS, ...(withNumbers ? NUMBERS : [])];
      const stranger = { [`zz${Math.floor(chance() * 1e6)}`]: values[Math.floor(chance() * values.length)] };
      return chance() < 0.5 ? { ...stranger, ...tree } : { ...tree, ...stranger };
    },
  });

/** A list one or two objects down (§2.1), with lists of other records beside, above and below it. */
export const withOtherLists = (list: readonly unknown[], chance: Chance): unknown => {
  const inside = shuffled([['zzRows', list] as const, ['zzRecords', RECORDS] as const, ['zzBelow', { zzMore: RECORDS }] as const], chance);
  const whole = Object.fromEntries(inside);
  return chance() < 0.5 ? whole : Object.fromEntries(shuffled([['zzOuter', whole] as const, ['zzAbove', RECORDS] as const], chance));
};

/** The leaves of a value, as paths. */
export function leaves(value: unknown, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => leaves(item, [...path, index]));
  if (isTree(value)) return Object.entries(value).flatMap(([name, field]) => leaves(field, [...path, name]));
  return [path];
}

/** The value with something else at a path. */
export function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? replaced(item, rest, by) : item));
  return isTree(value) ? { ...value, [step]: replaced(value[step], rest, by) } : value;
}

/** Some fields moved one level down, under a name that the interface does not state, and what is not in `stated` under other names. */
export const renested = (value: unknown, chance: Chance, stated: ReadonlySet<string>): unknown => {
  if (!isTree(value)) return value;
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => [stated.has(name) ? name : `zz${name}`, field]);
  const down = fields.map(() => chance() < 0.5);
  const moved = fields.filter((_, index) => down[index]);
  const stays = fields.filter((_, index) => !down[index]);
  const whole = { ...Object.fromEntries(stays), ...(moved.length === 0 ? {} : { zzInner: Object.fromEntries(moved) }) };
  return chance() < 0.3 ? { zzWrapper: whole } : whole;
};

/** The value as text, whatever the order of its lists and fields. */
export const canonical = (value: unknown): string => {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(canonical).toSorted().join(',')}]`;
  if (isTree(value))
    return `{${Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => `${name}:${canonical(field)}`)
      .toSorted()
      .join(',')}}`;
  return JSON.stringify(value) ?? 'undefined';
};

/** Where the list of an answer stands: the array at the shallowest depth. */
export function listPath(value: unknown): readonly string[] | undefined {
  let level: readonly { readonly path: readonly string[]; readonly node: unknown }[] = [{ path: [], node: value }];
  while (level.length > 0) {
    const found = level.find(({ node }) => Array.isArray(node));
    if (found) return found.path;
    level = level.flatMap(({ path, node }) =>
      isTree(node) ? Object.entries(node).map(([name, field]) => ({ path: [...path, name], node: field })) : [],
    );
  }
  return undefined;
}

export const at = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (node, step) => (isTree(node) ? node[step] : Array.isArray(node) ? (node as readonly unknown[])[Number(step)] : undefined),
    value,
  );
