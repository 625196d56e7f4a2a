/** What a person sees of an action of theirs. */
import type { Bus } from './bus.js';
import { MessageFlag } from './flags.js';
import type { InteractionRecord } from './interactions.js';
import type { Interaction } from './types.js';
import { seenOf } from './wire-message.js';
import type { Message, World } from './world.js';

/** The action as a test watches it; each wait ends when the bot did it, and with a sentence when the stand-in closes first. */
export function watched({ world, bus }: { readonly world: World; readonly bus: Bus }, record: InteractionRecord): Interaction {
  const standing = (): readonly Message[] => record.left.flatMap((id) => world.messages.get(id) ?? []).filter(({ deleted }) => !deleted);
  return {
    id: record.id,
    token: record.token,
    user: record.user,
    channel: record.channel,
    acknowledged: async () => bus.waitFor(() => record.acknowledged),
    reply: async () => seenOf(await bus.waitFor(() => standing().find(({ flags }) => (flags & MessageFlag.LOADING) === 0))),
    shown: () => standing().map(seenOf),
    choices: async () => bus.waitFor(() => record.choices),
    form: async () => bus.waitFor(() => record.form),
  };
}
