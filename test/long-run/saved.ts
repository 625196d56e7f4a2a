/** What a long run measured, as it is kept in docs/long-run.json. */
import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { DayMeasured } from './measure.js';

const FILE = new URL('../../docs/long-run.json', import.meta.url);

const numbersSchema = z.record(z.string(), z.number());
const savedSchema = z.object({
  chats: z.number(),
  wallets: z.number(),
  lines: numbersSchema,
  days: z.array(
    z.object({
      day: z.number(),
      collections: z.record(z.string(), z.object({ documents: z.number(), bytes: z.number() })),
      levels: numbersSchema,
      happened: numbersSchema,
    }),
  ),
});
export type SavedRun = z.infer<typeof savedSchema>;

export interface RunToSave extends Omit<SavedRun, 'days'> {
  readonly days: readonly DayMeasured[];
}

/** A day a line. */
export async function save({ days, ...run }: RunToSave): Promise<void> {
  const lines = days.map(
    (day) => `  ${JSON.stringify(day, (_, value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value))}`,
  );
  await writeFile(FILE, `${JSON.stringify(run).slice(0, -1)}, "days": [\n${lines.join(',\n')}\n]}\n`);
}

export const saved = async (): Promise<SavedRun> => savedSchema.parse(JSON.parse(await readFile(FILE, 'utf8')));
