/** Interactions that only the active process can answer. */
import type { Log } from '../../base/log.js';
import { NO_ACTIVE_PROCESS, type ForwardedUpdate, type Forwarding } from '../../chat/forwarding.js';
import { reply } from '../../chat/reply.js';
import { textOnly, type Prepared } from '../attachments.js';
import type { Conversation } from '../conversation.js';
import type { Interaction } from './interaction.js';
import { inWords } from './outcome.js';

export interface HandOver {
  /** Tells whether earlier interactions of the channel wait for the active process. */
  isBehind(interaction: Interaction): Promise<boolean>;
  /** Acknowledges the interaction and stores it for the active process. Rejects with the library's errors. */
  forward(interaction: Interaction, conversation: Conversation): Promise<void>;
}

export interface HandOverDeps {
  readonly forwarding: Forwarding;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

const FULL = 'Too much waits in this channel already. Try again in a minute.';
const NOT_KEPT = "I can't do that right now: my database doesn't answer. Try again in a minute.";

export function openHandOver({ forwarding, log, stopping }: HandOverDeps): HandOver {
  return {
    async isBehind(interaction) {
      if (interaction.isForwarded) return false;
      // If the store fails, the answer itself will report that.
      return forwarding.waits(updateOf(interaction)).catch(() => false);
    },
    async forward(interaction, conversation) {
      const update = updateOf(interaction);
      await conversation.acknowledge();
      const kept = await forwarding.keep(update).catch((error: unknown) => {
        log.warn('discord.not-forwarded', { chat: interaction.chat, because: inWords(error) });
        return 'failed' as const;
      });
      if (kept === 'full' || kept === 'too-large') await conversation.show(warning(FULL));
      else if (kept === 'failed') await conversation.show(warning(NOT_KEPT));
      else if (kept === 'kept' && (await forwarding.isStuck(update, stopping)))
        await conversation.interim(warning(NO_ACTIVE_PROCESS).reply);
    },
  };
}

const updateOf = ({ channel, id, raw }: Interaction): ForwardedUpdate => ({ platform: 'discord', chat: channel, id, raw });

const warning = (sentence: string): Prepared => textOnly(reply({ tone: 'warning', finding: [sentence], audience: 'asker' }));
