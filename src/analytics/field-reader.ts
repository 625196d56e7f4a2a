/** Reads unspecified layouts by field name. The nearest occurrence wins, even if null. Different values at one depth count as unknown. */
import { z } from 'zod';
import { memoize } from '../base/bounded-cache.js';
import type { Decimal } from '../domain/scalars.js';
import { NAMES, type Concept, type Names } from './field-names.js';
import { CHARACTERS_A_STEP, countNames, measuring, atOnce } from './untrusted-json.js';
import { attempt, UNREADABLE, decimal } from './wire-values.js';

/** The most values in a body. Five years of hourly points with two values are 131,400. */
const MAX_VALUES = 200_000;

/** Parses JSON. Throws a `TooLargeError`, or a `SyntaxError` for invalid JSON or duplicate fields. */
export const parseJson = (body: string): unknown => atOnce(parsing(body));

export function* parsing(body: string, most = MAX_VALUES): Generator<undefined, unknown> {
  const isLong = body.length > CHARACTERS_A_STEP;
  const { text, names } = yield* measuring(body, most);
  if (isLong) yield;
  const parsed: unknown = JSON.parse(text);
  if (isLong) yield;
  if (countNames(parsed) !== names) throw new SyntaxError('a field stands twice in one object');
  return parsed;
}

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): boolean => typeof value !== 'object';

interface Level {
  readonly find: (name: string) => readonly Occurrence[];
}

interface Occurrence {
  readonly name: string;
  readonly value: unknown;
  readonly above: Occurrence | undefined;
}

/** Returns a path such as `wallets.total`. */
function pathOf({ name, above }: Occurrence): string {
  return above === undefined ? name : `${pathOf(above)}.${name}`;
}

interface Node {
  readonly tree: Tree;
  readonly above: Occurrence | undefined;
}

/** The most fields that are read. On a level that is read only in part, a name may not be unique. */
const MAX_FIELDS = 5_000;
const FEW_NODES = 3;

const NONE: readonly Occurrence[] = [];

function occurrenceIn({ tree, above }: Node, name: string): readonly Occurrence[] {
  const value = Object.hasOwn(tree, name) ? tree[name] : undefined;
  return value === undefined ? NONE : [{ name, value, above }];
}

function levelOf(nodes: readonly Node[]): Level {
  const [first, ...others] = nodes;
  if (first !== undefined && others.length === 0) return { find: (name) => occurrenceIn(first, name) };
  if (nodes.length <= FEW_NODES) return { find: (name) => nodes.flatMap((node) => occurrenceIn(node, name)) };
  const fields = new Map<string, Occurrence[]>();
  for (const { tree, above } of nodes) {
    for (const [name, value] of Object.entries(tree)) {
      if (value === undefined) continue;
      const same = fields.get(name);
      if (same === undefined) fields.set(name, [{ name, value, above }]);
      else same.push({ name, value, above });
    }
  }
  return { find: (name) => fields.get(name) ?? NONE };
}

function below(nodes: readonly Node[]): readonly Node[] {
  const found: Node[] = [];
  for (const { tree, above } of nodes)
    for (const name of Object.keys(tree)) {
      const value = tree[name];
      if (isTree(value)) found.push({ tree: value, above: { name, value, above } });
    }
  return found;
}

/** Returns the levels of an object, the nearest first, found lazily. Skips lists. */
function levelsOf(root: unknown): { readonly at: (depth: number) => Level | undefined } {
  const levels: Level[] = [];
  let nodes: readonly Node[] = isTree(root) ? [{ tree: root, above: undefined }] : [];
  let room = MAX_FIELDS;
  return {
    at(depth) {
      while (levels.length <= depth && nodes.length > 0 && room >= 0) {
        const next = levels.length === 0 ? nodes : below(nodes);
        nodes = next;
        for (const { tree } of next) {
          room -= Object.keys(tree).length;
          if (room < 0) break;
        }
        if (room >= 0 && next.length > 0) levels.push(levelOf(next));
      }
      return levels[depth];
    },
  };
}

/** Returns the values at the nearest depth that has the name, including null. */
export function occurrences(root: unknown, name: string): readonly unknown[] {
  const levels = levelsOf(root);
  for (let depth = 0, level = levels.at(0); level !== undefined; depth += 1, level = levels.at(depth)) {
    const found = level.find(name);
    if (found.length > 0) return found.map(({ value }) => value);
  }
  return [];
}

