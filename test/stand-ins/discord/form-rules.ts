/** What the platform asks of a form beyond its published contract. https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-modal */
import { z } from 'zod';
import type { Flaw } from './refusal.js';

const MOST_PARTS = 5;

const input = z.looseObject({
  custom_id: z.string(),
  label: z.string().nullish(),
  min_length: z.number().nullish(),
  max_length: z.number().nullish(),
  value: z.string().nullish(),
});
const form = z.looseObject({
  title: z.string(),
  components: z.array(z.looseObject({ label: z.string().nullish(), component: input.nullish(), components: z.array(input).nullish() })),
});

const required = (path: readonly PropertyKey[]): Flaw => ({ path, code: 'BASE_TYPE_REQUIRED', message: 'This field is required' });

export function formFlaws(data: unknown): readonly Flaw[] {
  const { title, components } = form.parse(data);
  const flaws: Flaw[] = title.trim() === '' ? [required(['title'])] : [];
  if (components.length > MOST_PARTS)
    flaws.push({ path: ['components'], code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between 1 and ${MOST_PARTS} in length.` });
  const taken = new Set<string>();
  for (const [at, part] of components.entries()) {
    const path = ['components', at];
    const inside = part.component ? [part.component] : (part.components ?? []);
    if (inside.length > 1)
      flaws.push({ path, code: 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', message: 'The specified component exceeds the maximum width' });
    for (const one of inside) {
      // The text of an input is alerted by what stands around it, or by itself in a row; not by both.
      if (part.component && one.label) flaws.push({ path, code: 'COMPONENT_INVALID_LABEL', message: 'The component has a label already' });
      if ((part.component ? part.label : one.label)?.trim() === '' || (!part.component && !one.label))
        flaws.push(required([...path, 'label']));
      if ((one.min_length ?? 0) > (one.max_length ?? Infinity))
        flaws.push({ path, code: 'TEXT_INPUT_MIN_LENGTH_GREATER_THAN_MAX', message: 'Must be at most max_length.' });
      if (taken.has(one.custom_id))
        flaws.push({ path, code: 'COMPONENT_CUSTOM_ID_DUPLICATED', message: 'Component custom id cannot be duplicated' });
      taken.add(one.custom_id);
    }
  }
  return flaws;
}
