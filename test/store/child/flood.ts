/** The calls that a flooding process makes, by their number, so that a test knows what each beginning of them leaves. */
import { z } from 'zod';

const schema = z.object({ n: z.number(), padding: z.string() });
export const flooded = { prefix: 'box', schema, version: 1 };

/** Sets of a few keys over and over, every fifth call a delete. */
export function floodCall(n: number): { key: string; document: z.infer<typeof schema> | undefined } {
  const document = n % 5 === 4 ? undefined : { n, padding: 'x'.repeat((n % 50) * 100) };
  return { key: `k${n % 37}`, document };
}
