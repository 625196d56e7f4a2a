/** Registers the catalogue as slash commands. Sends only those that differ from what Discord has. https://docs.discord.com/developers/interactions/application-commands */
import { createHash } from 'node:crypto';
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
} from 'discord.js';
import { z } from 'zod';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { CommandEntry, OptionEntry } from '../../chat/catalogue.js';
import { reply, type Reply } from '../../chat/reply.js';
import { keyFault, shortKey } from '../../domain/wallet.js';
import type { Store } from '../../store/store.js';
import { truncate } from '../truncate.js';
import { CHANNEL } from './interaction.js';
import type { CommandIds } from './markup.js';
import { isCode } from './outcome.js';
import { POSTABLE } from './permissions.js';
import type { RestCall } from './rest.js';

export const WATCH_WALLET = 'Watch this wallet';

/** Matches a wallet address. The length excludes transaction signatures, which are longer. */
const KEY = /(?<![A-Za-z0-9])[1-9A-HJ-NP-Za-km-z]{32,44}(?![A-Za-z0-9])/gu;
/** The most characters: a message has at most 2,000 and its embeds 6,000. */
const MAX_SEARCHED = 10_000;
const MAX_WALLETS = 25;

/** Every wallet address in the texts, each once. */
export const walletsIn = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.join('\n').slice(0, MAX_SEARCHED).match(KEY) ?? [])].filter((key) => keyFault(key) === undefined).slice(0, MAX_WALLETS);

export const watchLine = (wallet: string): string => `/watch ${wallet}`;

export const noWallet = (): Reply =>
  reply({ tone: 'warning', finding: ['There is no wallet address in this message.'], audience: 'asker' });

export const whichWallet = (wallets: readonly string[]): Reply =>
  reply({
    finding: [{ strong: 'Which wallet?' }],
    fields: [
      {
        kind: 'menu',
        label: 'Wallet',
        options: wallets.map((wallet) => ({ label: shortKey(wallet), hint: wallet, line: watchLine(wallet) })),
      },
    ],
    audience: 'asker',
  });

const MAX_TEXT = 100;
const MAX_OPTIONS = 25;
const MAX_CHOICES = 25;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const list = <T extends z.ZodType>(of: T) =>
  z
    .array(of)
    .nullish()
    .transform((value) => value ?? []);

/** Sorted, because Discord returns the kinds in any order. */
const kinds = list(z.int()).transform((all) => all.toSorted((a, b) => a - b));

const definitionSchema = z.object({
  type: z.int().default(ApplicationCommandType.ChatInput),
  name: z.string(),
  description: text,
  /** The permissions that a member needs to see the command; null if none. */
  default_member_permissions: z
    .string()
    .nullish()
    .transform((bits) => bits ?? null),
  contexts: kinds,
  integration_types: kinds,
  options: list(
    z.object({
      type: z.int(),
      name: z.string(),
      description: text,
      required: flag,
      autocomplete: flag,
      choices: list(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) })),
      channel_types: kinds,
    }),
  ),
});
export type Definition = z.infer<typeof definitionSchema>;

export const registeredSchema = definitionSchema.extend({ id: z.string() });
export type Registered = z.infer<typeof registeredSchema>;

/** Shows the command in servers and private chats, for servers and persons who installed the bot. */
const EVERYWHERE = {
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
};
/** Discord refuses contexts and installation kinds for the commands of one server. */
const IN_ONE_SERVER = { contexts: [], integration_types: [] };

const MANAGERS = PermissionFlagsBits.ManageChannels.toString();

export function definitionsOf(commands: readonly CommandEntry[], guild: string | undefined): readonly Definition[] {
  const places = guild === undefined ? EVERYWHERE : IN_ONE_SERVER;
  const watch = commands.some(({ name }) => name === 'watch') ? [messageCommand(WATCH_WALLET)] : [];
  return [...commands.map(slashCommand), ...watch].map((definition) => ({ ...definition, ...places }));
}

const messageCommand = (name: string): Definition => ({
  ...{ type: ApplicationCommandType.Message, name, description: '', options: [] },
  ...{ default_member_permissions: null, ...IN_ONE_SERVER },
});

