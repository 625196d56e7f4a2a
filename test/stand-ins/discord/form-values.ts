/** What a person writes and chooses in a form, checked as a Discord client checks it. */
import { z } from 'zod';
import type { Form } from './types.js';
import type { Wire } from './wire.js';

/** Texts, the labels of what is chosen, and the ids of files that were added, by custom id. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

const Kind = { menu: 3, text: 4, file: 19, radio: 21, boxes: 22 } as const;
const CHOOSING: ReadonlySet<number> = new Set([Kind.menu, Kind.radio, Kind.boxes]);

const field = z.looseObject({
  type: z.union([z.literal(Kind.menu), z.literal(Kind.text), z.literal(Kind.file), z.literal(Kind.radio), z.literal(Kind.boxes)]),
  custom_id: z.string(),
  required: z.boolean().nullish(),
  min_length: z.number().nullish(),
  max_length: z.number().nullish(),
  min_values: z.number().nullish(),
  max_values: z.number().nullish(),
  options: z.array(z.looseObject({ value: z.string(), label: z.string(), default: z.boolean().nullish() })).default([]),
});
type Field = z.infer<typeof field>;
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

/** The data of a submission; throws a sentence for a value that the form would not take. What is not touched keeps its defaults. */
export function filledForm(form: Form, values: FormValues): { readonly data: Wire; readonly files: readonly string[] } {
  const seen = new Set<string>();
  const files: string[] = [];
  const fill = (one: Field): Wire => {
    seen.add(one.custom_id);
    const value = values[one.custom_id];
    if (one.type === Kind.file) {
      const chosen = uploaded(one, value);
      files.push(...chosen);
      return { type: one.type, custom_id: one.custom_id, id: seen.size, values: chosen };
    }
    if (!CHOOSING.has(one.type)) return { type: one.type, custom_id: one.custom_id, value: written(one, value), id: seen.size };
    const chosen = picked(one, value);
    const content = one.type === Kind.radio ? { value: chosen[0] ?? null } : { values: chosen };
    return { type: one.type, custom_id: one.custom_id, id: seen.size, ...content };
  };
  const components = raw.parse(form.raw).components.map((part): Wire => {
    if ('components' in part) return { type: 1, id: 0, components: part.components.map(fill) };
    return 'component' in part ? { type: 18, id: 0, component: fill(part.component) } : { type: 10, id: 0 };
  });
  const strange = Object.keys(values).find((name) => !seen.has(name));
  if (strange !== undefined) throw new Error(`The form "${form.customId}" has no field "${strange}".`);
  return { data: { custom_id: form.customId, components }, files };
}

function written(one: Field, given: string | readonly string[] = ''): string {
  if (typeof given !== 'string') throw new Error(`Field "${one.custom_id}" takes text.`);
  if (given === '' && one.required !== false) throw new Error(`Field "${one.custom_id}" is required.`);
  if (given.length > (one.max_length ?? LONGEST))
    throw new Error(`Field "${one.custom_id}" takes no more than ${one.max_length ?? LONGEST} characters.`);
  if (given !== '' && given.length < (one.min_length ?? 0)) throw new Error(`Field "${one.custom_id}" needs ${one.min_length} characters.`);
  return given;
}

/** A client uploads at once, and takes as many files as the form says. */
function uploaded(one: Field, given: string | readonly string[] = []): readonly string[] {
  const files = [given].flat();
  const least = one.required === false && files.length === 0 ? 0 : Math.max(one.min_values ?? 1, one.required === false ? 0 : 1);
  const most = one.max_values ?? 1;
  if (files.length < least || files.length > most) throw new Error(`Field "${one.custom_id}" takes ${least} to ${most} files.`);
  return files;
}

/** Choices are named by their labels. */
function picked(one: Field, given: string | readonly string[] | undefined): readonly string[] {
  if (given === undefined) return one.options.filter((option) => option.default === true).map(({ value }) => value);
  const chosen = [given].flat().map((label) => {
    const option = one.options.find((other) => other.label === label);
    if (option === undefined) throw new Error(`Field "${one.custom_id}" does not offer "${label}".`);
    return option.value;
  });
  const most = one.type === Kind.radio ? 1 : (one.max_values ?? (one.type === Kind.menu ? 1 : one.options.length));
  const least = one.required === false && chosen.length === 0 ? 0 : (one.min_values ?? 1);
  if (chosen.length < least || chosen.length > most) throw new Error(`Field "${one.custom_id}" takes ${least} to ${most} choices.`);
  return chosen;
}
