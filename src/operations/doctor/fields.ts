/** Finds out which fields of a response the bot reads: from the schema, from known names, and by renaming a field and parsing again. */
import { z } from 'zod';
import { NAMES, type Names } from '../../analytics/field-names.js';
import type { Row } from '../../analytics/endpoint-row.js';
import { listsIn, watching, type Use } from '../../analytics/field-reader.js';
import { inside } from '../../analytics/wire-values.js';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

export interface FieldSurvey {
  /** The fields that the bot found; a nested one with its path. */
  readonly found: readonly string[];
  /** Fields that the interface states and that no row has. */
  readonly missing: readonly string[];
  /** Absent fields that a response may omit. */
  readonly absent: readonly string[];
  /** Fields that were found in place of stated ones. */
  readonly guessed: readonly string[];
  /** Fields that occur several times with different values. */
  readonly doubtful: readonly string[];
  readonly unexpected: readonly string[];
}

/** Fields of operations for which the interface shows no layout (§4.5, §4.9). */
const PROMISED: Readonly<Record<string, readonly string[]>> = {
  'project.overview': ['baseMint'],
  'project.market-metrics': ['baseMint', 'discount.pct'],
  'treasury.overview': ['navPerAdjustedShare', 'monthsOfRunway'],
  'treasury.nav-breakdown': [
    'netAssetValueUsd',
    'nonNativeTreasuryValueUsd',
    'nonNativeLpValueUsd',
    'excludedFromNav',
    'supplyAdjustments',
  ],
  'treasury.premium-breakdown': ['spotPrice', 'navPerAdjustedShare'],
  'treasury.runway-breakdown': ['monthsOfRunway'],
};

const EITHER: ReadonlySet<string> = new Set(['name', 'movementId']);

const ENOUGH = 10;

const trimmed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, ENOUGH).map(trimmed);
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, trimmed(field)])) : value;
};

/** Surveys a response. `answer` is the content of its `data`. */
export function surveyFields(row: Pick<Row, 'id' | 'data'>, answer: unknown): FieldSurvey {
  const raw = trimmed(answer);
  const uses: Use[] = [];
  const read = watching(
    (use) => uses.push(use),
    () => row.data.safeParse(raw),
  );
  const listed = new Map<string, boolean>();
  compare(raw, [row.data], { path: '', listed });
  const concepts = [...new Set(uses.map(({ concept }) => concept))];
  const looked = new Set(concepts.flatMap((concept) => namesOf(NAMES[concept])));
  const how = (wanted: Use['how']) => uses.filter((use) => use.how === wanted);
  const stated = new Set([...how('stated')].flatMap(({ name }) => name ?? []));
  const paths = new Set<string>();
  each(raw, '', (path) => void paths.add(path));
  const stands = (name: string): boolean => [...paths].some((path) => path === name || path.endsWith(`.${name}`));
  const unlisted = [...listed].flatMap(([path, seen]) => (seen ? [] : [path]));
  const isOwed = (path: string): boolean => !path.includes('.') && !EITHER.has(path);
  const promised = PROMISED[row.id] ?? [];
  return {
    found: [...new Set([...[...listed].flatMap(([path, seen]) => (seen ? [path] : [])), ...stated, ...promised.filter(stands)])],
    missing: isEmpty(raw) ? [] : [...new Set([...unlisted.filter(isOwed), ...promised.filter((name) => !stands(name))])],
    absent: isEmpty(raw) ? [] : unlisted.filter((path) => !isOwed(path)),
    guessed: [...new Set(how('guessed').map(({ name, concept }) => instead(name ?? '', NAMES[concept])))],
    doubtful: [...new Set(how('doubtful').flatMap(({ name }) => name ?? []))],
    unexpected: read.success ? unread(row, raw, (path, name) => listed.has(path) || looked.has(name)) : [],
  };
}

const namesOf = ({ stated, guessed, common = [] }: Names): readonly string[] => [...stated, ...guessed, ...common];
const instead = (name: string, { stated }: Names): string => (stated.length === 0 ? name : `${name} for ${stated.join(' or ')}`);
const isEmpty = (raw: unknown): boolean => raw === null || (Array.isArray(raw) && raw.length === 0) || listsIn(raw)[0]?.items.length === 0;