const slashCommand = ({ name, summary, options, managersOnly = false, elsewhere = false }: CommandEntry): Definition => ({
  type: ApplicationCommandType.ChatInput,
  name,
  description: truncate(summary, MAX_TEXT) || name,
  default_member_permissions: managersOnly ? MANAGERS : null,
  ...IN_ONE_SERVER,
  // Discord wants required options before optional ones.
  options: options
    .flatMap((option) => (option.file === true ? fileOptions(option, options) : [optionOf(option)]))
    .toSorted((a, b) => Number(b.required) - Number(a.required))
    .slice(0, MAX_OPTIONS - 1)
    .concat(elsewhere ? [OTHER_CHANNEL] : []),
});

const OTHER_CHANNEL: Definition['options'][number] = {
  ...{ type: ApplicationCommandOptionType.Channel, name: CHANNEL, description: 'another channel of this server that you manage' },
  ...{ required: false, autocomplete: false, choices: [], channel_types: [...POSTABLE].toSorted((a, b) => a - b) },
};

const FILE = 'file';

/** An option that takes a file is offered as a file and as text. */
function fileOptions(option: OptionEntry, all: readonly OptionEntry[]): readonly Definition['options'][number][] {
  const words = { ...optionOf(option), required: false };
  const isAlone = all.some(({ name }) => name === FILE);
  const file = {
    ...words,
    type: ApplicationCommandOptionType.Attachment,
    name: isAlone ? option.name : FILE,
    required: isAlone && option.required,
    autocomplete: false,
    choices: [],
    channel_types: [],
  };
  return isAlone ? [file] : [file, { ...words, description: truncate(`Instead of a file: ${option.summary}`, MAX_TEXT) }];
}

/** Describes an option. Discord lists at most `MAX_CHOICES`; longer lists are completed while typing. */
const optionOf = ({ name, summary, required, choices = [], completes, mentions = false }: OptionEntry): Definition['options'][number] => {
  const isList = choices.length > 0 && choices.length <= MAX_CHOICES;
  return {
    type: mentions ? ApplicationCommandOptionType.Mentionable : ApplicationCommandOptionType.String,
    name,
    description: truncate(summary, MAX_TEXT) || name,
    required,
    autocomplete: completes && !isList,
    choices: isList ? choices.map((choice) => ({ name: truncate(choice, MAX_TEXT), value: choice })) : [],
    channel_types: [],
  };
};

const CHAT_INPUT: number = ApplicationCommandType.ChatInput;

/** Builds the request body. Message commands have no options, and commands of one server no contexts. */
function bodyOf({ contexts, integration_types: installs, options, ...definition }: Definition): object {
  return {
    ...definition,
    ...(definition.type === CHAT_INPUT ? { options: options.map(optionBody) } : {}),
    ...(contexts.length === 0 ? {} : { contexts, integration_types: installs }),
  };
}

/** Leaves out the channel kinds for options that do not take a channel. */
const optionBody = ({ channel_types: types, ...option }: Definition['options'][number]): object =>
  types.length === 0 ? option : { ...option, channel_types: types };

const isSame = (a: Definition, b: Definition): boolean =>
  JSON.stringify(definitionSchema.parse(a)) === JSON.stringify(definitionSchema.parse(b));

/** With more changes, one bulk request replaces all commands, because single requests are rate limited. */
const MAX_SINGLE = 4;

export interface SyncDeps {
  readonly call: RestCall;
  readonly store: Store;
  readonly commands: readonly CommandEntry[];
  /** The server where commands are registered, for development; if undefined, they are registered everywhere. */
  readonly guild: string | undefined;
  readonly log: Log;
}

