/**
 * Measures untrusted JSON before parsing it, because objects take up to forty times their text in memory.
 * Long input is parsed in steps, so that it does not block the event loop.
 */
import { isSafeNumber } from 'lossless-json';
import { z } from 'zod';
import { yieldToEventLoop } from '../base/yield.js';

export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/** The deepest nesting that is parsed. Real responses have at most six levels. */
const MAX_DEPTH = 64;

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA, COLON] = [code('"'), code('\\'), code(','), code(':')];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [code('{'), code('}'), code('['), code(']')];
const [ZERO, NINE, MINUS] = [code('0'), code('9'), code('-')];

const NUMBER = /-?[\d.eE+-]*/uy;
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/u;
/** Numbers of up to this many characters, without an exponent, are exact. */
const EXACT_LENGTH = 15;
const MAX_NUMBER_LENGTH = 400;

/** Characters per step: about a millisecond of work. */
export const CHARACTERS_A_STEP = 64 * 1024;

/** Quotes long numbers and counts fields. Throws a `TooLargeError`. */
export function* measuring(body: string, most: number): Generator<undefined, { readonly text: string; readonly names: number }> {
  const parts: string[] = [];
  let taken = 0;
  let values = 1;
  let names = 0;
  let depth = 0;
  let step = CHARACTERS_A_STEP;
  for (let at = 0; at < body.length; at += 1) {
    if (at >= step) {
      yield;
      step = at + CHARACTERS_A_STEP;
    }
    const here = body.charCodeAt(at);
    if (here === QUOTE) at = endOfString(body, at);
    else if (here === COMMA) values += 1;
    else if (here === COLON) names += 1;
    else if (here === OPEN_OBJECT || here === OPEN_LIST) {
      values += 1;
      depth += 1;
    } else if (here === CLOSE_OBJECT || here === CLOSE_LIST) depth -= 1;
    else if (here === MINUS || (here >= ZERO && here <= NINE)) {
      NUMBER.lastIndex = at;
      const [digits = ''] = NUMBER.exec(body) ?? [];
      if (!isExact(digits)) {
        parts.push(body.slice(taken, at), `"${digits}"`);
        taken = at + digits.length;
      }
      at += digits.length - 1;
    }
    if (values > most) throw new TooLargeError(`more than ${most} values`);
    if (depth > MAX_DEPTH) throw new TooLargeError(`nested deeper than ${MAX_DEPTH}`);
  }
  return { text: parts.length === 0 ? body : [...parts, body.slice(taken)].join(''), names };
}

function endOfString(body: string, start: number): number {
  for (let end = body.indexOf('"', start + 1); end !== -1; end = body.indexOf('"', end + 1)) {
    let before = end - 1;
    while (body.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return body.length;
}

/** Tells whether `JSON.parse` loses no digit. */
function isExact(digits: string): boolean {
  if (digits.length <= EXACT_LENGTH && !/[eE]/u.test(digits)) return true;
  return digits.length <= MAX_NUMBER_LENGTH && (!JSON_NUMBER.test(digits) || isSafeNumber(digits));
}

export function countNames(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += typeof item === 'object' ? countNames(item) : 0;
  else if (typeof value === 'object' && value !== null)
    for (const field of Object.values(value)) count += 1 + (typeof field === 'object' ? countNames(field) : 0);
  return count;
}

export function isWithin(value: unknown, most: number): boolean {
  let left = most;
  const count = (node: unknown): boolean => {
    if (typeof node !== 'object' || node === null) return true;
    const parts: unknown[] = Array.isArray(node) ? node : Object.values(node);
    left -= parts.length;
    return left >= 0 && parts.every(count);
  };
  return count(value);
}

export type WorkSteps<D> = Generator<undefined, D | undefined>;

interface Step<D> {
  readonly done?: boolean;
  readonly value: D | undefined;
}

/** Schemas that are parsed in steps. `otherwise` says for the log why a value may be unreadable. */
export const stepwise = z.registry<{
  readonly steps: (value: unknown) => { next(): Step<z.$output> };
  readonly otherwise?: string;
}>();

export function atOnce<D>(steps: Generator<undefined, D>): D {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export async function inSteps<D>(steps: { next(): Step<D> }): Promise<D | undefined> {
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await yieldToEventLoop();
  return step.value;
}

export type Read<D> =
  { readonly ok: true; readonly data: D } | { readonly ok: false; readonly path: readonly PropertyKey[]; readonly code: string };

export async function readInSteps<T extends z.ZodType>(schema: T, value: unknown): Promise<Read<z.output<T>>> {
  const steps = stepwise.get(schema)?.steps(value);
  if (steps === undefined) {
    const read = schema.safeParse(value);
    const [issue] = read.success ? [] : read.error.issues;
    return read.success ? { ok: true, data: read.data } : { ok: false, path: issue?.path ?? [], code: issue?.code ?? 'unreadable' };
  }
  const data = await inSteps(steps);
  return data === undefined ? { ok: false, path: [], code: stepwise.get(schema)?.otherwise ?? 'custom' } : { ok: true, data };
}
