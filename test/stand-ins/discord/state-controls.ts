/** What stands there, for a test to look at: messages and commands. Copies, which later changes do not touch. */
import type { Commands } from './commands.js';
import type { StandInContext } from './context.js';
import type { Controls } from './types.js';
import { seenOf } from './wire-message.js';
import { messagesIn } from './world.js';

export const stateControls = (
  { world }: StandInContext,
  commands: Commands,
): Pick<Controls, 'messages' | 'message' | 'everything' | 'commands'> => ({
  messages: (channel) => messagesIn(world, channel).map(seenOf),
  message(id) {
    const message = world.messages.get(id);
    return message && seenOf(message);
  },
  everything: () => [...world.messages.values()].filter(({ author }) => author === world.applicationId).map(seenOf),
  commands: (guild) =>
    commands.list(guild).map((command) => ({
      id: command.id,
      name: command.form.name,
      description: command.form.description ?? '',
      raw: commands.wire(command),
    })),
});
