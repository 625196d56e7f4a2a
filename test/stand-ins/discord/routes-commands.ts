/** Registering commands, for all servers and for one. https://docs.discord.com/developers/interactions/application-commands#endpoints */
import type { Command, Commands } from './commands.js';
import { refusal } from './refusal.js';
import { NO_CONTENT, ok, type Answer, type Call, type Route } from './route.js';
import type { StandInContext } from './context.js';
import type { Id } from './types.js';
import { botIsIn } from './world.js';

const COMMAND = 'ApplicationCommandResponseSchema';

export function commandRoutes({ world }: StandInContext, commands: Commands): readonly Route[] {
  const scopeOf = ({ param }: Call): Id | undefined => {
    if (param('application') !== world.applicationId) throw refusal('applicationMismatch');
    const id = param('guild');
    if (id === '') return undefined;
    const guild = world.guilds.get(id);
    if (guild === undefined || !botIsIn(world, guild)) throw refusal('missingAccess');
    return id;
  };
  const one = (command: Command): Answer => ok(commands.wire(command), COMMAND);
  const many = (list: readonly Command[]): Answer => ok(list.map(commands.wire), COMMAND);
  const under = (base: string): readonly Route[] => [
    { method: 'GET', path: base, handle: (call) => many(commands.list(scopeOf(call))) },
    {
      method: 'POST',
      path: base,
      handle(call) {
        const { command, created } = commands.put(scopeOf(call), call.payload.body);
        return { ...one(command), status: created ? 201 : 200 };
      },
    },
    { method: 'PUT', path: base, handle: (call) => many(commands.replace(scopeOf(call), call.payload.body)) },
    { method: 'GET', path: `${base}/:command`, handle: (call) => one(commands.get(scopeOf(call), call.param('command'))) },
    {
      method: 'PATCH',
      path: `${base}/:command`,
      handle: (call) => one(commands.edit(scopeOf(call), call.param('command'), call.payload.body)),
    },
    {
      method: 'DELETE',
      path: `${base}/:command`,
      handle(call) {
        commands.remove(scopeOf(call), call.param('command'));
        return NO_CONTENT;
      },
    },
  ];
  return [...under('/applications/:application/commands'), ...under('/applications/:application/guilds/:guild/commands')];
}
