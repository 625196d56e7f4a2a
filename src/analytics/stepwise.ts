/** Reading what may be long: in steps of a few milliseconds, so that others can run in between. */
import { z } from 'zod';
import { pause } from '../base/pause.js';

/** Each step yields; the last returns what was read, or undefined where the value does not fit. */
export type WorkSteps<D> = Generator<undefined, D | undefined>;

interface Step<D> {
  readonly done?: boolean;
  readonly value: D | undefined;
}

/** Schemas that can read in steps what they read at once where they are used like any other. */
export const stepwise = z.registry<{ readonly steps: (value: unknown) => { next(): Step<z.$output> } }>();

/** All steps without a pause. */
export function atOnce<D>(steps: Generator<undefined, D>): D {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** All steps, with a turn of the event loop after each one. */
export async function inSteps<D>(steps: { next(): Step<D> }): Promise<D | undefined> {
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await pause();
  return step.value;
}

/** What was read, or where and how the value does not fit. */
export type Read<D> =
  { readonly ok: true; readonly data: D } | { readonly ok: false; readonly path: readonly PropertyKey[]; readonly code: string };

/** Reads a value with a schema, with pauses where it is one of `stepwise`. */
export async function readInSteps<T extends z.ZodType>(schema: T, value: unknown): Promise<Read<z.output<T>>> {
  const steps = stepwise.get(schema)?.steps(value);
  if (steps === undefined) {
    const read = schema.safeParse(value);
    const [issue] = read.success ? [] : read.error.issues;
    return read.success ? { ok: true, data: read.data } : { ok: false, path: issue?.path ?? [], code: issue?.code ?? 'unreadable' };
  }
  const data = await inSteps(steps);
  return data === undefined ? { ok: false, path: [], code: 'custom' } : { ok: true, data };
}
