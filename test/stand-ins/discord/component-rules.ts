/** What the platform asks of buttons and menus beyond its published contract. https://docs.discord.com/developers/components/reference */
import { z } from 'zod';
import { MessageFlag } from './flags.js';
import type { RowForm } from './message-form.js';
import type { Flaw } from './refusal.js';

const ROWS = 5;
const BUTTON = 2;
const LINK = 5;
const PREMIUM = 6;

const details = z.looseObject({
  type: z.number(),
  custom_id: z.string().nullish(),
  style: z.number().nullish(),
  url: z.string().nullish(),
  label: z.string().nullish(),
  emoji: z.looseObject({ id: z.string().nullish(), name: z.string().nullish() }).nullish(),
  options: z.array(z.looseObject({ label: z.string(), value: z.string(), default: z.boolean().nullish() })).nullish(),
  min_values: z.number().nullish(),
  max_values: z.number().nullish(),
});
type Details = z.infer<typeof details>;

const required = (path: readonly PropertyKey[]): Flaw => ({ path, code: 'BASE_TYPE_REQUIRED', message: 'This field is required' });

export function componentFlaws(rows: readonly RowForm[], flags: number): readonly Flaw[] {
  // Components v2 are another language, which the bot does not speak; the contract alone looks at them.
  if ((flags & MessageFlag.COMPONENTS_V2) !== 0) return [];
  const flaws: Flaw[] = [];
  if (rows.length > ROWS)
    flaws.push({ path: ['components'], code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between 1 and ${ROWS} in length.` });
  const taken = new Set<string>();
  for (const [at, row] of rows.entries()) {
    const path = ['components', at];
    if (row.type !== 1) {
      flaws.push({ path: [...path, 'type'], code: 'UNION_TYPE_CHOICES', message: 'Value of field "type" must be one of (1,).' });
      continue;
    }
    const inside = (row.components ?? []).map((component) => details.parse(component));
    if (inside.some(({ type }) => type !== BUTTON) && inside.length > 1)
      flaws.push({ path, code: 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', message: 'The specified component exceeds the maximum width' });
    for (const [column, component] of inside.entries()) {
      const here = [...path, 'components', column];
      flaws.push(...(component.type === BUTTON ? buttonFlaws(component, here) : menuFlaws(component, here)));
      const key = component.custom_id ?? '';
      if (key !== '' && taken.has(key))
        flaws.push({
          path: [...here, 'custom_id'],
          code: 'COMPONENT_CUSTOM_ID_DUPLICATED',
          message: 'Component custom id cannot be duplicated',
        });
      taken.add(key);
    }
  }
  return flaws;
}

function buttonFlaws(button: Details, path: readonly PropertyKey[]): readonly Flaw[] {
  if (button.style === PREMIUM) return [];
  const flaws: Flaw[] = [];
  const empty = (text: string | null | undefined): boolean => (text ?? '') === '';
  if (button.style === LINK && empty(button.url)) flaws.push(required([...path, 'url']));
  if (button.style === LINK && !empty(button.custom_id))
    flaws.push({
      path: [...path, 'custom_id'],
      code: 'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
      message: 'A custom id and url cannot both be specified',
    });
  if (button.style !== LINK && empty(button.custom_id)) flaws.push(required([...path, 'custom_id']));
  if (button.style !== LINK && !empty(button.url))
    flaws.push({ path: [...path, 'url'], code: 'BUTTON_COMPONENT_URL_NOT_ALLOWED', message: 'Only link buttons have a url' });
  if (!/^(https?|discord):/i.test(button.url ?? 'https:'))
    flaws.push({ path: [...path, 'url'], code: 'URL_TYPE_INVALID_SCHEME', message: "Scheme must be one of ('http', 'https', 'discord')." });
  if (empty(button.label?.trim()) && !button.emoji) flaws.push(required([...path, 'label']));
  if (button.emoji && empty(button.emoji.id) && !/^[\p{Emoji}\p{Emoji_Component}]+$/u.test(button.emoji.name ?? ''))
    flaws.push({ path: [...path, 'emoji', 'name'], code: 'COMPONENT_INVALID_EMOJI', message: 'Invalid emoji' });
  return flaws;
}

function menuFlaws(menu: Details, path: readonly PropertyKey[]): readonly Flaw[] {
  const flaws: Flaw[] = [];
  const options = menu.options ?? [];
  const least = menu.min_values ?? 1;
  const most = menu.max_values ?? 1;
  const values = new Set<string>();
  for (const [at, { value, label }] of options.entries()) {
    if (label.trim() === '') flaws.push(required([...path, 'options', at, 'label']));
    if (value.trim() === '') flaws.push(required([...path, 'options', at, 'value']));
    if (values.has(value))
      flaws.push({
        path: [...path, 'options', at, 'value'],
        code: 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
        message: 'The specified option value is already used',
      });
    values.add(value);
  }
  if (options.length > 0 && most > options.length)
    flaws.push({
      path: [...path, 'max_values'],
      code: 'SELECT_COMPONENT_MAX_VALUES_GREATER_THAN_OPTIONS',
      message: 'Must be at most the number of options.',
    });
  if (least > most)
    flaws.push({
      path: [...path, 'min_values'],
      code: 'SELECT_COMPONENT_MIN_VALUES_GREATER_THAN_MAX',
      message: 'Must be at most max_values.',
    });
  if (options.filter((option) => option.default === true).length > most)
    flaws.push({
      path: [...path, 'options'],
      code: 'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES',
      message: 'The number of default values exceeds the maximum',
    });
  return flaws;
}
