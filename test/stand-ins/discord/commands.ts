/** The commands as registered: for all servers, or for one. https://docs.discord.com/developers/interactions/application-commands */
import { z } from 'zod';
import { readCommand, refusePlaces, type CommandForm, type OptionForm } from './command-rules.js';
import { refusal, refuseFlaws } from './refusal.js';
import type { Id } from './types.js';
import type { Wire } from './wire.js';
import type { World } from './world.js';

const COMMANDS = 100;
const DAILY_CREATES = 200;

export interface Command {
  readonly id: Id;
  readonly guild: Id | undefined;
  readonly version: Id;
  readonly form: CommandForm;
}

export interface Commands {
  /** Those of one scope: a server's id, or undefined for all servers. */
  list(guild: Id | undefined): readonly Command[];
  /** Throws 10063 for one that is not there. */
  get(guild: Id | undefined, id: Id): Command;
  /** Creates one, or replaces the one of that name. */
  put(guild: Id | undefined, body: unknown): { readonly command: Command; readonly created: boolean };
  edit(guild: Id | undefined, id: Id, body: unknown): Command;
  remove(guild: Id | undefined, id: Id): void;
  /** Replaces all of a scope; what keeps its name keeps its id. */
  replace(guild: Id | undefined, body: unknown): readonly Command[];
  wire(command: Command): Wire;
}

export function openCommands(world: World): Commands {
  const commands = new Map<Id, Command>();
  let creates = 0;
  const list = (guild: Id | undefined): readonly Command[] => [...commands.values()].filter((command) => command.guild === guild);
  const named = (guild: Id | undefined, { name, type }: CommandForm): Command | undefined =>
    list(guild).find(({ form }) => form.name === name && (form.type ?? 1) === (type ?? 1));
  const get = (guild: Id | undefined, id: Id): Command => {
    const found = commands.get(id);
    if (found === undefined || found.guild !== guild) throw refusal('unknownCommand');
    return found;
  };
  const keep = (guild: Id | undefined, form: CommandForm, before: Command | undefined): Command => {
    if (before === undefined) {
      if (list(guild).length >= COMMANDS) throw refusal('tooManyCommands');
      creates += 1;
      if (creates > DAILY_CREATES) throw refusal('dailyCommands');
    }
    const changed = before === undefined || JSON.stringify(before.form) !== JSON.stringify(form);
    const command: Command = { id: before?.id ?? world.newId(), guild, version: changed ? world.newId() : before.version, form };
    commands.set(command.id, command);
    return command;
  };
  return {
    list,
    get,
    put(guild, body) {
      const form = readCommand(body);
      if (guild !== undefined) refusePlaces(form);
      const before = named(guild, form);
      return { command: keep(guild, form, before), created: before === undefined };
    },
    edit(guild, id, body) {
      const before = get(guild, id);
      const patch = z.record(z.string(), z.unknown()).parse(body);
      return keep(guild, readCommand({ ...before.form, ...patch }), before);
    },
    remove(guild, id) {
      commands.delete(get(guild, id).id);
    },
    replace(guild, body) {
      const bodies = z.array(z.unknown()).safeParse(body);
      if (!bodies.success) refuseFlaws([{ path: [], code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' }]);
      const forms = (bodies.data ?? []).map((one, at) => readCommand(one, [at]));
      if (guild !== undefined) for (const [at, form] of forms.entries()) refusePlaces(form, [at]);
      if (forms.length > COMMANDS) throw refusal('tooManyCommands');
      refuseFlaws(
        forms.flatMap((form, at) =>
          forms.findIndex(({ name, type }) => name === form.name && (type ?? 1) === (form.type ?? 1)) === at
            ? []
            : [{ path: [at], code: 'APPLICATION_COMMANDS_DUPLICATE_NAME', message: 'Application command names must be unique' }],
        ),
      );
      const before = forms.map((form) => named(guild, form));
      for (const old of list(guild)) if (!before.includes(old)) commands.delete(old.id);
      return forms.map((form, at) => keep(guild, form, before[at]));
    },
    wire: (command) => wireCommand(world, command),
  };
}

/** As the platform answers it: defaults filled in, and what says nothing (`required: false`, an empty list) left out. */
const wireCommand = (world: World, { id, guild, version, form }: Command): Wire => ({
  id,
  application_id: world.applicationId,
  version,
  type: form.type ?? 1,
  name: form.name,
  name_localizations: null,
  description: form.description ?? '',
  description_localizations: null,
  default_member_permissions: form.default_member_permissions ?? null,
  dm_permission: form.dm_permission ?? true,
  contexts: form.contexts ?? null,
  integration_types: form.integration_types ?? [0],
  nsfw: form.nsfw ?? false,
  ...(guild !== undefined && { guild_id: guild }),
  ...((form.options ?? []).length > 0 && { options: (form.options ?? []).map(wireOption) }),
});

function wireOption(option: OptionForm): Wire {
  const says = (value: unknown): boolean =>
    value !== null && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries({ ...option, options: (option.options ?? []).map(wireOption) }).filter(([, value]) => says(value)),
  );
}
