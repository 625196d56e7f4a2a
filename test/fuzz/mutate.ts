/** Changes an input a little: JSON by its values and members, any text by its characters. Seeded by the numbers that it takes. */
import { HOSTILE } from '../platforms/telegram/hostile.js';

export type Random = () => number;

export interface Mutation {
  readonly random: Random;
  readonly json: boolean;
  /** Inputs that parts are taken from. */
  readonly corpus: readonly string[];
  /** Words of the target's own language. */
  readonly words: readonly string[];
}

export const pick = <T>(random: Random, list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/** Most inputs are small: the number of runs finds more than the size of one. */
const MAX_INPUT = 200_000;
/** Of large ones. */
const MAX_LARGE = 5_000_000;
const LARGE_SHARE = 0.004;
const MAX_MUTATIONS = 4;
/** Characters in which values are looked for. */
const SCANNED = 60_000;

const quoted = (text: string): string => JSON.stringify(text);
const deep = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;

/** Values that a service, a platform or a member may send. */
const ATOMS: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '1', '-1', '[]', '{}', '""', '[[]]', '[null]', '[{}]', '{"":""}'],
  ...['1e400', '-1e400', '1e-400', '0.1e1000000000', '9'.repeat(400), '12345678901234567890123456789', '0.30000000000000004'],
  ...['1e21', '1e-7', '9007199254740993', '-9007199254740993', '253402300800', '8640000000000001', '-62135596801', '1763640000000'],
  ...['"nan"', '"Infinity"', '"-"', '"1e999999999"', '"0x10"', '"１２"', '"1,000"', '"1e-999999999"', '"٣"', `"${'9'.repeat(5_000)}"`],
  ...['"2026-13-45T99:99:99Z"', '"275760-09-13T00:00:01Z"', '"+275760-09-13T00:00:00.000Z"', '"0000-00-00"', '"2026-11-20"', '"Nov 20"'],
  ...['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '"__proto__"', '"constructor"', '"toString"'],
  ...[
    '"\\ud800"',
    '"\\u0000\\u0007\\u001b[31m"',
    '"\\u202e"',
    '"<script>alert(1)</script>"',
    '"javascript:alert(1)"',
    '"https://u:secret@x.example"',
  ],
  ...['"data:text/html,<b>"', '"http://169.254.169.254/latest"', '"/v1/../../etc"', '"%00%2e%2e"', '"https://x.example/)>[a](b"'],
  ...['"${x}"', '"{}"', '"{{x}}"', '"`x`"', '"$&$1"', '"\\\\"', '"a\\nb"', '"\\r\\n"', '"=1+1"', '"@SUM(A1)"', '"-- "', '"```"'],
  ...HOSTILE.map(quoted),
  ...[deep(3), deep(63), deep(70), deep(2_000)],
];
const LARGE_ATOMS: readonly (() => string)[] = [
  () => deep(1_000_000),
  () => `[${'1,'.repeat(100_000)}1]`,
  () => `[${'{},'.repeat(100_000)}{}]`,
  () => `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":${index}`).join()}}`,
  () => quoted('a'.repeat(1_000_000)),
  () => quoted('\u0301'.repeat(300_000)),
  () => `"${'9'.repeat(1_000_000)}"`,
  () => '9'.repeat(1_000_000),
];
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', '', '0', 'data', 'meta', 'then', '$ref'];

interface Span {
  readonly from: number;
  readonly to: number;
  /** Where the name of a member begins. */
  readonly member: number | undefined;
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\]:,]|[^\s{}[\]:,"]+/gsu;

/** The values of a text that looks like JSON, however broken. */
function valuesIn(text: string): readonly Span[] {
  const found: Span[] = [];
  const open: { readonly from: number; readonly member: number | undefined }[] = [];
  let name: number | undefined;
  let member: number | undefined;
  for (const { 0: token, index } of text.slice(0, SCANNED).matchAll(TOKEN)) {
    const to = index + token.length;
    if (token === '{' || token === '[') {
      open.push({ from: index, member });
      [name, member] = [undefined, undefined];
    } else if (token === '}' || token === ']') {
      const opened = open.pop();
      if (opened !== undefined) found.push({ ...opened, to });
      [name, member] = [undefined, undefined];
    } else if (token === ':') {
      // What was taken for a value is the name of a member.
      if (found.at(-1)?.from === name) found.pop();
      member = name;
    } else if (token === ',') [name, member] = [undefined, undefined];
    else {
      found.push({ from: index, to, member });
      name = index;
    }
  }
  return found;
}

const replaced = (text: string, { from, to }: Pick<Span, 'from' | 'to'>, by: string): string => text.slice(0, from) + by + text.slice(to);

type Change = (text: string, mutation: Mutation) => string;

/** A value that is in the text, or in another input. */
function borrowed({ random, corpus }: Mutation, text: string): string {
  const from = random() < 0.5 ? text : (pick(random, corpus) ?? text);
  const span = pick(random, valuesIn(from));
  return span === undefined ? 'null' : from.slice(span.from, span.to);
}

const jsonChange: Change = (text, mutation) => {
  const { random } = mutation;
  const spans = valuesIn(text);
  const span = pick(random, spans);
  if (span === undefined) return textChange(text, mutation);
  const value = text.slice(span.from, span.to);
  const members = spans.filter((one) => one.member !== undefined);
  const member = pick(random, members);
  const atom = () => (random() < 0.75 ? (pick(random, ATOMS) ?? 'null') : borrowed(mutation, text));
  const kind = random();
  if (kind < 0.45) return replaced(text, span, atom());
  if (kind < 0.5) return replaced(text, span, deepAround(value, below(random, 80)));
  if (kind < 0.57) {
    const many = Array.from({ length: 2 + below(random, random() < 0.1 ? 2_000 : 20) }, () => value).join();
    return replaced(text, span, span.member === undefined ? many : `[${many}]`);
  }
  if (kind < 0.58) return text.slice(0, below(random, text.length));
  if (member === undefined) return replaced(text, span, atom());
  const { member: start = span.from } = member;
  const name = text.slice(start, text.indexOf(':', start));
  if (kind < 0.7) return replaced(text, { from: start, to: member.to }, `${quoted(pick(random, NAMES) ?? '')}:${atom()}`);
  if (kind < 0.8) return replaced(text, { from: member.to, to: member.to }, `,${name}:${atom()}`);
  if (kind < 0.97) return withoutMember(text, { from: start, to: member.to });
  return textChange(text, mutation);
};

/** And without the comma that belongs to it. */
function withoutMember(text: string, { from, to }: Pick<Span, 'from' | 'to'>): string {
  if (text[to] === ',') return replaced(text, { from, to: to + 1 }, '');
  return replaced(text, { from: text[from - 1] === ',' ? from - 1 : from, to }, '');
}

const deepAround = (value: string, depth: number): string => `${'['.repeat(depth)}${value}${']'.repeat(depth)}`;

const CHARACTERS = [
  '\u0000',
  '\n',
  '\r',
  '\t',
  ' ',
  '"',
  "'",
  '\\',
  '/',
  ':',
  ',',
  '-',
  '.',
  '%',
  '#',
  '{',
  '[',
  '<',
  '&',
  '\u202e',
  '\u0301',
  '\ud83d',
  '０',
  '\u2028',
];

const textChange: Change = (text, mutation) => {
  const { random, words, corpus } = mutation;
  const at = below(random, text.length + 1);
  const to = Math.min(text.length, at + below(random, 12));
  const kind = random();
  if (kind < 0.3) return replaced(text, { from: at, to: at }, `${random() < 0.7 ? ' ' : ''}${pick(random, words) ?? ''}`);
  if (kind < 0.4) return replaced(text, { from: at, to }, pick(random, HOSTILE) ?? '');
  if (kind < 0.55) return replaced(text, { from: at, to: Math.min(to, at + 1) }, pick(random, CHARACTERS) ?? '');
  if (kind < 0.7) return replaced(text, { from: at, to }, '');
  if (kind < 0.8) return replaced(text, { from: at, to }, text.slice(at, to).repeat(1 + below(random, random() < 0.1 ? 3_000 : 30)));
  const other = pick(random, corpus) ?? '';
  if (kind < 0.95) return text.slice(0, at) + other.slice(below(random, other.length + 1));
  return text.slice(0, at);
};

/** A changed input, at most five million characters long; nearly always far shorter. */
export function mutated(input: string, mutation: Mutation): string {
  const { random, json } = mutation;
  let text = input;
  for (let left = 1 + below(random, MAX_MUTATIONS); left > 0; left -= 1)
    text = (json ? jsonChange : textChange)(text, mutation).slice(0, MAX_INPUT);
  if (random() >= LARGE_SHARE) return text;
  const span = pick(random, valuesIn(text));
  const large = pick(random, LARGE_ATOMS)?.() ?? '';
  if (json && span !== undefined) return replaced(text, span, large).slice(0, MAX_LARGE);
  return text.repeat(Math.ceil(MAX_INPUT / Math.max(1, text.length))).slice(0, MAX_INPUT);
}