/** Returns the list at the nearest depth that has the name; undefined if there is none or several. */
export function listNamed(root: unknown, name: string): readonly unknown[] | undefined {
  const levels = levelsOf(root);
  for (let depth = 0, level = levels.at(0); level !== undefined; depth += 1, level = levels.at(depth)) {
    const found = level.find(name);
    const lists = found.flatMap(({ value }) => (Array.isArray(value) ? [value as readonly unknown[]] : []));
    if (lists.length > 0) return lists.length === 1 ? lists[0] : undefined;
    if (found.some(({ value }) => value === null)) return [];
  }
  return undefined;
}

export interface FoundList {
  readonly name: string;
  readonly depth: number;
  readonly items: readonly unknown[];
}

/** Returns the lists that are not inside other lists, nearest first. */
export function listsIn(root: unknown): readonly FoundList[] {
  if (Array.isArray(root)) return [{ name: '', depth: 0, items: root }];
  const found: FoundList[] = [];
  let trees: readonly Tree[] = isTree(root) ? [root] : [];
  let room = MAX_FIELDS;
  for (let depth = 0; trees.length > 0 && room >= 0; depth += 1) {
    const next: Tree[] = [];
    for (const tree of trees)
      for (const [name, value] of Object.entries(tree)) {
        room -= 1;
        if (Array.isArray(value)) found.push({ name, depth, items: value });
        else if (isTree(value)) next.push(value);
      }
    trees = next;
  }
  return found;
}

const KNOWN_NAMES: ReadonlySet<string> = new Set(
  Object.values<Names>(NAMES).flatMap(({ stated, guessed, common = [] }) => [...stated, ...guessed, ...common]),
);
const hasKnownScalar = (tree: Tree): boolean => {
  for (const name of Object.keys(tree)) if (KNOWN_NAMES.has(name) && !isTree(tree[name])) return true;
  return false;
};
const MAX_WRAPPERS = 4;
const holdsKnown = (tree: Tree, deepest = MAX_WRAPPERS): boolean =>
  hasKnownScalar(tree) || (deepest > 0 && Object.values(tree).some((value) => isTree(value) && holdsKnown(value, deepest - 1)));

/** Returns the depth of the first object with a known name. The objects around it are wrappers, even with other unknown fields. */
function topDepth(root: unknown): number {
  let depth = 0;
  for (let node = root; isTree(node) && !hasKnownScalar(node) && depth < MAX_WRAPPERS; depth += 1) {
    const trees = Object.values(node).filter(isTree);
    const [only, another] = trees.length === 1 ? trees : trees.filter((tree) => holdsKnown(tree));
    if (only === undefined || another !== undefined) return depth;
    node = only;
  }
  return depth;
}

export interface Reader {
  /** Returns undefined if the field is absent, null, unreadable or ambiguous. */
  get<T extends z.ZodType>(concept: Concept, schema: T): z.output<T> | undefined;
  /** The paths of ambiguous names. */
  readonly doubts: readonly string[];
}

export interface Use {
  readonly concept: Concept;
  readonly how: 'stated' | 'guessed' | 'doubtful' | 'absent';
  readonly name?: string;
}

let watcher: ((use: Use) => void) | undefined;

/** Reports the lookups during `work`, for the doctor. */
export function watching<T>(report: (use: Use) => void, work: () => T): T {
  const before = watcher;
  watcher = report;
  try {
    return work();
  } finally {
    watcher = before;
  }
}

const MAX_DOUBTS = 6;

type Finding<V> = { readonly kind: 'value'; readonly value: V } | { readonly kind: 'several' | 'unreadable' | 'null' | 'none' };

function judge<T extends z.ZodType>(found: readonly Occurrence[], schema: T): Finding<z.output<T>> {
  let first: { readonly value: z.output<T> } | undefined;
  let nulls = 0;
  let unreadable = 0;
  for (const { value } of found) {
    const read = value === null ? UNREADABLE : attempt(schema, value);
    if (value === null) nulls += 1;
    else if (read === UNREADABLE || read === undefined) unreadable += isScalar(value) ? 1 : 0;
    else if (first === undefined) first = { value: read };
    else if (JSON.stringify(first.value) !== JSON.stringify(read)) return { kind: 'several' };
  }
  if (first !== undefined) return nulls > 0 ? { kind: 'several' } : { kind: 'value', value: first.value };
  return { kind: nulls > 0 ? 'null' : unreadable > 0 ? 'unreadable' : 'none' };
}