/** Registers the commands and resolves with their ids. Idempotent. Rejects with the library's or the store's error. */
export async function syncCommands(application: string, { call, store, commands, guild, log }: SyncDeps): Promise<CommandIds> {
  const documents = store.collection({
    prefix: 'platform',
    version: 1,
    schema: z.object({ hash: z.string(), guild: z.string().optional() }),
  });
  const remembered = await documents.get('discord');
  const wanted = definitionsOf(commands, guild);
  const hash = createHash('sha256').update(JSON.stringify(wanted)).digest('base64url');
  if (remembered !== undefined && remembered.guild !== guild) await clear(call, pathOf(application, remembered.guild), log);

  const path = pathOf(application, guild);
  const read = async () => z.array(registeredSchema).parse(await call({ method: 'GET', path }));
  const registered = await read();
  const changes = changesOf(wanted, registered);
  const count = changes.added.length + changes.changed.length + changes.removed.length;
  if (count > 0) {
    await apply(changes, { call, path, wanted, isOurs: registered.every(isOurs) });
    log.info(
      'discord.commands-registered',
      omitUndefined({
        guild,
        added: changes.added.map(({ name }) => name),
        changed: changes.changed.map(({ definition }) => definition.name),
        removed: changes.removed.map(({ name }) => name),
        // An unchanged catalogue means that somebody else changed the commands.
        repaired: remembered?.hash === hash ? true : undefined,
      }),
    );
  }
  if (remembered?.hash !== hash || remembered.guild !== guild) await documents.set('discord', omitUndefined({ hash, guild }));
  const current = count > 0 ? await read() : registered;
  return new Map(current.flatMap(({ type, name, id }) => (type === CHAT_INPUT ? [[name, id] as const] : [])));
}

type Path = `/${string}`;

const pathOf = (application: string, guild: string | undefined): Path =>
  guild === undefined ? `/applications/${application}/commands` : `/applications/${application}/guilds/${guild}/commands`;

/** Tells whether a command is the bot's; others are not removed. */
const isOurs = ({ type, name }: Definition): boolean => type === CHAT_INPUT || name === WATCH_WALLET;
const isNamed =
  (one: Definition) =>
  (other: Definition): boolean =>
    one.name === other.name && one.type === other.type;

interface Changes {
  readonly added: readonly Definition[];
  readonly changed: readonly { readonly id: string; readonly definition: Definition }[];
  readonly removed: readonly Registered[];
}

function changesOf(wanted: readonly Definition[], registered: readonly Registered[]): Changes {
  const ours = registered.filter(isOurs);
  const pairs = wanted.map((definition) => ({ definition, there: ours.find(isNamed(definition)) }));
  return {
    added: pairs.filter(({ there }) => there === undefined).map(({ definition }) => definition),
    changed: pairs.flatMap(({ definition, there }) =>
      there === undefined || isSame(definition, there) ? [] : [{ id: there.id, definition }],
    ),
    removed: ours.filter((one) => !wanted.some(isNamed(one))),
  };
}

interface Application {
  readonly call: RestCall;
  readonly path: Path;
  readonly wanted: readonly Definition[];
  readonly isOurs: boolean;
}

async function apply({ added, changed, removed }: Changes, { call, path, wanted, isOurs: isAllOurs }: Application): Promise<void> {
  if (isAllOurs && added.length + changed.length + removed.length > MAX_SINGLE) {
    // A bulk request keeps the ids of commands whose names stay.
    await call({ method: 'PUT', path, body: wanted.map(bodyOf) });
    return;
  }
  for (const { id } of removed) await call({ method: 'DELETE', path: `${path}/${id}` });
  for (const { id, definition } of changed) await call({ method: 'PATCH', path: `${path}/${id}`, body: bodyOf(definition) });
  for (const definition of added) await call({ method: 'POST', path, body: bodyOf(definition) });
}

/** Removes commands that would be listed twice. */
async function clear(call: RestCall, path: Path, log: Log): Promise<void> {
  try {
    const registered = z.array(registeredSchema).parse(await call({ method: 'GET', path }));
    if (registered.length === 0) return;
    if (registered.every(isOurs)) await call({ method: 'PUT', path, body: [] });
    else for (const { id } of registered.filter(isOurs)) await call({ method: 'DELETE', path: `${path}/${id}` });
    log.info('discord.commands-cleared', { path, commands: registered.length });
  } catch (error) {
    // The bot has left that server, so there is nothing to clear.
    if (!isCode(error, 10_004, 50_001)) throw error;
  }
}
