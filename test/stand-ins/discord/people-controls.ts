/** People who run commands, press buttons, pick from menus and fill forms. Each refuses, with a sentence, what a client would not let them do. */
import { channelFor } from './channel-controls.js';
import type { Command, Commands } from './commands.js';
import { Permission } from './flags.js';
import { filledForm } from './form-values.js';
import { sendInteraction } from './interaction-event.js';
import type { InteractionRecord, Interactions } from './interactions.js';
import { fillOptions, resolved, type Filled } from './option-values.js';
import { channelPermissions, may } from './permissions.js';
import { watched } from './person.js';
import { wireMessage } from './wire-message.js';
import type { StandInContext } from './context.js';
import type { Controls, Id, Interaction, SeenComponent } from './types.js';
import type { Wire } from './wire.js';
import { isOutside, known, type Channel, type Message } from './world.js';

export type PeopleControls = Pick<Controls, 'slash' | 'onMessage' | 'installFor' | 'autocomplete' | 'press' | 'select' | 'submit'>;

const SLASH = 1;
const ON_MESSAGE = 3;
const BUTTON = 2;
const MENU = 3;

export function peopleControls(context: StandInContext, commands: Commands, interactions: Interactions): PeopleControls {
  const { world, bus } = context;
  const act = (action: Parameters<Interactions['open']>[0], data: Wire): Interaction => {
    const record = interactions.open(action);
    sendInteraction(context, record, data);
    return watched({ world, bus }, record);
  };
  const run = (typing: CommandRun) => begin({ context, commands, ...typing });
  return {
    slash({ channel, user, command, options = {} }) {
      const { data } = run({ channel, user, command, options });
      return act({ type: 2, user, channel, source: undefined }, data);
    },
    onMessage({ message: id, user, command: name }) {
      const message = sourceFor(context, interactions, { message: id, user });
      const channel = channelFor(context, { channel: message.channel, user });
      const command = offered(context, commands, { channel, user, name, type: ON_MESSAGE });
      return act(
        { type: 2, user, channel: channel.id, source: undefined },
        {
          ...{ id: command.id, name, type: ON_MESSAGE, target_id: id },
          resolved: { messages: { [id]: wireMessage(context.view, message) } },
        },
      );
    },
    installFor: (user) => void world.installedBy.add(known(world.users, user, 'user').id),
    async autocomplete({ channel, user, command, focused, options = {} }) {
      const { data, focus } = run({ channel, user, command, options, focused });
      return act({ type: 4, user, channel, source: undefined, optionType: focus?.type }, data).choices();
    },
    press({ message: id, user, button: wanted }) {
      const message = sourceFor(context, interactions, { message: id, user });
      const button = inside(message, BUTTON).find(({ label, custom_id: key }) => label === wanted || key === wanted);
      if (button === undefined) throw new Error(`Message ${id} shows no button "${wanted}".`);
      if (button.custom_id === undefined) throw new Error(`Button "${wanted}" is a link; pressing it tells the bot nothing.`);
      if (button.disabled === true) throw new Error(`Button "${wanted}" is switched off.`);
      return act({ type: 3, user, channel: message.channel, source: id }, { component_type: BUTTON, custom_id: button.custom_id, id: 1 });
    },
    select({ message: id, user, customId, values }) {
      const message = sourceFor(context, interactions, { message: id, user });
      const menu = inside(message, MENU).find(({ custom_id: key }) => customId === undefined || key === customId);
      if (menu === undefined) throw new Error(`Message ${id} shows no menu${customId === undefined ? '' : ` "${customId}"`}.`);
      refusePick(menu, values);
      return act(
        { type: 3, user, channel: message.channel, source: id },
        { component_type: MENU, custom_id: menu.custom_id, id: 1, values },
      );
    },
    submit({ opened, values }) {
      const record = interactions.record(opened.id);
      if (record?.form === undefined) throw new Error('No form was opened; wait for `form()` first.');
      const { data, files } = filledForm(record.form, values);
      const beside = resolved(context, undefined, { users: [], channels: [], roles: [], either: [], files });
      return act(
        { type: 5, user: record.user, channel: record.channel, source: record.source, openedBy: record.id },
        { ...data, ...(beside !== undefined && { resolved: beside }) },
      );
    },
  };
}

interface CommandRun {
  readonly channel: Id;
  readonly user: Id;
  readonly command: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly focused?: string;
}

