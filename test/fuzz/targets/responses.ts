/** The body of every operation of the analytics service, from its bytes to the row's own type. */
import { ENDPOINTS } from '../../../src/analytics/endpoints/index.js';
import type { Row } from '../../../src/analytics/endpoint-row.js';
import { openEnvelope, readKept, readParsed } from '../../../src/analytics/interpret-response.js';
import { yieldToEventLoop } from '../../../src/base/yield.js';
import type { Target } from '../fuzz.js';
import { bodiesOf, joined, split } from '../samples.js';

const rows: ReadonlyMap<string, Row> = new Map(ENDPOINTS.map((row) => [row.id, row]));
/** Values looked at in what was read. */
const MAX_LOOKED_AT = 5_000;

/** Nothing that was read may be a number that no calculation takes. */
function finite(value: unknown): void {
  const open: unknown[] = [value];
  for (let looked = 0; open.length > 0 && looked < MAX_LOOKED_AT; looked += 1) {
    const one = open.pop();
    if (typeof one === 'number' && !Number.isFinite(one)) throw new Error(`read as ${one}`);
    if (typeof one === 'object' && one !== null) for (const inside of Object.values(one)) open.push(inside);
  }
}

export async function responses(): Promise<Target> {
  const bodies = await bodiesOf();
  return {
    name: 'responses',
    json: true,
    headed: true,
    inputs: bodies.map(({ row, body }) => joined(row, body)),
    async run(input) {
      const { head, body } = split(input);
      const row = rows.get(head);
      if (row === undefined) return 'no such row';
      const opened = row.answers === 'csv' ? ({ ok: true, value: { data: body, meta: null } } as const) : await openEnvelope(row, body);
      if (!opened.ok) return opened.tooLarge ? 'too large' : 'no answer';
      const read = await readParsed(row, opened.value);
      // The client lets others have a turn between these as well.
      await yieldToEventLoop();
      const text = JSON.stringify(opened.value);
      await yieldToEventLoop();
      const kept = await readKept(row, text);
      if (read.ok !== kept.ok) throw new Error(`${head} reads its own copy otherwise`);
      if (!read.ok) return 'does not fit';
      finite(read.value);
      return 'read';
    },
  };
}
