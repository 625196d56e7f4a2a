/**
 * Reading what the interface leaves "not shown". A name it does state is looked for wherever it stands: the shallowest occurrence wins.
 * Where several stand at one depth and differ, there is no telling which is meant, so the value is unknown and the name is remembered as doubtful.
 */
import { isSafeNumber, parse } from 'lossless-json';
import { z } from 'zod';
import { NAMES, type Concept, type Names } from './names.js';
import { maybe } from './scalars.js';

/** JSON whose long numbers keep every digit: what a JavaScript number holds exactly is a number, everything else is text. */
export const parseJson = (body: string): unknown => parse(body, undefined, (digits) => (isSafeNumber(digits) ? Number(digits) : digits));

const tree = z.record(z.string(), z.unknown());

/** Where a name occurs, with the path that leads there: `['wallets.total', 5]`. */
export interface Occurrence {
  readonly path: string;
  readonly value: unknown;
}

/** All occurrences of a name at the shallowest depth that has one. Lists are rows of something else and are not searched. */
export function occurrences(root: unknown, name: string): readonly Occurrence[] {
  let level: readonly { path: string; node: Record<string, unknown> }[] = [{ path: '', node: tree.safeParse(root).data ?? {} }];
  while (level.length > 0) {
    const here = level.filter(({ node }) => node[name] !== undefined && node[name] !== null);
    if (here.length > 0) return here.map(({ path, node }) => ({ path: `${path}${name}`, value: node[name] }));
    level = level.flatMap(({ path, node }) =>
      Object.entries(node).flatMap(([key, value]) => {
        const child = Array.isArray(value) ? undefined : tree.safeParse(value).data;
        return child === undefined ? [] : [{ path: `${path}${key}.`, node: child }];
      }),
    );
  }
  return [];
}

export interface Reader {
  /** The value of a concept, read with `schema`; undefined when it is absent, unreadable or doubtful. */
  get<T extends z.ZodType>(concept: Concept, schema: T): z.output<T> | undefined;
  /** Names that occur several times at one depth with different values, as paths. */
  readonly doubts: readonly string[];
  /** Which guessed names were used, for the doctor. */
  readonly guessed: readonly string[];
}

/** Reads concepts from an answer whose layout is not shown: first by the names the interface states, then by those we guess. */
export function reader(root: unknown): Reader {
  const doubts: string[] = [];
  const guessed: string[] = [];
  return {
    doubts,
    guessed,
    get(concept, schema) {
      const { stated, guessed: guesses }: Names = NAMES[concept];
      for (const name of [...stated, ...guesses]) {
        const found = occurrences(root, name);
        const values = found.map(({ value }) => maybe(schema).parse(value)).filter((value) => value !== undefined);
        if (values.length === 0) continue;
        if (new Set(values.map((value) => JSON.stringify(value))).size > 1) {
          doubts.push(...found.map(({ path }) => path));
          return undefined;
        }
        if (!stated.includes(name)) guessed.push(name);
        return values[0];
      }
      return undefined;
    },
  };
}

/** A schema for an object whose layout is not shown: any object, read by name. */
export const readObject = <T>(read: (from: Reader, root: Readonly<Record<string, unknown>>) => T) =>
  tree.transform((root): T => read(reader(root), root));
