/** What a person writes into the fields of a form, checked as a Discord client checks it. */
import { z } from 'zod';
import type { Form } from './types.js';
import type { Wire } from './wire.js';

const field = z.looseObject({
  type: z.literal(4),
  custom_id: z.string(),
  required: z.boolean().nullish(),
  min_length: z.number().nullish(),
  max_length: z.number().nullish(),
});
const raw = z.looseObject({
  components: z.array(
    z.union([
      z.object({ type: z.literal(1), components: z.array(field) }),
      z.object({ type: z.literal(18), component: field }),
      z.object({ type: z.literal(10) }),
    ]),
  ),
});

/** Longest text a field takes unless it says less. */
const LONGEST = 4000;

/** The data of a submission; throws a sentence for a value that the form would not take. */
export function filledForm(form: Form, values: Readonly<Record<string, string>>): Wire {
  const seen = new Set<string>();
  const fill = (one: z.infer<typeof field>): Wire => {
    const value = values[one.custom_id] ?? '';
    seen.add(one.custom_id);
    if (value === '' && one.required !== false) throw new Error(`Field "${one.custom_id}" is required.`);
    if (value.length > (one.max_length ?? LONGEST))
      throw new Error(`Field "${one.custom_id}" takes no more than ${one.max_length ?? LONGEST} characters.`);
    if (value !== '' && value.length < (one.min_length ?? 0))
      throw new Error(`Field "${one.custom_id}" needs ${one.min_length} characters.`);
    return { type: 4, custom_id: one.custom_id, value, id: seen.size };
  };
  const components = raw.parse(form.raw).components.map((part): Wire => {
    if ('components' in part) return { type: 1, id: 0, components: part.components.map(fill) };
    return 'component' in part ? { type: 18, id: 0, component: fill(part.component) } : { type: 10, id: 0 };
  });
  const strange = Object.keys(values).find((name) => !seen.has(name));
  if (strange !== undefined) throw new Error(`The form "${form.customId}" has no field "${strange}".`);
  return { custom_id: form.customId, components };
}