interface Found<V> {
  readonly name: string;
  readonly found: readonly Occurrence[];
  readonly finding: Finding<V>;
}

/** Searches one depth. The first name with a value wins. */
function search<T extends z.ZodType>(
  level: Level,
  names: readonly string[],
  { schema, ordinary }: { readonly schema: T; readonly ordinary: readonly string[] },
): Found<z.output<T>> {
  let unknown: Found<z.output<T>> = { name: '', found: [], finding: { kind: 'none' } };
  for (const name of names) {
    const found = level.find(name);
    if (found.length === 0) continue;
    const finding = judge(found, schema);
    if (finding.kind === 'value' || finding.kind === 'several') return { name, found, finding };
    // An unreadable value under a common name belongs to another concept, but a null means unknown.
    if (finding.kind === 'null' || (finding.kind === 'unreadable' && !ordinary.includes(name))) unknown = { name, found, finding };
  }
  return unknown;
}

interface Search {
  readonly stated: readonly string[];
  readonly guessed: readonly string[];
  readonly guessedAtTop: readonly string[];
  readonly ordinary: readonly string[];
}

const searchOf = memoize(({ stated, guessed, common = [] }: Names): Search => ({
  stated,
  guessed,
  guessedAtTop: [...guessed, ...common],
  ordinary: common,
}));

export function reader(root: unknown): Reader {
  const doubts: string[] = [];
  const top = topDepth(root);
  const levels = levelsOf(root);

  return {
    doubts,
    get(concept, schema) {
      const { stated, guessed, guessedAtTop, ordinary } = searchOf(NAMES[concept]);
      for (let depth = 0, level = levels.at(0); level !== undefined; depth += 1, level = levels.at(depth)) {
        for (const names of [stated, depth === top ? guessedAtTop : guessed]) {
          const { name, found, finding } = search(level, names, { schema, ordinary });
          if (finding.kind === 'none') continue;
          const how =
            finding.kind === 'several' ? 'doubtful' : finding.kind !== 'value' ? 'absent' : names === stated ? 'stated' : 'guessed';
          watcher?.({ concept, how, ...(how === 'absent' ? {} : { name }) });
          if (how === 'doubtful') doubts.push(...found.slice(0, MAX_DOUBTS).map(pathOf));
          return finding.kind === 'value' ? finding.value : undefined;
        }
      }
      watcher?.({ concept, how: 'absent' });
      return undefined;
    },
  };
}

export const readObject = <T>(read: (from: Reader, root: Tree) => T) =>
  z.unknown().transform((root, context): T => {
    if (isTree(root)) return read(reader(root), root);
    context.addIssue({ code: 'invalid_type', expected: 'record', input: root });
    return z.NEVER;
  });

export interface Labelled {
  /** The field name in words: "average trade size" for `averageTradeSize`. */
  readonly label: string;
  readonly value: Decimal;
}

const MAX_LABELS = 24;
const MAX_DEPTH = 4;

const tree = z.record(z.string(), z.unknown());

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/[_-]+/gu, ' ')
    .toLowerCase();

const MAX_VISITED = 1_000;

/** Finds all numbers of an unknown layout outside its lists, in order, each with the names above it. */
export function labelled(root: unknown): readonly Labelled[] {
  const found: Labelled[] = [];
  let visited = 0;
  const visit = (value: unknown, above: readonly string[]): void => {
    const read = tree.safeParse(value);
    if (!read.success || Array.isArray(value) || above.length > MAX_DEPTH) return;
    for (const [name, field] of Object.entries(read.data)) {
      visited += 1;
      if (found.length >= MAX_LABELS || visited > MAX_VISITED) return;
      const number = attempt(decimal, field);
      const path = [...above, wordsOf(name)];
      if (number === UNREADABLE) visit(field, path);
      else found.push({ label: path.join(', '), value: number });
    }
  };
  visit(root, []);
  return found;
}
