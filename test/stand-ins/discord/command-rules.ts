/** What the platform asks of a command beyond its published contract. https://docs.discord.com/developers/interactions/application-commands */
import { z } from 'zod';
import { flawsOf, type ContractName } from './contract.js';
import { refuseFlaws, type Flaw } from './refusal.js';

const choice = z.looseObject({ name: z.string(), value: z.union([z.string(), z.number()]) });
const optionFields = {
  type: z.number(),
  name: z.string(),
  description: z.string().default(''),
  required: z.boolean().nullish(),
  autocomplete: z.boolean().nullish(),
  choices: z.array(choice).nullish(),
  min_length: z.number().nullish(),
  max_length: z.number().nullish(),
  min_value: z.number().nullish(),
  max_value: z.number().nullish(),
};
const leaf = z.looseObject(optionFields);
const group = z.looseObject({ ...optionFields, options: z.array(leaf).nullish() });
const option = z.looseObject({ ...optionFields, options: z.array(group).nullish() });
const commandForm = z.looseObject({
  name: z.string(),
  type: z.number().nullish(),
  description: z.string().nullish(),
  options: z.array(option).nullish(),
  default_member_permissions: z.string().nullish(),
  contexts: z.array(z.number()).nullish(),
  dm_permission: z.boolean().nullish(),
  integration_types: z.array(z.number()).nullish(),
  nsfw: z.boolean().nullish(),
});

export type CommandForm = z.infer<typeof commandForm>;
export type OptionForm = z.infer<typeof leaf> & { readonly options?: readonly OptionForm[] | null | undefined };

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const SUBCOMMAND = 1;
const SUBCOMMAND_GROUP = 2;
/** Only texts, whole numbers and numbers take choices and autocomplete. */
const CHOOSABLE: ReadonlySet<number> = new Set([3, 4, 10]);
const TOTAL = 8000;

/** The command, throwing 50035 for what is wrong with it; `at` is where it stands in a list of several. */
export function readCommand(
  body: unknown,
  at: readonly PropertyKey[] = [],
  contract: ContractName = 'ApplicationCommandCreateRequestSchema',
): CommandForm {
  const under = (flaws: readonly Flaw[]): readonly Flaw[] => flaws.map((flaw) => ({ ...flaw, path: [...at, ...flaw.path] }));
  refuseFlaws(under(flawsOf(contract, withNumericPermissions(body))));
  const form = commandForm.parse(body);
  refuseFlaws(under(flawsOfCommand(form)));
  return form;
}

/** The contract says number where the platform says, and takes, text. */
function withNumericPermissions(body: unknown): unknown {
  const written = z.looseObject({ default_member_permissions: z.string().transform(Number) }).safeParse(body);
  return written.success ? written.data : body;
}

function flawsOfCommand(form: CommandForm): readonly Flaw[] {
  const places = placeFlaws(form);
  if ((form.type ?? 1) !== 1) return [...places, ...menuFlaws(form)];
  const flaws: Flaw[] = [...places, ...nameFlaws(form.name, ['name'])];
  if ((form.description ?? '') === '') flaws.push(required(['description']));
  flaws.push(...optionsFlaws(form.options ?? [], ['options']));
  if (lengthOf(form) > TOTAL)
    flaws.push({ path: [], code: 'APPLICATION_COMMAND_TOO_LARGE', message: `Command exceeds maximum size (${TOTAL})` });
  return flaws;
}

/** A command of a message's or person's menu has no description and no options. */
function menuFlaws({ description, options }: CommandForm): readonly Flaw[] {
  const flaws: Flaw[] = [];
  if ((description ?? '') !== '')
    flaws.push({
      path: ['description'],
      code: 'APPLICATION_COMMAND_DESCRIPTION_NOT_ALLOWED',
      message: 'Context menu commands cannot have description',
    });
  if ((options ?? []).length > 0)
    flaws.push({
      path: ['options'],
      code: 'APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED',
      message: 'Context menu commands cannot have options',
    });
  return flaws;
}

const PRIVATE_CHANNEL = 2;
const USER_INSTALL = 1;

