/** Parses and writes expressions such as `premium<-20 sort:premium page:2`. */
import { brief } from '../../src/base/one-line.js';
import { either } from '../../src/base/sentence-lists.js';
import type { Line } from '../../src/chat/reply.js';
import { multiply } from '../../src/domain/decimal.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';
import { FIELD_NAMES, OTHER_FIELD_NAMES, fieldOf, isField, nearest, unread, type FieldName } from '../../src/reply/index.js';

export type Comparison = '<' | '<=' | '>' | '>=' | '=' | '!=';

export interface FieldTest {
  readonly field: FieldName;
  readonly by: Comparison;
  readonly value: Decimal;
  readonly text: string;
}

export interface Screen {
  readonly tests: readonly FieldTest[];
  readonly sort: { readonly field: FieldName; readonly first: 'lowest' | 'highest' } | undefined;
  readonly page: number;
}

export const EXAMPLE = '/screen premium<-20 runway>12 sort:premium';

/** Parses an expression with words in any order. Throws a `UserError` with an example. */
export function read(text: string): Screen {
  const words = text
    .replaceAll('−', '-')
    .replaceAll('≤', '<=')
    .replaceAll('≥', '>=')
    .replaceAll(/\s*(<=|>=|!=|==|<|>|=)\s*/gu, '$1')
    .split(/[\s,;]+/u)
    .filter((word) => word !== '' && !/^(and|&&?)$/iu.test(word));
  const tests = words.flatMap((word) => (/^(sort|page):/iu.test(word) ? [] : [testOf(word)]));
  const sorts = words.filter((word) => /^sort:/iu.test(word));
  const pages = words.filter((word) => /^page:/iu.test(word));
  if (sorts.length > 1 || pages.length > 1)
    throw mistake(`"${brief((sorts.length > 1 ? sorts : pages).join(' '))}" are two. Use only one.`);
  return {
    tests,
    sort: sorts[0] === undefined ? undefined : sortOf(sorts[0]),
    page: pages[0] === undefined ? 1 : pageOf(pages[0]),
  };
}

function testOf(word: string): FieldTest {
  const [, name = '', by = '', value = ''] = /^([^<>=!]*)(<=|>=|!=|==|<|>|=)(.*)$/u.exec(word) ?? [];
  if (by === '') throw mistake(`Can't read "${brief(word)}". Write a filter like premium<-20.`);
  if (name === '') throw mistake(`"${brief(word)}" has no field before the ${by}.`);
  if (value === '') throw mistake(`"${brief(word)}" has no number after the ${by}.`);
  return { field: field(name), by: comparison(by), value: number(value), text: word };
}

function sortOf(word: string): NonNullable<Screen['sort']> {
  const [, turned = '', name = '', end] = /^sort:(-?)([^:]*)(?::(\w+))?$/iu.exec(word) ?? [];
  const named = field(name);
  const usual = fieldOf(named).first;
  if (end !== undefined && !/^(lowest|highest|asc|desc|up|down)$/iu.test(end))
    throw mistake(`"${brief(word)}": add lowest or highest after the field.`);
  const first = end === undefined ? usual : /^(lowest|asc|up)$/iu.test(end) ? 'lowest' : 'highest';
  return { field: named, first: turned === '' ? first : first === 'lowest' ? 'highest' : 'lowest' };
}

function pageOf(word: string): number {
  const [, digits] = /^page:([1-9]\d{0,3})$/iu.exec(word) ?? [];
  if (digits === undefined) throw mistake(`"${brief(word)}": the page must be 1 or more.`);
  return Number(digits);
}

function field(name: string): FieldName {
  const lower = name.toLowerCase();
  const found = OTHER_FIELD_NAMES[lower] ?? lower;
  if (isField(found)) return found;
  const near = nearest(lower, FIELD_NAMES);
  throw mistake(`No field called "${brief(name)}".${near.length === 0 ? '' : ` Did you mean ${either(near)}?`}`);
}

const COMPARISONS: Readonly<Record<string, Comparison>> = { '<': '<', '<=': '<=', '>': '>', '>=': '>=', '=': '=', '==': '=', '!=': '!=' };
const comparison = (text: string): Comparison => COMPARISONS[text] ?? '=';

const SCALES: Readonly<Record<string, Decimal>> = { '': decimal(1), k: decimal('1e3'), m: decimal('1e6'), b: decimal('1e9') };

function number(text: string): Decimal {
  const [, sign = '', digits, scale = ''] = /^([-+]?)\$?(\d{1,18}(?:\.\d{1,18})?)([kmb]?)\s*%?$/iu.exec(text) ?? [];
  const by = SCALES[scale.toLowerCase()];
  if (digits === undefined || by === undefined) throw mistake(`"${brief(text)}" isn't a number. Write it like -20, 12.5, 400k or 1.5m.`);
  return multiply(decimal(`${sign === '-' ? '-' : ''}${digits}`), by);
}

export const wordsOf = ({ tests, sort, page }: Screen): readonly string[] => [
  ...tests.map(({ text }) => text),
  ...(sort === undefined ? [] : [`sort:${sort.field}:${sort.first}`]),
  ...(page === 1 ? [] : [`page:${page}`]),
];

export const fieldsLine: Line = ['Fields: ', ...FIELD_NAMES.flatMap((name, index) => [index === 0 ? '' : ', ', { code: name }])];

const mistake = (says: string): Error =>
  unread(says, { lines: [['Example: ', { code: EXAMPLE }], fieldsLine], actions: [{ label: 'Example', line: EXAMPLE }] });
