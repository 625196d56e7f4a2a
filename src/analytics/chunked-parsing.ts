/** Parses long input in steps, not to block the event loop. */
import { z } from 'zod';
import { yieldToEventLoop } from '../base/yield.js';

export type WorkSteps<D> = Generator<undefined, D | undefined>;

interface Step<D> {
  readonly done?: boolean;
  readonly value: D | undefined;
}

/** `otherwise`: why there may be nothing to read, for the log. */
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