/** Chats where the bot is not can be reached only by who installed it for themselves. */
function placeFlaws({ contexts, integration_types: installs }: CommandForm): readonly Flaw[] {
  const flaws: Flaw[] = [];
  for (const [field, values] of [
    ['contexts', contexts],
    ['integration_types', installs],
  ] as const)
    if (values && new Set(values).size < values.length)
      flaws.push({ path: [field], code: 'SET_TYPE_ALREADY_CONTAINS_VALUE', message: 'The set already contains this value' });
  if (contexts?.includes(PRIVATE_CHANNEL) === true && installs?.includes(USER_INSTALL) !== true)
    flaws.push({
      path: ['contexts'],
      code: 'APPLICATION_COMMAND_INVALID_CONTEXT',
      message: 'This context needs the integration type of users',
    });
  return flaws;
}

/** Only commands of all servers say where they are offered. */
export function refusePlaces({ contexts, integration_types: installs }: CommandForm, at: readonly PropertyKey[] = []): void {
  const fields = [
    ['contexts', contexts],
    ['integration_types', installs],
  ] as const;
  refuseFlaws(
    fields.flatMap(([field, value]) =>
      value === undefined || value === null
        ? []
        : [{ path: [...at, field], code: 'APPLICATION_COMMAND_GUILD_ONLY', message: 'This field is for commands of all servers only' }],
    ),
  );
}

const required = (path: readonly PropertyKey[]): Flaw => ({ path, code: 'BASE_TYPE_REQUIRED', message: 'This field is required' });

const nameFlaws = (name: string, path: readonly PropertyKey[]): readonly Flaw[] =>
  NAME.test(name) && name === name.toLowerCase()
    ? []
    : [{ path, code: 'APPLICATION_COMMAND_INVALID_NAME', message: 'Command name is invalid' }];

function optionsFlaws(options: readonly OptionForm[], path: readonly PropertyKey[]): readonly Flaw[] {
  const flaws: Flaw[] = [];
  const names = new Set<string>();
  let sawOptional = false;
  const nests = options.some(({ type }) => type === SUBCOMMAND || type === SUBCOMMAND_GROUP);
  for (const [at, entry] of options.entries()) {
    const here = [...path, at];
    flaws.push(...nameFlaws(entry.name, [...here, 'name']));
    if (entry.description === '') flaws.push(required([...here, 'description']));
    if (names.has(entry.name))
      flaws.push({
        path: [...here, 'name'],
        code: 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS',
        message: 'Option name already exists',
      });
    names.add(entry.name);
    const isNest = entry.type === SUBCOMMAND || entry.type === SUBCOMMAND_GROUP;
    if (nests && !isNest)
      flaws.push({
        path: [...here, 'type'],
        code: 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
        message: 'Sub-command and sub-command group option types are mutually exclusive to all other types',
      });
    if (entry.required === true && sawOptional)
      flaws.push({
        path: here,
        code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        message: 'Required options must be placed before non-required options',
      });
    sawOptional ||= entry.required !== true;
    flaws.push(...choiceFlaws(entry, here), ...optionsFlaws(entry.options ?? [], [...here, 'options']));
  }
  return flaws;
}

function choiceFlaws(entry: OptionForm, path: readonly PropertyKey[]): readonly Flaw[] {
  const choices = entry.choices ?? [];
  const flaws: Flaw[] = [];
  const invalid = (code: string, message: string, at: readonly PropertyKey[] = []): void => {
    flaws.push({ path: [...path, ...at], code, message });
  };
  if (entry.autocomplete === true && choices.length > 0)
    invalid('APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES', 'Autocomplete cannot be enabled together with choices', ['autocomplete']);
  if ((entry.autocomplete === true || choices.length > 0) && !CHOOSABLE.has(entry.type))
    invalid('APPLICATION_COMMAND_OPTION_TYPE_NOT_CHOOSABLE', 'This type of option has neither choices nor autocomplete');
  for (const [at, { name, value }] of choices.entries()) {
    if (choices.findIndex((other) => other.name === name) !== at)
      invalid('APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS', 'Option choice name already exists', ['choices', at, 'name']);
    if (choices.findIndex((other) => other.value === value) !== at)
      invalid('APPLICATION_COMMAND_OPTIONS_CHOICE_VALUE_ALREADY_EXISTS', 'Option choice value already exists', ['choices', at, 'value']);
  }
  return flaws;
}

function lengthOf(entry: {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly options?: readonly OptionForm[] | null | undefined;
  readonly choices?: OptionForm['choices'];
}): number {
  const own = entry.name.length + (entry.description ?? '').length;
  const choices = (entry.choices ?? []).reduce((sum, { name, value }) => sum + name.length + String(value).length, 0);
  return own + choices + (entry.options ?? []).reduce((sum, inner) => sum + lengthOf(inner), 0);
}
