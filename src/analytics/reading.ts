/**
 * Reading what the interface leaves "not shown". A name it does state is looked for wherever it stands: the shallowest occurrence wins.
 * Where several stand at one depth and differ, there is no telling which is meant, so the value is unknown and the name is remembered as doubtful.
 */
import { isSafeNumber, parse } from 'lossless-json';
import { z } from 'zod';
import { NAMES, type Concept, type Names } from './names.js';

/** JSON whose long numbers keep every digit: what a JavaScript number holds exactly is a number, everything else is text. */
export const parseJson = (body: string): unknown => parse(body, undefined, (digits) => (isSafeNumber(digits) ? Number(digits) : digits));

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where a name occurs, with the path that leads there: `{ path: 'wallets.total', value: 5 }`. */
export interface Occurrence {
  readonly path: string;
  readonly value: unknown;
}

/** Every name with its occurrences at the shallowest depth that has one. A null is no occurrence; lists are rows of something else. */
function index(root: unknown): ReadonlyMap<string, readonly Occurrence[]> {
  const found = new Map<string, Occurrence[]>();
  let level: readonly { path: string; node: Tree }[] = isTree(root) ? [{ path: '', node: root }] : [];
  while (level.length > 0) {
    const here = new Map<string, Occurrence[]>();
    const below: { path: string; node: Tree }[] = [];
    for (const { path, node } of level) {
      for (const [name, value] of Object.entries(node)) {
        if (value === null || value === undefined) continue;
        if (!found.has(name)) here.set(name, [...(here.get(name) ?? []), { path: `${path}${name}`, value }]);
        if (isTree(value)) below.push({ path: `${path}${name}.`, node: value });
      }
    }
    for (const [name, occurrences] of here) found.set(name, occurrences);
    level = below;
  }
  return found;
}

/** All occurrences of a name at the shallowest depth that has one. */
export const occurrences = (root: unknown, name: string): readonly Occurrence[] => index(root).get(name) ?? [];

/** The fields at the top; an object whose only field is an object is a wrapper, and what it wraps is the top. */
function topOf(root: unknown): Tree {
  if (!isTree(root)) return {};
  const [only, ...others] = Object.values(root);
  return others.length === 0 && isTree(only) ? topOf(only) : root;
}

export interface Reader {
  /** The value of a concept, read with `schema`; undefined when it is absent, unreadable or doubtful. */
  get<T extends z.ZodType>(concept: Concept, schema: T): z.output<T> | undefined;
  /** Names that occur several times at one depth with different values, as paths. */
  readonly doubts: readonly string[];
  /** Which guessed names were used, for the doctor. */
  readonly guessed: readonly string[];
}

/** One look for a concept: under which name it was found, and whether the interface states that name. */
export interface Use {
  readonly concept: Concept;
  readonly how: 'stated' | 'guessed' | 'doubtful' | 'absent';
  readonly name?: string;
}

let watcher: ((use: Use) => void) | undefined;

/** Does `work`, which must not be asynchronous, and tells of each concept that a reader was asked for meanwhile. For the doctor. */
export function watching<T>(tell: (use: Use) => void, work: () => T): T {
  const before = watcher;
  watcher = tell;
  try {
    return work();
  } finally {
    watcher = before;
  }
}

/** Reads concepts from an answer whose layout is not shown: first by the names the interface states, then by those we guess. */
export function reader(root: unknown): Reader {
  const doubts: string[] = [];
  const guessed: string[] = [];
  const top = topOf(root);
  const everywhere = index(root);
  const find = (name: string, atTop: boolean): readonly Occurrence[] =>
    atTop ? [{ path: name, value: top[name] }] : (everywhere.get(name) ?? []);
  return {
    doubts,
    guessed,
    get(concept, schema) {
      const { stated, guessed: guesses, common = [] }: Names = NAMES[concept];
      for (const name of [...stated, ...guesses, ...common]) {
        const found = find(name, common.includes(name));
        const values = found.flatMap(({ value }) => {
          const read = schema.safeParse(value);
          return read.success && read.data !== undefined ? [read.data] : [];
        });
        if (values.length === 0) continue;
        if (new Set(values.map((value) => JSON.stringify(value))).size > 1) {
          doubts.push(...found.map(({ path }) => path));
          watcher?.({ concept, how: 'doubtful', name });
          return undefined;
        }
        if (!stated.includes(name)) guessed.push(name);
        watcher?.({ concept, how: stated.includes(name) ? 'stated' : 'guessed', name });
        return values[0];
      }
      watcher?.({ concept, how: 'absent' });
      return undefined;
    },
  };
}

/** A schema for an object whose layout is not shown: any object, read by name. */
export const readObject = <T>(read: (from: Reader, root: Tree) => T) =>
  z.record(z.string(), z.unknown()).transform((root): T => read(reader(root), root));
