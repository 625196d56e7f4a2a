import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { payloadSchema } from '../../../src/platforms/webhook/payload.js';

const page = readFileSync('docs/webhooks.md', 'utf8');

// A file snapshot: run with `--update` it writes the file, else it compares.
test('the JSON schema is that of the bodies which are sent', async () => {
  const schema = z.toJSONSchema(payloadSchema, { io: 'input', unrepresentable: 'any' });
  expect(Object.keys(schema.properties ?? {})).toEqual(['type', 'timestamp', 'data']);
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../../docs/webhooks.schema.json');
});

test('the examples are such bodies, and each type is described', () => {
  const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']): unknown => JSON.parse(text));
  const bodies = examples.filter((example) => z.object({ type: z.string() }).safeParse(example).success);
  expect(bodies.length).toBeGreaterThan(1);
  for (const body of bodies) expect(payloadSchema.parse(body)).toEqual(body);
  const crossings = examples.filter((example) => !bodies.includes(example));
  for (const crossing of crossings)
    expect(payloadSchema.shape.data.shape.events.element.shape.crossings.parse([crossing])).toEqual([crossing]);
  for (const type of payloadSchema.shape.type.options) expect(page).toContain(`| \`${type}\``);
});