function behind(schema: unknown): readonly unknown[] {
  const within = schema instanceof z.ZodType ? inside.get(schema) : undefined;
  if (within !== undefined) return behind(within.schema);
  if (schema instanceof z.ZodPipe) return behind(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodReadonly
  )
    return behind(schema.def.innerType);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(behind) : [schema];
}

const fieldsIn = (schemas: readonly unknown[], node: unknown): number =>
  Math.max(
    0,
    ...schemas
      .flatMap(behind)
      .map((one) => (one instanceof z.ZodObject && isFields(node) ? Object.keys(one.shape).filter((name) => name in node).length : 0)),
  );

/** Returns the list with the most fields of the schema; of equal ones the nearest to the root. */
const bestList = (node: Fields, schemas: readonly unknown[]): readonly unknown[] | undefined =>
  listsIn(node).toSorted((a, b) => fieldsIn(schemas, b.items[0]) - fieldsIn(schemas, a.items[0]))[0]?.items;

/** Compares a response with its schema. If the schema allows several layouts, the best fit counts. */
function compare(
  node: unknown,
  schemas: readonly unknown[],
  { path, listed }: { readonly path: string; readonly listed: Map<string, boolean> },
): void {
  const allowed = schemas.flatMap(behind);
  const items = allowed.flatMap((one) => (one instanceof z.ZodArray ? [one.element] : []));
  const list = Array.isArray(node) ? node : isFields(node) && items.length > 0 ? bestList(node, items) : undefined;
  if (list !== undefined) {
    for (const item of list) compare(item, items, { path, listed });
    return;
  }
  if (!isFields(node)) return;
  const fit = ({ shape }: z.ZodObject): number => Object.keys(shape).filter((name) => name in node).length;
  const [best] = allowed.filter((one) => one instanceof z.ZodObject).toSorted((a, b) => fit(b) - fit(a));
  if (best === undefined) return;
  for (const [name, schema] of Object.entries(best.shape)) {
    const here = `${path}${name}`;
    listed.set(here, listed.get(here) === true || node[name] !== undefined);
    compare(node[name], [schema], { path: `${here}.`, listed });
  }
}

const ALIAS = 'zzAlias';
const TOLD = new RegExp(`${ALIAS}(?!":)`, 'u');

/** Returns the fields that the bot does not read: renaming one does not change the parsed result. */
function unread(row: Pick<Row, 'data'>, raw: unknown, known: (path: string, name: string) => boolean): readonly string[] {
  const before = written(row.data.safeParse(raw).data);
  const same = (path: string, name: string): boolean => {
    const after = written(row.data.safeParse(renamed(raw, '', path)).data);
    return !TOLD.test(after) && after.replaceAll(ALIAS, name) === before;
  };
  const leaves = new Map<string, string>();
  each(raw, '', (path, name, value) => {
    if (value !== null && !hasFields(value)) leaves.set(path, name);
  });
  const unused = new Set([...leaves].flatMap(([path, name]) => (known(path, name) || !same(path, name) ? [] : [path])));
  const isWhole = (above: string): boolean => [...leaves.keys()].every((path) => !path.startsWith(`${above}.`) || unused.has(path));
  return [...new Set([...unused].map((path) => ancestors(path).find(isWhole) ?? path))];
}

const hasFields = (value: unknown): boolean => (Array.isArray(value) ? value.some(hasFields) : isFields(value));

/** Returns the paths above a path: for `a.b.c` these are `a` and `a.b`. */
const ancestors = (path: string): readonly string[] =>
  path
    .split('.')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('.'));

const written = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? String(field) : field)) ?? '';

function each(node: unknown, at: string, visit: (path: string, name: string, value: unknown) => void): void {
  if (Array.isArray(node)) for (const item of node) each(item, at, visit);
  if (!isFields(node)) return;
  for (const [name, value] of Object.entries(node)) {
    visit(`${at}${name}`, name, value);
    each(value, `${at}${name}.`, visit);
  }
}

function renamed(node: unknown, at: string, path: string): unknown {
  if (Array.isArray(node)) return node.map((item) => renamed(item, at, path));
  if (!isFields(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [`${at}${name}` === path ? ALIAS : name, renamed(value, `${at}${name}.`, path)]),
  );
}