function begin({
  context,
  commands,
  channel: id,
  user,
  command: line,
  options,
  focused,
}: CommandRun & { context: StandInContext; commands: Commands }): {
  readonly data: Wire;
  readonly focus: Filled['focus'];
} {
  const channel = channelFor(context, { channel: id, user });
  refuseLocked(context, channel, user);
  const [name = '', ...below] = line.replace(/^\//, '').split(' ');
  const command = offered(context, commands, { channel, user, name, type: SLASH });
  const { options: filled, mentioned, focus } = fillOptions({ form: command.form, below, values: options, focused });
  const beside = resolved(context, channel.guild, mentioned);
  const data: Wire = {
    id: command.id,
    name,
    type: 1,
    ...(command.guild !== undefined && { guild_id: command.guild }),
    ...(filled.length > 0 && { options: filled }),
    ...(beside !== undefined && { resolved: beside }),
  };
  return { data, focus };
}

/** The command as a person is offered it here: a server's own before one for all servers. */
function offered(
  { world }: StandInContext,
  commands: Commands,
  { channel, user, name, type }: { channel: Channel; user: Id; name: string; type: number },
): Command {
  refuseAbsent(world, channel, user);
  const own = channel.guild === undefined ? [] : commands.list(channel.guild);
  const command = [...own, ...commands.list(undefined)].find(({ form }) => form.name === name && (form.type ?? SLASH) === type);
  if (command === undefined) throw new Error(`No command /${name} is registered here.`);
  const { contexts, dm_permission: direct, default_member_permissions: needed } = command.form;
  const context = channel.guild === undefined ? 1 : 0;
  if (contexts ? !contexts.includes(context) : context === 1 && direct === false)
    throw new Error(`/${name} is not offered in this kind of chat.`);
  if (isOutside(world, channel) && command.form.integration_types?.includes(USER_INSTALL) !== true)
    throw new Error(`/${name} is not offered to people who installed the application for themselves.`);
  const permissions = channelPermissions(world, channel, user);
  if (!may(permissions, Permission.USE_APPLICATION_COMMANDS))
    throw new Error(`User ${user} may not run commands in channel ${channel.id}.`);
  // "0" leaves a command to administrators.
  const bits = needed === '0' ? Permission.ADMINISTRATOR : BigInt(needed ?? 0);
  if (channel.guild !== undefined && !may(permissions, bits)) throw new Error(`/${name} is offered to members with more permissions only.`);
  return command;
}

const USER_INSTALL = 1;

/** Whoever installed the application for themselves takes it along. */
function refuseAbsent(world: StandInContext['world'], channel: Channel, user: Id): void {
  if (isOutside(world, channel) && !world.installedBy.has(user)) throw new Error(`The bot is not in server ${channel.guild} any more.`);
}

function refuseLocked({ world }: StandInContext, channel: Channel, user: Id): void {
  if (channel.locked && !may(channelPermissions(world, channel, user), Permission.MANAGE_THREADS))
    throw new Error(`Thread ${channel.id} is locked; nobody runs a command in it.`);
}

/** The message, if this person sees it and may act on it. */
function sourceFor(context: StandInContext, interactions: Interactions, { message: id, user }: { message: Id; user: Id }): Message {
  const message = known(context.world.messages, id, 'message');
  if (message.deleted) throw new Error(`Message ${id} was deleted; nobody sees its buttons.`);
  const asker: InteractionRecord | undefined = interactions.record(message.interaction ?? '');
  if (message.ephemeral && asker?.user !== user) throw new Error(`Message ${id} is shown to another person only.`);
  refuseAbsent(context.world, channelFor(context, { channel: message.channel, user }), user);
  return message;
}

const inside = ({ components }: Message, type: number): readonly SeenComponent[] =>
  components.flatMap((row) => row.components ?? []).filter((component) => component.type === type);

function refusePick(menu: SeenComponent, values: readonly string[]): void {
  if (menu.disabled === true) throw new Error(`Menu "${menu.custom_id}" is switched off.`);
  const strange = values.find((value) => !menu.options?.some((option) => option.value === value));
  if (strange !== undefined) throw new Error(`Menu "${menu.custom_id}" does not offer "${strange}".`);
  const [least, most] = [menu.min_values ?? 1, menu.max_values ?? 1];
  if (values.length < least || values.length > most || new Set(values).size < values.length)
    throw new Error(`Menu "${menu.custom_id}" takes ${least} to ${most} different values, not ${values.length}.`);
}
