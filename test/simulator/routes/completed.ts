/** A completed launch by its mint, on whichever page it stands. */
import { z } from 'zod';
import type { openBox } from '../box.js';

const rowSchema = z.object({
  baseMint: z.string(),
  committedAmount: z.string(),
  fundsAccepted: z.string(),
  minimumRaiseAmount: z.string(),
  holdersCount: z.string(),
});

export async function completedLaunch({ get }: Pick<Awaited<ReturnType<typeof openBox>>, 'get'>, mint: string) {
  for (let page = 1; ; page += 1) {
    const { body } = await get(`/v1/global-dashboard/completed-launches/info?limit=100&page=${page}`);
    const rows = z.array(z.unknown()).parse(body.data);
    if (rows.length === 0) throw new Error(`no completed launch has the mint ${mint}`);
    const found = rows.map((row) => rowSchema.safeParse(row)).find((row) => row.data?.baseMint === mint)?.data;
    if (found) return found;
  }
}
