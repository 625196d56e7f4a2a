/** Registers the commands that differ from what Discord has. */
import { createHash } from 'node:crypto';
import { ApplicationCommandType } from 'discord.js';
import { z } from 'zod';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Log } from '../../base/log.js';
import type { CommandEntry } from '../../chat/catalogue.js';
import type { Store } from '../../store/store.js';
import { bodyOf, definitionsOf, isSame, registeredSchema, type Definition, type Registered } from './command-definitions.js';
import { isCode } from './outcome.js';
import type { RestCall } from './rest.js';
import { WATCH_WALLET } from './watch-wallet.js';

/** Single requests are rate limited. */
const MAX_SINGLE = 4;

export interface SyncDeps {
  readonly call: RestCall;
  readonly store: Store;
  readonly commands: readonly CommandEntry[];
  /** There changes show at once. */
  readonly guild: string | undefined;
  readonly log: Log;
}

/** Rejects with the library's or the store's error. Idempotent. */
export async function syncCommands(application: string, { call, store, commands, guild, log }: SyncDeps): Promise<void> {
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
  const registered = z.array(registeredSchema).parse(await call({ method: 'GET', path }));
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
        // The catalogue is unchanged: somebody else changed the commands.
        repaired: remembered?.hash === hash ? true : undefined,
      }),
    );
  }
  if (remembered?.hash !== hash || remembered.guild !== guild) await documents.set('discord', omitUndefined({ hash, guild }));
}

type Path = `/${string}`;

const pathOf = (application: string, guild: string | undefined): Path =>
  guild === undefined ? `/applications/${application}/commands` : `/applications/${application}/guilds/${guild}/commands`;

const CHAT_INPUT: number = ApplicationCommandType.ChatInput;
/** Others' are not removed. */
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
    // What keeps its name keeps its id.
    await call({ method: 'PUT', path, body: wanted.map(bodyOf) });
    return;
  }
  for (const { id } of removed) await call({ method: 'DELETE', path: `${path}/${id}` });
  for (const { id, definition } of changed) await call({ method: 'PATCH', path: `${path}/${id}`, body: bodyOf(definition) });
  for (const definition of added) await call({ method: 'POST', path, body: bodyOf(definition) });
}

/** They would be listed twice. */
async function clear(call: RestCall, path: Path, log: Log): Promise<void> {
  try {
    const registered = z.array(registeredSchema).parse(await call({ method: 'GET', path }));
    if (registered.length === 0) return;
    if (registered.every(isOurs)) await call({ method: 'PUT', path, body: [] });
    else for (const { id } of registered.filter(isOurs)) await call({ method: 'DELETE', path: `${path}/${id}` });
    log.info('discord.commands-cleared', { path, commands: registered.length });
  } catch (error) {
    // The bot left that server, so there is nothing to clear.
    if (!isCode(error, 10_004, 50_001)) throw error;
  }
}
