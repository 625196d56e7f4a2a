/** What a person fills into a command's options, checked as a Discord client checks it before it sends anything. */
import type { CommandForm, OptionForm } from './command-rules.js';
import type { StandInContext } from './context.js';
import type { Id, OptionValues } from './types.js';
import { wireAttachment } from './wire-message.js';
import { wireChannel, wireMember, wireRole, wireUser, type Wire } from './wire.js';
import { known } from './world.js';

const Kind = { sub: 1, group: 2, text: 3, whole: 4, flag: 5, user: 6, channel: 7, role: 8, mentionable: 9, number: 10, file: 11 } as const;
const NESTS: ReadonlySet<number> = new Set([Kind.sub, Kind.group]);
/** A client lets nobody type more. */
const LONGEST_TEXT = 6000;

export interface Filling {
  readonly form: CommandForm;
  /** The names after the command's own. */
  readonly below: readonly string[];
  readonly values: OptionValues;
  /** The option that is being typed in; the others may be missing then. */
  readonly focused?: string | undefined;
}

export interface Filled {
  /** In the platform's own nesting. */
  readonly options: readonly Wire[];
  /** What the ids among the values mean. */
  readonly mentioned: {
    readonly users: readonly Id[];
    readonly channels: readonly Id[];
    readonly roles: readonly Id[];
    /** Each is a person or a role. */
    readonly either: readonly Id[];
    readonly files: readonly Id[];
  };
  /** The option being typed in. */
  readonly focus: OptionForm | undefined;
}

/** Throws a sentence for a value that a client would not have sent. */
export function fillOptions({ form, below, values, focused }: Filling): Filled {
  const { path, leaves } = descend(form, below);
  for (const name of [...Object.keys(values), ...(focused === undefined ? [] : [focused])])
    if (!leaves.some((option) => option.name === name)) throw new Error(`/${[form.name, ...below].join(' ')} has no option "${name}".`);
  const focus = leaves.find(({ name }) => name === focused);
  if (focused !== undefined && focus?.autocomplete !== true) throw new Error(`Option "${focused}" completes nothing.`);
  const filled = leaves.flatMap((option): readonly Wire[] => {
    const { name, type } = option;
    const value = values[name];
    if (name === focused) return [{ name, type, value: String(value ?? ''), focused: true }];
    if (value === undefined) {
      if (option.required === true && focused === undefined) throw new Error(`Option "${name}" is required.`);
      return [];
    }
    const wrong = trouble(option, value);
    if (wrong !== undefined) throw new Error(`Option "${name}" does not take ${JSON.stringify(value)}: ${wrong}.`);
    return [{ name, type, value }];
  });
  const ids = (...kinds: readonly number[]): readonly Id[] =>
    filled.flatMap(({ type, value }) => (kinds.includes(Number(type)) ? String(value) : []));
  return {
    options: path.reduceRight<readonly Wire[]>((options, { name, type }) => [{ name, type, options }], filled),
    mentioned: {
      ...{ users: ids(Kind.user), channels: ids(Kind.channel), roles: ids(Kind.role), files: ids(Kind.file) },
      either: ids(Kind.mentionable),
    },
    focus,
  };
}

function descend(
  form: CommandForm,
  below: readonly string[],
): { readonly path: readonly OptionForm[]; readonly leaves: readonly OptionForm[] } {
  const path: OptionForm[] = [];
  let options: readonly OptionForm[] = form.options ?? [];
  for (const name of below) {
    const next = options.find((option) => option.name === name && NESTS.has(option.type));
    if (next === undefined) throw new Error(`/${form.name} has no subcommand "${name}".`);
    path.push(next);
    options = next.options ?? [];
  }
  if (options.some(({ type }) => NESTS.has(type))) throw new Error(`/${[form.name, ...below].join(' ')} runs only with a subcommand.`);
  return { path, leaves: options };
}

function trouble(option: OptionForm, value: string | number | boolean): string | undefined {
  const { type, choices, autocomplete } = option;
  if (type === Kind.flag) return typeof value === 'boolean' ? undefined : 'it is yes or no';
  if (type === Kind.whole || type === Kind.number) return numberTrouble(option, value);
  if (typeof value !== 'string') return 'it takes text';
  if (type !== Kind.text) return /^\d{1,20}$/.test(value) ? undefined : 'it takes an id';
  // What was offered while typing is a suggestion; a list of choices is not.
  if ((choices ?? []).length > 0 && autocomplete !== true && !choices?.some((choice) => choice.value === value))
    return 'it is none of the choices';
  if (value === '') return 'it is empty';
  const most = option.max_length ?? LONGEST_TEXT;
  if (value.length > most) return `it is longer than ${most}`;
  return value.length < (option.min_length ?? 0) ? `it is shorter than ${option.min_length}` : undefined;
}

function numberTrouble(
  { type, choices, min_value: least, max_value: most }: OptionForm,
  value: string | number | boolean,
): string | undefined {
  if (typeof value !== 'number') return 'it takes a number';
  if (type === Kind.whole && !Number.isInteger(value)) return 'it takes a whole number';
  if ((choices ?? []).length > 0 && !choices?.some((choice) => choice.value === value)) return 'it is none of the choices';
  if (value < (least ?? -Infinity)) return `it is less than ${least}`;
  return value > (most ?? Infinity) ? `it is more than ${most}` : undefined;
}

/** What the ids among the values context for, as the platform tells it beside them; undefined for none. */
export function resolved(
  context: StandInContext,
  guild: Id | undefined,
  { either, channels, files, ...named }: Filled['mentioned'],
): Wire | undefined {
  const { world, view } = context;
  const roles = [...named.roles, ...either.filter((id) => world.roles.has(id))];
  const users = [...named.users, ...either.filter((id) => !world.roles.has(id))];
  if (users.length + channels.length + roles.length + files.length === 0) return undefined;
  const by = (ids: readonly Id[], wire: (id: Id) => Wire): Wire => Object.fromEntries(ids.map((id) => [id, wire(id)]));
  const members = guild === undefined ? undefined : known(world.guilds, guild, 'guild').members;
  return {
    ...(users.length > 0 && { users: by(users, (id) => wireUser(known(world.users, id, 'user'))) }),
    ...(users.length > 0 &&
      members && {
        members: by(
          users.filter((id) => members.has(id)),
          (id) => ({ ...wireMember(world, known(members, id, 'member')), user: undefined }),
        ),
      }),
    ...(channels.length > 0 && { channels: by(channels, (id) => wireChannel(world, known(world.channels, id, 'channel'))) }),
    ...(files.length > 0 && { attachments: by(files, (id) => wireAttachment(view, known(world.attachments, id, 'attachment'))) }),
    ...(roles.length > 0 && { roles: by(roles, (id) => wireRole(world, known(world.roles, id, 'role'))) }),
  };
}
