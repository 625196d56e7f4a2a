/** Reads the typed filter of a saved screen, and shows the projects in it. */
import { brief } from '../../base/one-line.js';
import { both, several } from '../../base/sentence-lists.js';
import type { BlockDraft } from '../../chat/reply.js';
import { multiply } from '../../domain/decimal.js';
import { decimal, type Decimal } from '../../domain/scalars.js';
import { isScreenField, MAX_SCREEN_TESTS, SCREEN_FIELDS, screenFilterSchema } from '../../domain/screen.js';
import { OTHER_FIELD_NAMES, UserError, counted, line } from '../../reply/index.js';
import type { Context } from '../context.js';

const EXAMPLE = '/watch screen premium<-20 runway>12';
const FIELDS = Object.keys(SCREEN_FIELDS);

const SCALES: Readonly<Record<string, Decimal>> = { '': decimal(1), k: decimal('1e3'), m: decimal('1e6'), b: decimal('1e9') };

/** Parses "premium < -20, runway>12" to `premium<-20 runway>12`. Throws a `UserError`. */
export function screenFilterOf(text: string): string {
  const words = text
    .toLowerCase()
    .replaceAll('−', '-')
    .replaceAll(/\s*(<=|>=|!=|==|<|>|=)\s*/gu, '$1')
    .split(/[\s,;]+/u)
    .filter((word) => word !== '' && word !== 'and' && !/^(?:sort|page):/u.test(word));
  if (words.length === 0) throw mistake('A saved screen needs a filter.');
  const filter = [...new Set(words.map(testOf))];
  if (filter.length > MAX_SCREEN_TESTS)
    throw mistake(`A saved screen has at most ${MAX_SCREEN_TESTS} tests; that one has ${filter.length}.`);
  const read = screenFilterSchema.safeParse(filter.join(' '));
  if (!read.success) throw mistake(`Can't read "${brief(text)}".`);
  return read.data;
}

function testOf(word: string): string {
  const [, name = '', by = '', value = ''] = /^([^<>=!]+)(<=|>=|!=|==|<|>|=)(.+)$/u.exec(word) ?? [];
  if (by === '') throw mistake(`Can't read "${brief(word)}". Write a test like premium<-20.`);
  const field = OTHER_FIELD_NAMES[name] ?? name;
  if (!isScreenField(field))
    throw mistake(`"${brief(name)}" can't be in a saved screen: checks of projects read ${both(FIELDS)}; the rest is only in a list.`);
  if (by !== '<' && by !== '>') throw mistake(`"${brief(word)}": a saved screen has < or >, because its values move between the checks.`);
  const [, sign = '', digits, scale = ''] = /^([-+]?)\$?(\d{1,12}(?:\.\d{1,12})?)([kmb]?)%?$/u.exec(value) ?? [];
  const unit = SCALES[scale];
  if (digits === undefined || unit === undefined) throw mistake(`"${brief(value)}" isn't a number. Write it like -20, 12.5 or 400k.`);
  return `${field}${by}${multiply(decimal(`${sign === '-' ? '-' : ''}${digits}`), unit)}`;
}

const mistake = (says: string): UserError =>
  new UserError(says, { lines: [['Example: ', { code: EXAMPLE }]], actions: [{ label: 'Example', line: EXAMPLE }] });

const MAX_NAMED = 10;

/** Shows the projects in a new screen. Only later entries and exits cause alerts. */
export async function screenLines(filter: string, { screens }: Pick<Context, 'screens'>): Promise<readonly BlockDraft[]> {
  const { members, unread } = await screens.standing(filter);
  const named = members.length > MAX_NAMED ? [...members.slice(0, MAX_NAMED), `${members.length - MAX_NAMED} more`] : members;
  return [
    line(members.length === 0 ? `Now in it: none${unread > 0 ? ' of those with known values' : ''}.` : `Now in it: ${several(named)}.`),
    ...(unread > 0 ? [line(`${counted(unread, 'project')} without known values so far: their first values won't alert.`)] : []),
  ];
}
